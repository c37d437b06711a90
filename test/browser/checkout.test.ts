import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedDemo } from "../support/browser.ts";
import { fillOrderForm } from "../support/checkout-page.ts";
import { openByEnter, tabToElement } from "../support/keyboard.ts";

const demo = await sharedDemo();

/** Folder for screenshots of the pages. If undefined, none are saved. */
const screenshots = process.env.VITRINE_PICTURES;

const languages = [
  ["", "en", 1280],
  ["/fr", "fr", 1280],
  ["/ja", "ja", 360],
  ["/ar", "ar", 360],
] as const;

for (const [prefix, locale, width] of languages) {
  test(`an order is placed from the product page to the confirmation, by keyboard and without JavaScript, in ${locale}`, async () => {
    const size = { viewport: { width, height: 900 } };
    const { page, close } = await demo.open(`${prefix}/products/raincoat`, { javaScriptEnabled: false, ...size });
    const takeScreenshot = async (name: string): Promise<void> => {
      if (screenshots !== undefined)
        await page.screenshot({ path: `${screenshots}/${name}-${locale}-${width}.png`, fullPage: true });
    };
    await page
      .locator("product-form button[type=submit], form[action$='/cart/add'] button[type=submit]")
      .first()
      .focus();
    await openByEnter(page);
    await page.goto(`${prefix}/cart`);
    await page.locator("main button[name=checkout]").focus();
    await openByEnter(page);
    await takeScreenshot("checkout");
    // The first attempt omits a field, whose error appears next to it.
    await tabToElement(page, "#order-email");
    await page.keyboard.type("ada@example");
    await openByEnter(page);
    assert.equal(await page.locator("#order-email").getAttribute("aria-invalid"), "true");
    await takeScreenshot("checkout-field-errors");
    await tabToElement(page, "#order-email");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("ada@example.com");
    for (const [field, text] of [
      ["name", "Ada Quay"],
      ["address1", "Pier 1"],
      ["zip", locale === "ja" ? "100-0001" : "20457"],
      ["city", "Hamburg"],
    ] as const) {
      await tabToElement(page, `#order-${field}`);
      await page.keyboard.type(text);
    }
    // Addresses in France have no state. Elsewhere it is a select element.
    if (locale === "fr") assert.equal(await page.locator("#order-province").count(), 0);
    else {
      await tabToElement(page, "#order-province");
      await page.keyboard.press("ArrowDown");
    }
    await tabToElement(page, "input[name=shipping]");
    await page.keyboard.press("Space");
    await tabToElement(page, ".order-form > button.button");
    await openByEnter(page);
    assert.match(page.url(), /\/orders\/.*thank_you=true$/);
    assert.match(await page.locator("main").innerText(), /#10\d\d[\s\S]*Ada Quay/);
    await takeScreenshot("order");
    await close({ failures: [/400/] });
  });
}

test("the form keeps the address while the shopper returns to the cart, until the order", async () => {
  const { page, close } = await demo.open("/products/rain-gauge", { viewport: { width: 390, height: 900 } });
  const values = (): Promise<readonly string[]> =>
    page
      .locator("#checkout_form [id^=order-]:is(input, select)")
      .evaluateAll((fields) => fields.map(({ value }) => value));
  const isAdded = page.waitForResponse("**/cart/add.js");
  await page.locator("[data-add-button]").click();
  await isAdded;
  await page.goto("/checkout");
  const emptyValues = await values();
  await fillOrderForm(page, "97201");
  const enteredValues = await values();
  await page.goto("/cart");
  await page.goto("/checkout");
  assert.deepEqual(await values(), enteredValues);
  await page.locator(".order-form > button.button").click();
  await page.waitForURL(/\/orders\//);
  await page.goto("/products/rain-gauge");
  await page.getByRole("button", { name: "Buy now" }).click();
  await page.waitForURL("**/checkout/*");
  assert.deepEqual(await values(), emptyValues);
  await close();
});

for (const width of [390, 1440])
  test(`the summary has the cost of the chosen shipping method at ${width} px`, async () => {
    const { page, close } = await demo.open("/products/rain-gauge", { viewport: { width, height: 900 } });
    await page.getByRole("button", { name: "Buy now" }).click();
    await page.waitForURL("**/checkout/*");
    const total = page.locator(".checkout__sum .totals__total dd").filter({ visible: true });
    assert.deepEqual(await total.allInnerTexts(), ["$42.00"]);
    await page.getByRole("radio", { name: /Express/ }).check();
    assert.deepEqual(await total.allInnerTexts(), ["$54.00"]);
    if (screenshots !== undefined)
      await page.screenshot({ path: `${screenshots}/summary-${width}.png`, fullPage: true });
    await page.reload();
    assert.equal((await total.allInnerTexts()).length, 1);
    await page.locator(".order-form > button.button").click();
    await page.locator("#order-email[aria-invalid]:focus").waitFor();
    if (screenshots !== undefined)
      await page.screenshot({ path: `${screenshots}/errors-${width}.png`, fullPage: true });
    await close({ failures: [/400/] });
  });
