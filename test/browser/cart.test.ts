import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { sharedDemo, startDemo } from "../support/browser.ts";
import { addRaincoat, drawer, quantity, waitForTotal } from "../support/cart-drawer.ts";
import { bundle, product } from "../support/catalog.ts";
import { makeStore } from "../support/shop.ts";

const demo = await sharedDemo();

const total = (place: Locator): Locator => place.locator(".totals__total dd").first();

/** Total of 444.00, minus the automatic 5 % discount for orders from 300.00. */
const threeOfThem = "$421.80";

test("an add opens the drawer with the correct total, which a reload preserves", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await quantity(page.locator("product-form")).fill("2");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).waitFor();
  await waitForTotal(drawer(page), "$296.00");
  assert.equal(await quantity(drawer(page)).inputValue(), "2");
  await page.reload();
  await page.getByRole("link", { name: /^Cart, 2 items/ }).click();
  await drawer(page).waitFor();
  await waitForTotal(drawer(page), "$296.00");
  await close();
});

test("an added line is visible in the drawer after any number of lines", async () => {
  const { page, close } = await demo.open("/products/boot-socks", { viewport: { width: 390, height: 700 } });
  await page.evaluate(
    "import('/vitrine/vitrine.js').then(({ cart }) => cart.add([101, 102, 103, 104, 105].map((id) => ({ id, quantity: 1 }))))",
  );
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).waitFor();
  const line = drawer(page).locator(".line").filter({ hasText: "Wool Boot Socks" });
  const box = await line.boundingBox();
  const body = await drawer(page).locator("[data-scroll]").boundingBox();
  assert.ok(box !== null && body !== null);
  assert.ok(box.y >= body.y && box.y + box.height <= body.y + body.height + 1, `${box.y} in ${JSON.stringify(body)}`);
  await close();
});

test("a variant is selected by its options, and a sold-out one cannot be added", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await page.getByRole("radio", { name: "XL", exact: true }).check();
  await page.getByRole("radio", { name: "Navy" }).check();
  assert.ok(await page.getByRole("button", { name: "Sold out" }).first().isDisabled());
  await page.getByRole("radio", { name: "Yellow" }).check();
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).getByText("XL / Yellow").waitFor();
  await close();
});

test("the quantity changes in the drawer by typing and by buttons", async () => {
  const { page, close } = await addRaincoat(demo);
  await quantity(drawer(page)).fill("3");
  await quantity(drawer(page)).press("Tab");
  await waitForTotal(drawer(page), threeOfThem);
  await drawer(page).getByRole("button", { name: "Decrease quantity for Raincoat" }).click();
  await waitForTotal(drawer(page), "$296.00");
  await close();
});

test("a quantity above stock is limited with a message", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=104");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).waitFor();
  await quantity(drawer(page)).fill("9");
  await quantity(drawer(page)).press("Tab");
  await waitForTotal(drawer(page), threeOfThem);
  assert.equal(await quantity(drawer(page)).inputValue(), "3");
  await drawer(page)
    .getByText(/Raincoat.*\b3\b|\b3\b.*Raincoat/)
    .first()
    .waitFor();
  await close();
});

test("a line is removed", async () => {
  const { page, close } = await addRaincoat(demo);
  await drawer(page).getByRole("button", { name: "Remove Raincoat" }).click();
  await drawer(page).getByText("Your cart is empty").waitFor();
  await close();
});

test("a note is stored", async () => {
  const { page, close } = await addRaincoat(demo);
  await drawer(page).getByText("Order note").first().click();
  const note = drawer(page).getByRole("textbox", { name: "Order note" });
  await note.fill("Leave it with the harbour master");
  await Promise.all([page.waitForResponse("**/cart/update**"), note.press("Tab")]);
  await page.goto("/cart");
  assert.equal(await page.locator("[data-note]").first().inputValue(), "Leave it with the harbour master");
  await close();
});

