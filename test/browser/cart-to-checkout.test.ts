import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedDemo } from "../support/browser.ts";
import { addRaincoat, drawer, quantity } from "../support/cart-drawer.ts";

const demo = await sharedDemo();

const places = [
  ["the drawer", false],
  ["the cart page", false],
  ["the drawer by keyboard", true],
  ["the cart page by keyboard", true],
] as const;

for (const [name, byKeyboard] of places) {
  test(`a quantity typed just before "Check out" is in the checkout, on a slow network: ${name}`, async () => {
    const { page, close } = await addRaincoat(demo);
    const isDrawer = name.includes("drawer");
    if (!isDrawer) await page.goto("/cart");
    const place = isDrawer ? drawer(page) : page.getByRole("main");
    await page.route("**/cart/change**", async (route) => {
      await page.waitForTimeout(800);
      await route.continue();
    });
    const link = place.getByRole("link", { name: "Check out" });
    await quantity(place).fill("7");
    if (byKeyboard) {
      await page.keyboard.press("Tab");
      await link.focus();
      await page.keyboard.press("Enter");
    } else await link.click();
    await page.waitForURL("**/checkout/*");
    assert.match(await page.locator(".lines--summary").innerText(), /Quantity: 7/);
    await close();
  });
}

test("a click counts if the section is rendered between press and release", async () => {
  const { page, close } = await addRaincoat(demo);
  const link = drawer(page).getByRole("link", { name: "Check out" });
  await link.hover();
  await page.mouse.down();
  await page.evaluate("import('/vitrine/vitrine.js').then(({ cart }) => cart.refresh())");
  await Promise.all([page.waitForURL("**/checkout/*"), page.mouse.up()]);
  await page.goBack();
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).getByText("$296.00").first().waitFor();
  await close();
});

test('a quantity above stock typed just before "Check out" stays on the page and is reported', async () => {
  const { page, close } = await addRaincoat(demo);
  await quantity(drawer(page)).fill("5000");
  await drawer(page).getByRole("link", { name: "Check out" }).click();
  await drawer(page).locator("[data-line-message]").filter({ hasText: /\S/ }).waitFor();
  assert.match(page.url(), /raincoat$/);
  const current = await quantity(drawer(page)).inputValue();
  await drawer(page).getByRole("link", { name: "Check out" }).click();
  await page.waitForURL("**/checkout/*");
  assert.match(await page.locator(".lines--summary").innerText(), new RegExp(`Quantity: ${current}\\b`));
  await close();
});

test('a note typed just before "Check out" belongs to the order', async () => {
  const { page, close } = await addRaincoat(demo);
  await page.goto("/cart");
  await page.route("**/cart/update**", async (route) => {
    await page.waitForTimeout(800);
    await route.continue();
  });
  await page.locator("main summary", { hasText: /note/i }).click();
  await page.locator("#note-page").fill("Ring twice");
  await page.getByRole("main").getByRole("link", { name: "Check out" }).click();
  await page.waitForURL("**/checkout/*");
  assert.equal(
    await page.evaluate("fetch('/cart.js').then((answer) => answer.json()).then(({ note }) => note)"),
    "Ring twice",
  );
  await close();
});

test("a quantity typed just before leaving the page is sent", async () => {
  const { page, close } = await addRaincoat(demo);
  await quantity(drawer(page)).fill("3");
  await page.goto("/products/rain-gauge");
  await page.waitForFunction(
    "fetch('/cart.js').then((answer) => answer.json()).then(({ item_count }) => item_count === 3)",
  );
  await close();
});

test('without scripts "Check out" orders the quantities in the fields', async () => {
  const { page, close } = await demo.open("/products/raincoat", { javaScriptEnabled: false });
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await page.waitForURL("**/cart");
  const main = page.getByRole("main");
  assert.equal(await main.getByRole("link", { name: "Check out" }).isVisible(), false);
  await quantity(main).fill("4");
  await main.getByRole("button", { name: "Check out" }).click();
  await page.waitForURL("**/checkout/*");
  assert.match(await page.locator(".lines--summary").innerText(), /Quantity: 4/);
  await close();
});
