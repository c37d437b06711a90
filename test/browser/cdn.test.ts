import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startDemo } from "../support/browser.ts";
import { startCdn } from "../support/cdn.ts";

const cdn = await startCdn();
const demo = await startDemo(undefined, { config: { origin: cdn.origin, cdn: {} } });
cdn.target = demo.origin;
after(async () => {
  await demo.close();
  await cdn.close();
});

for (const javaScriptEnabled of [true, false])
  test(`a page from a CDN adds to the cart ${javaScriptEnabled ? "with" : "without"} scripts, and then shows the cart`, async () => {
    const url = `${cdn.origin}/products/raincoat`;
    await (await demo.open(url, { javaScriptEnabled })).close();
    const hits = cdn.hitCount;
    const { page, close } = await demo.open(url, { javaScriptEnabled });
    assert.ok(cdn.hitCount > hits, "the page comes from the cache");
    assert.deepEqual(await page.context().cookies(), []);
    await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
    if (javaScriptEnabled) await page.getByRole("dialog", { name: "Cart" }).waitFor();
    else await page.waitForURL("**/cart");
    await page.goto(url);
    await page.getByRole("link", { name: /^Cart, 1 item/ }).waitFor();
    await close();
    const other = await demo.open(url, { javaScriptEnabled });
    await other.page.getByRole("link", { name: /^Cart, 0 items|^Cart$/ }).waitFor();
    await other.close();
  });