test("a discount code applies and can be removed", async () => {
  const { page, close } = await addRaincoat(demo);
  await drawer(page).getByText("Discount code or gift card").click();
  await drawer(page).getByRole("textbox", { name: "Discount code" }).fill("HARBOUR10");
  await drawer(page).getByRole("button", { name: "Apply" }).first().click();
  await waitForTotal(drawer(page), "$133.20");
  await drawer(page).getByRole("button", { name: "Remove HARBOUR10" }).click();
  await waitForTotal(drawer(page), "$148.00");
  await drawer(page).getByRole("textbox", { name: "Discount code" }).fill("NOSUCH");
  await drawer(page).getByRole("button", { name: "Apply" }).first().click();
  await drawer(page)
    .getByText(/NOSUCH/)
    .first()
    .waitFor();
  await waitForTotal(drawer(page), "$148.00");
  await close();
});

test("the link to the checkout applies a code that was entered", async () => {
  const { page, close } = await addRaincoat(demo);
  await drawer(page).getByText("Discount code or gift card").click();
  await drawer(page).getByRole("textbox", { name: "Discount code" }).fill("HARBOUR10");
  await drawer(page).getByRole("link", { name: "Check out" }).click();
  await page.waitForURL("**/checkout/*");
  assert.match(await page.locator(".checkout__sum").innerText(), /HARBOUR10\s+-\$14\.80/);
  await close();
});

test("Escape and the close button close the drawer and restore the focus", async () => {
  const { page, close } = await addRaincoat(demo);
  await page.keyboard.press("Escape");
  await drawer(page).waitFor({ state: "hidden" });
  assert.notEqual(await page.evaluate("document.activeElement.tagName"), "BODY");
  await page.getByRole("link", { name: /^Cart, 1 item/ }).click();
  await drawer(page).waitFor();
  await drawer(page).getByRole("button", { name: "Close" }).click();
  await drawer(page).waitFor({ state: "hidden" });
  await close();
});

test("express checkout opens a checkout of one product and does not change the cart", async () => {
  const { page, close } = await addRaincoat(demo);
  await page.goto("/products/rain-gauge");
  await Promise.all([page.waitForURL("**/checkout/*"), page.getByRole("button", { name: "Buy now" }).click()]);
  const text = await page.locator("main").innerText();
  assert.ok(text.includes("Rain Gauge") && text.includes("$36.00") && !text.includes("Raincoat"), text);
  await page.goto("/cart");
  assert.ok((await page.locator("main").innerText()).includes("Raincoat"));
  await close();
});

test("the cart page shows and changes lines and opens the checkout", async () => {
  const { page, close } = await addRaincoat(demo);
  await page.goto("/cart");
  const main = page.getByRole("main");
  assert.equal(await total(main).innerText(), "$148.00");
  await main.getByText("Add $2.00 more for free shipping").waitFor();
  await main.getByRole("button", { name: "Increase quantity for Raincoat" }).click();
  await waitForTotal(main, "$296.00");
  await main.getByText("$148.00 each").waitFor();
  await main.getByText("You qualify for free shipping").waitFor();
  await Promise.all([page.waitForURL("**/checkout/*"), main.getByRole("link", { name: "Check out" }).click()]);
  assert.ok((await page.locator("main").innerText()).includes("$296.00"));
  await main.getByRole("link", { name: "Return to cart" }).click();
  await page.waitForURL("**/cart");
  await main.getByRole("button", { name: "Remove Raincoat" }).click();
  await main.getByText("Your cart is empty").waitFor();
  await close();
});

test("custom properties of the product form are sent to the cart and to express checkout", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const field = `
    const field = Object.assign(document.createElement("input"), { name: "properties[Engraving]", value: "Ann" });
    document.querySelector("product-form form").append(field);
  `;
  await page.evaluate(field);
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).getByText("Engraving: Ann").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Buy now" }).click();
  await page.waitForURL("**/checkout/*");
  await page.getByText("Engraving: Ann").waitFor();
  await close();
});

test("the plus button of a card adds and confirms without leaving the page", async () => {
  const { page, close } = await demo.open("/collections/small-presents");
  await page.getByRole("button", { name: "Add Rain Gauge to cart" }).first().click();
  await page.getByRole("link", { name: /^Cart, 1 item/ }).waitFor();
  await page.locator("cart-notification").getByText(/\S/).first().waitFor();
  await close();
});

