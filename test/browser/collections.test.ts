import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { sharedDemo } from "../support/browser.ts";

const demo = await sharedDemo();

const titles = (page: Page): Promise<string[]> => page.locator("main .grid .card__title").allInnerTexts();
const count = (page: Page, text: string): Locator => page.locator("[data-count]").getByText(text, { exact: true });

test("filters narrow a collection without leaving the page, and the back button and the chips remove them", async () => {
  const { page, close } = await demo.open("/collections/rainwear");
  await page.locator("summary", { hasText: "Vendor" }).click();
  await page.getByRole("checkbox", { name: /^Cobb Shoemakers/ }).check();
  await count(page, "1 of 12 products").waitFor();
  assert.deepEqual(await titles(page), ["Rain Boots"]);
  assert.match(page.url(), /filter\.p\.vendor=Cobb\+Shoemakers/);
  await page.getByRole("link", { name: "Remove filter Cobb Shoemakers" }).click();
  await count(page, "12 products").waitFor();
  await page.goBack();
  await count(page, "1 of 12 products").waitFor();
  await page.goBack();
  await count(page, "12 products").waitFor();
  await close();
});

test("price filters and sort order combine, and a reload preserves them", async () => {
  const { page, close } = await demo.open("/collections/rainwear");
  await page.getByText("Price", { exact: true }).click();
  await page.getByLabel("To", { exact: true }).fill("60");
  await page.getByLabel("To", { exact: true }).press("Enter");
  await page.getByRole("link", { name: "Remove filter To $60.00" }).waitFor();
  await page.getByLabel("Sort by").selectOption("price-descending");
  await page.waitForURL("**sort_by=price-descending**");
  await page.waitForFunction("document.querySelector('main .card__title')?.textContent.trim() === 'Harbour Umbrella'");
  const listedTitles = await titles(page);
  await page.reload();
  assert.deepEqual(await titles(page), listedTitles);
  await page.getByText("Price", { exact: true }).first().click();
  await page.getByLabel("From").fill("9000");
  await page.getByLabel("From").press("Enter");
  await page.getByText("No products match these filters").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Clear all" }).last().click();
  await count(page, "12 products").waitFor();
  await close();
});

test("a sort order that fails to load leaves the list and the form unchanged and shows a message", async () => {
  const { page, close } = await demo.open("/collections/rainwear");
  const before = await titles(page);
  const order = page.getByLabel("Sort by");
  const initial = await order.inputValue();
  await page.context().setOffline(true);
  await order.selectOption("price-descending");
  await page.getByText("Couldn’t connect. Try again.").waitFor();
  assert.deepEqual(await titles(page), before);
  assert.equal(await order.inputValue(), initial);
  assert.match(page.url(), /rainwear$/);
  await page.context().setOffline(false);
  await page.route("**/collections/rainwear?*section_id*", (route) => route.fulfill({ status: 503 }), { times: 1 });
  await order.selectOption("price-descending");
  await page.getByText("Couldn’t connect. Try again.").waitFor();
  assert.deepEqual(await titles(page), before);
  await order.selectOption("price-descending");
  await page.waitForURL("**sort_by=price-descending**");
  assert.equal(await page.getByText("Couldn’t connect. Try again.").count(), 0);
  await close({ failures: [/ERR_INTERNET_DISCONNECTED/, /503/] });
});

test("a link to a fragment does not load the list", async () => {
  const { page, close } = await demo.open("/collections/rainwear");
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/collections/")) requests.push(request.url());
  });
  await page.evaluate("location.hash = 'content'");
  await page.evaluate("location.hash = 'footer'");
  await page.goBack();
  await page.waitForFunction("location.hash === '#content'");
  await page.waitForTimeout(300);
  assert.deepEqual(requests, []);
  await close();
});

test("without JavaScript the filters are a plain form", async () => {
  const { page, close } = await demo.open("/fr/collections/rainwear", { javaScriptEnabled: false });
  await page.getByText("Marque").click();
  await page.getByRole("checkbox", { name: /^Ansty Oilskins/ }).check();
  await page.getByRole("button", { name: "Appliquer" }).filter({ visible: true }).click();
  await page.getByText("9 produits sur 12").waitFor();
  await page.getByRole("link", { name: "Supprimer le filtre Ansty Oilskins" }).click();
  await page.getByText("12 produits", { exact: true }).waitFor();
  await close();
});

test("slow suggestions show a skeleton", async () => {
  const { page, close } = await demo.open("/");
  await page.route("**/search/suggest?*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue().catch(() => undefined);
  });
  await page.getByRole("combobox").fill("rai");
  await page.locator("[data-panel] .skeleton").first().waitFor();
  await page.getByRole("option", { name: /^Raincoat/ }).waitFor();
  assert.equal(await page.locator("[data-panel] .skeleton").count(), 0);
  await close();
});

test("an empty result links to collections, which are reachable by keyboard", async () => {
  const { page, close } = await demo.open("/");
  await page.getByRole("combobox").fill("zzqqxx");
  await page.getByText("No results for “zzqqxx”").waitFor();
  await page.keyboard.press("ArrowDown");
  await Promise.all([page.waitForURL("**/collections/rainwear"), page.keyboard.press("Enter")]);
  await page.goto("/search?q=zzqqxx");
  await page.getByRole("main").getByRole("link", { name: "Knitwear" }).waitFor();
  assert.equal((await titles(page)).length, 4);
  await close();
});

test("sold-out products can be hidden, and the home page lists every collection", async () => {
  const { page, close } = await demo.open("/collections/rainwear?filter.v.availability=1");
  assert.ok(!(await titles(page)).includes("Storm Smock"));
  await page.goto("/");
  for (const name of ["Wet Weather Set", "Tea on the Quay", "Lantern Walk Kit", "Sunday Mending Box"])
    await page.getByRole("main").getByRole("link", { name }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Regatta Picnic" }).count(), 0);
  await close();
});

test("a placeholder replaces images that fail to load, on the first page and on later ones", async () => {
  const { page, close } = await demo.open("about:blank");
  await page.route("**/media/**", (route) => route.abort());
  await page.goto("/collections/rainwear");
  const placeholders = page.locator("main img.stand-in");
  await placeholders.first().waitFor();
  await page.getByLabel("Sort by").selectOption("price-descending");
  await page.waitForURL("**sort_by=price-descending**");
  await page.locator("main img").first().and(placeholders).waitFor();
  const width = await placeholders
    .first()
    .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
  assert.equal(width, 200);
  await close({ failures: [/Failed to load resource/] });
});
