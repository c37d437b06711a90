import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedDemo } from "../support/browser.ts";

const demo = await sharedDemo();

/** Where pictures of the pages are put, for who wants to look at them. */
const pictures = process.env.VITRINE_PICTURES;

const languages = [
  ["", "en", 1280],
  ["/fr", "fr", 1280],
  ["/ja", "ja", 360],
  ["/ar", "ar", 360],
] as const;

for (const [prefix, locale, width] of languages) {
  test(`an order is placed from product to thanks, by keyboard alone and without a script, in ${locale}`, async () => {
    const size = { viewport: { width, height: 900 } };
    const { page, close } = await demo.open(`${prefix}/products/raincoat`, { javaScriptEnabled: false, ...size });
    const picture = async (name: string): Promise<void> => {
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${name}-${locale}-${width}.png`, fullPage: true });
    };
    const enter = async (): Promise<void> => {
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    };
    await page
      .locator("product-form button[type=submit], form[action$='/cart/add'] button[type=submit]")
      .first()
      .focus();
    await enter();
    await page.goto(`${prefix}/cart`);
    await page.locator("main a[href$='/checkout']").focus();
    await enter();
    await picture("checkout");
    const tabTo = async (selector: string): Promise<void> => {
      const wanted = page.locator(selector).first();
      for (let times = 0; times < 60; times += 1) {
        if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`no Tab leads to ${selector}`);
    };
    // First with something missing, which is told where it is missing.
    await tabTo("#order-email");
    await page.keyboard.type("ada@example");
    await enter();
    assert.equal(await page.locator("#order-email").getAttribute("aria-invalid"), "true");
    await picture("checkout-faults");
    await tabTo("#order-email");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("ada@example.com");
    for (const [field, text] of [
      ["name", "Ada Quay"],
      ["address1", "Pier 1"],
      ["zip", "20457"],
      ["city", "Hamburg"],
    ] as const) {
      await tabTo(`#order-${field}`);
      await page.keyboard.type(text);
    }
    await tabTo("input[name=shipping]");
    await page.keyboard.press("Space");
    await tabTo(".order-form > button.button");
    await enter();
    assert.match(page.url(), /\/orders\/.*thank_you=true$/);
    assert.match(await page.locator("main").innerText(), /#10\d\d[\s\S]*Ada Quay/);
    await picture("order");
    await close({ failures: [/400/] });
  });
}
