import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startDemo } from "../support/browser.ts";

const demo = await startDemo(undefined, { config: { locales: { default: "en", others: ["fa", "bn"] } } });
after(() => demo.close());

for (const locale of ["fa", "bn"])
  test(`amounts computed by the page equal the server's, in the digits of ${locale}`, async () => {
    const { page, close } = await demo.open(`/${locale}/products/raincoat`);
    // The default theme has no texts in these languages.
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    await page.locator("[data-add-button]").click();
    const line = page.locator("dialog .line");
    const price = line.locator("[data-line-price]");
    await price.waitFor();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/cart/change**", async (route) => {
      await held;
      await route.continue();
    });
    const priceText = await price.innerText();
    await line.locator("[data-step='1']").click();
    await page.waitForFunction(
      `document.querySelector("dialog [data-line-price]").textContent !== ${JSON.stringify(priceText)}`,
    );
    const computed = await price.innerText();
    answer();
    await page.locator("dialog .line[data-quantity='2']").waitFor();
    assert.equal(computed, await price.innerText());
    await close();
  });
