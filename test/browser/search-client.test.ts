import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { run as runTokenCommand } from "../../src/cli/commands/token.ts";
import { startDemo } from "../support/browser.ts";

/** Server of the front ends, which is another origin than the shop. */
const frontEnd = createServer(async ({ url = "" }, response) => {
  const file = new URL(`../../examples/instantsearch${url.split("?")[0]}`, import.meta.url);
  response.setHeader("content-type", "text/html").end(await readFile(file));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => frontEnd.once("listening", resolve));
after(() => frontEnd.close());
const frontEndOrigin = `http://127.0.0.1:${(frontEnd.address() as AddressInfo).port}`;
const demo = await startDemo(undefined, { config: { search: { origins: [frontEndOrigin] } } });
after(() => demo.close());

async function createKey(...args: readonly string[]): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  await runTokenCommand(["search-key", ...args], { cwd: demo.storeDir, stdout, stderr, env: {}, program: "vitrine" });
  stdout.end();
  return (await text(stdout)).trim();
}

/** Style sheet that replaces those of the libraries. Autocomplete reads the variable: below this width, it is a dialog. */
const styles = ":root { --aa-detached-media-query: (max-width: 680px) }";

/** Opens a front end. The libraries come from npm instead of a CDN. */
async function open(file: string, key: string) {
  const { page, close } = await demo.open("/robots.txt");
  await page.route("https://cdn.jsdelivr.net/**", async (route) => {
    const [, path = ""] = /\/npm\/(.*)/.exec(route.request().url()) ?? [];
    const library = new URL(`../../node_modules/${path.replace(/@[\d.]+\//, "/")}`, import.meta.url);
    if (path.endsWith(".css")) return route.fulfill({ contentType: "text/css", body: styles });
    return route.fulfill({ contentType: "text/javascript", path: fileURLToPath(library) });
  });
  await page.goto(`${frontEndOrigin}/${file}?${new URLSearchParams({ shop: demo.origin, key })}`);
  return { page, close };
}

const hitsOf = (page: Page): Locator => page.locator(".ais-Hits-item");

test("InstantSearch on another origin searches, filters, sorts, and turns pages", async () => {
  const { page, close } = await open("index.html", await createKey());
  await hitsOf(page).first().waitFor();
  assert.equal(await hitsOf(page).count(), 8);
  const productCount = Number.parseInt(await page.locator("#stats").innerText(), 10);
  await page.getByPlaceholder("Search products").fill("rain");
  const mark = hitsOf(page).locator("mark").first();
  await mark.waitFor();
  assert.equal((await mark.innerText()).toLowerCase(), "rain");
  const image = await hitsOf(page).first().locator("img").getAttribute("src");
  assert.ok(image?.startsWith(`${demo.origin}/media/`), String(image));
  const total = Number.parseInt(await page.locator("#stats").innerText(), 10);
  const firstBrand = page.locator("#brands li").first();
  const brandCount = Number(await firstBrand.locator(".ais-RefinementList-count").innerText());
  assert.ok(brandCount > 0 && brandCount < total, `${brandCount} of ${total}`);
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/search.json")) requests.push(request.url());
  });
  await firstBrand.locator("input").check();
  await page.getByText(new RegExp(`^${brandCount} results? found`)).waitFor();
  assert.equal(requests.length, 1, "one request for the results and the counts without the selection");
  // Other brands remain selectable, with their counts.
  assert.ok((await page.locator("#brands li").count()) > 1);
  await page.getByRole("button", { name: "Clear refinements" }).click();
  await page.getByText(new RegExp(`^${total} results? found`)).waitFor();
  await page.locator("#sort select").selectOption("product:price-ascending");
  await page.waitForFunction(`(() => {
    const prices = [...document.querySelectorAll(".ais-Hits-item p")].map((price) => Number(price.textContent));
    return prices.length > 1 && prices.every((price, index) => index === 0 || price >= prices[index - 1]);
  })()`);
  await page.locator("#price input").nth(1).fill("50");
  await page.locator("#price").getByRole("button").click();
  await page.getByRole("button", { name: "Clear refinements" }).and(page.locator(":enabled")).waitFor();
  await page.waitForFunction(
    `[...document.querySelectorAll(".ais-Hits-item p")].every((price) => Number(price.textContent) <= 50)`,
  );
  await page.getByPlaceholder("Search products").fill("");
  await page.getByRole("button", { name: "Clear refinements" }).click();
  await page.getByText(new RegExp(`^${productCount} results found`)).waitFor();
  const pageOne = await hitsOf(page).allInnerTexts();
  await page.getByRole("link", { name: "Page 2" }).click();
  await page.locator(".ais-Pagination-item--selected", { hasText: "2" }).waitFor();
  // InstantSearch selects the page before the response arrives, and the response empties the search box of a filter.
  for (const title of pageOne)
    await hitsOf(page)
      .getByText(title.split("\n")[0] ?? "", { exact: true })
      .waitFor({ state: "detached" });
  await page.locator("#brands").getByRole("searchbox").fill("zzz");
  await page.getByText("No results").waitFor();
  await close();
});

test("a list with the operator and narrows its own values", async () => {
  const { page, close } = await open("index.html", await createKey());
  const tags = page.locator("#tags li");
  const readCounts = async (): Promise<readonly number[]> =>
    (await tags.locator(".ais-RefinementList-count").allInnerTexts()).map(Number);
  await tags.first().waitFor();
  const [firstCount = 0] = await readCounts();
  await tags.first().locator("input").check();
  await page.getByText(new RegExp(`^${firstCount} results? found`)).waitFor();
  const counts = await readCounts();
  assert.equal(Math.max(...counts), firstCount, "no value has more products than the result");
  const [, secondCount = 0] = counts;
  await tags.nth(1).locator("input").check();
  await page.getByText(new RegExp(`^${secondCount} results? found`)).waitFor();
  await close();
});

test("the filters of a key limit a front end", async () => {
  const { page, close } = await open("index.html", await createKey("--filters", "filter.p.vendor=Lamp Row"));
  await hitsOf(page).first().waitFor();
  assert.deepEqual(await page.locator("#brands .ais-RefinementList-labelText").allInnerTexts(), ["Lamp Row"]);
  await close();
});

test("Autocomplete on another origin shows queries, products and pages while typing", async () => {
  const { page, close } = await open("autocomplete.html", await createKey());
  await page.getByPlaceholder("Search products").fill("rainc");
  const products = page.locator("[data-autocomplete-source-id=product] li");
  await products.first().waitFor();
  assert.equal(
    await products
      .filter({ hasText: /^Raincoat$/ })
      .locator("mark")
      .innerText(),
    "Rainc",
  );
  assert.ok((await page.locator("[data-autocomplete-source-id=query] li").count()) > 0);
  const href = await products.first().locator("a").getAttribute("href");
  assert.ok(href?.startsWith(`${demo.origin}/products/`), String(href));
  await close();
});