test("a bundle shows total and savings of the selection, and adds all products in one write", async () => {
  const { page, close } = await demo.open("/bundles/sunday-mending-box");
  await page.getByText("Total $83.00").waitFor();
  assert.equal(await page.getByText(/Save \$/).isVisible(), false);
  await page.locator("[data-bundle-item]", { hasText: "Canvas Wax" }).getByRole("checkbox").uncheck();
  await page.getByText("Total $68.00").waitFor();
  await page.goto("/bundles/wet-weather-set");
  await page.getByText("Total $353.00").waitFor();
  await page.getByText("$372.00 Save $19.00").waitFor();
  await page.getByRole("button", { name: "Add all to cart" }).click();
  await drawer(page).waitFor();
  for (const title of ["Raincoat", "Rain Trousers", "Rain Hat", "Rain Boots"])
    await drawer(page).getByRole("link", { name: title, exact: true }).waitFor();
  await close();
});

test("a bundle shows the price of the quantities that its products are sold in, and adds them", async () => {
  const source = await makeStore({
    hasTheme: false,
    rows: [
      product(1, "glass", "Glass", [
        { id: 11, price: 350, compare_at_price: 400, quantity_rule: { min: 6, increment: 6 } },
      ]),
      product(2, "jug", "Jug", [{ id: 21, price: 2_000 }]),
      bundle(3, "table-set", "Table set", "box_builder", ["glass", "jug"]),
    ],
  });
  const store = await startDemo(undefined, { source });
  try {
    const { page, close } = await store.open("/");
    await page.getByText("From $41.00").waitFor();
    await page.goto("/bundles/table-set");
    await page.getByText("Total $41.00").waitFor();
    await page.getByText("$44.00 Save $3.00").waitFor();
    await page.locator("[data-bundle-item]", { hasText: "Jug" }).getByRole("checkbox").uncheck();
    await page.getByText("Total $21.00").waitFor();
    await page.locator("[data-bundle-item]", { hasText: "Jug" }).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Add all to cart" }).click();
    await waitForTotal(drawer(page), "$41.00");
    assert.doesNotMatch(await drawer(page).innerText(), /is sold/, "no quantity was corrected");
    await close();
  } finally {
    await store.close();
    await rm(source, { recursive: true, force: true });
  }
});

test("a write of more than 64 KiB shows the server's error, and the next write succeeds", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const write = (note: string): Promise<unknown> =>
    page.evaluate(`import("/vitrine/vitrine.js").then(({ cart }) => cart.update({ note: ${JSON.stringify(note)} }))
      .then(({ note }) => note, ({ status, code, message }) => ({ status, code, message }))`);
  assert.deepEqual(await write("x".repeat(70_000)), {
    status: 413,
    code: "payload_too_large",
    message: "A body has at most 65536 bytes.",
  });
  assert.equal(await write("ring twice"), "ring twice");
  await close({ failures: [/413/] });
});

test("an expired token is renewed without an interruption", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).waitFor();
  await waitForTotal(drawer(page), "$148.00");
  await close({ failures: [/403/] });
});

test("without JavaScript a sold-out variant in the URL leaves other variants available", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=108", { javaScriptEnabled: false });
  assert.equal(await page.locator("[data-add-button]").isVisible(), false);
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await page.waitForURL("**/cart");
  assert.match(await page.locator("main .line").innerText(), /Raincoat\s+S \/ Yellow/);
  await close();
});

test("without JavaScript a product is added, changed and removed", async () => {
  const { page, close } = await demo.open("/products/raincoat", { javaScriptEnabled: false });
  await page.getByLabel("Choose Raincoat").selectOption("104");
  await quantity(page.locator("product-form")).fill("2");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await page.waitForURL("**/cart");
  const line = page.locator("main .line");
  assert.match(await line.innerText(), /Raincoat\s+M \/ Navy/);
  assert.equal(await total(page.getByRole("main")).innerText(), "$296.00");
  await page.locator("main [name='updates[]']").fill("1");
  await page.getByRole("button", { name: "Update" }).click();
  await waitForTotal(page.getByRole("main"), "$148.00");
  await page.locator("main [name='updates[]']").fill("0");
  await page.getByRole("button", { name: "Update" }).click();
  await page.getByText("Your cart is empty").first().waitFor();
  await close();
});
