import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchBrowser, sharedDemo, startDemo } from "../support/browser.ts";
import { createVisits } from "../support/visits.ts";

// The switch adds `navigator.modelContext`, and `navigator.modelContextTesting` for calls.
const browser = await launchBrowser("--enable-features=WebMCPTesting");
const open = createVisits(browser, (await sharedDemo()).origin);
const foreignDemo = await startDemo(fileURLToPath(new URL("../fixtures/foreign-theme", import.meta.url)));
after(async () => {
  await browser.close();
  await foreignDemo.close();
});

/** Waits until the page has registered all tools. */
function awaitTools(page: Page): Promise<unknown> {
  return page.waitForFunction("navigator.modelContextTesting.listTools().length === 5");
}

/** Calls a tool as the browser's agent does, and returns its result. */
async function callTool<Result>(page: Page, name: string, input: object): Promise<Result> {
  const call = `navigator.modelContextTesting.executeTool("${name}", ${JSON.stringify(JSON.stringify(input))})`;
  return JSON.parse(await page.evaluate<string>(call)) as Result;
}

interface ToolCart {
  readonly item_count: number;
  readonly total_price: number;
  readonly currency: string;
  readonly items: readonly { readonly key: string; readonly title: string; readonly quantity: number }[];
}

interface ToolProducts {
  readonly products: readonly { readonly url: string; readonly variants: readonly { readonly id: number }[] }[];
}

test("an agent in the browser searches, changes the visible cart, and opens the checkout", async () => {
  const { page, close } = await open("/products/rain-cape");
  await awaitTools(page);
  const tools = await page.evaluate<readonly { name: string; description: string; inputSchema: string }[]>(
    "navigator.modelContextTesting.listTools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))",
  );
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    "add_to_cart",
    "get_cart",
    "go_to_checkout",
    "search_products",
    "update_cart_line",
  ]);
  for (const { description, inputSchema } of tools) {
    assert.match(description, /\.$/);
    assert.equal((JSON.parse(inputSchema) as { readonly type: string }).type, "object");
  }
  const { products } = await callTool<ToolProducts>(page, "search_products", { query: "rian cape" });
  assert.equal(new URL(products[0]?.url ?? "").pathname, "/products/rain-cape");
  const variant_id = products[0]?.variants[0]?.id;
  const cart = await callTool<ToolCart>(page, "add_to_cart", { variant_id, quantity: 2 });
  assert.deepEqual([cart.item_count, cart.total_price, cart.currency], [2, 19_200, "USD"]);
  await page.locator("#store-section-cart-icon-bubble", { hasText: "2" }).waitFor();
  const [line] = cart.items;
  const changed = await callTool<ToolCart>(page, "update_cart_line", { key: line?.key, quantity: 1 });
  assert.equal(changed.items[0]?.quantity, 1);
  assert.deepEqual(await callTool(page, "get_cart", {}), changed);
  const { url } = await callTool<{ readonly url: string }>(page, "go_to_checkout", {});
  assert.equal(new URL(url).pathname, "/checkout");
  await page.waitForURL("**/checkout/*");
  await page.getByRole("heading", { level: 1, name: "Checkout" }).waitFor();
  await close();
});

test("an agent receives errors of the shop as results", async () => {
  const { page, close } = await open("/");
  await awaitTools(page);
  const results = [
    await callTool<{ readonly error: string }>(page, "add_to_cart", { variant_id: "unknown" }),
    await callTool<{ readonly error: string }>(page, "update_cart_line", { key: "unknown", quantity: 1 }),
    await callTool<{ readonly error: string }>(page, "go_to_checkout", {}),
  ];
  assert.deepEqual(
    results.map(({ error }) => error),
    ["validation_failed", "validation_failed", "failed"],
  );
  await close({ failures: [/400/] });
});

test("the tools are registered at document.modelContext, where the draft has it", async () => {
  const { page, close } = await open("/robots.txt");
  await page.addInitScript(`
    Object.defineProperty(document, "modelContext", { value: navigator.modelContext });
    Object.defineProperty(Navigator.prototype, "modelContext", { value: undefined });`);
  await page.goto("/");
  await awaitTools(page);
  await close();
});

test("in a theme made for Shopify, an agent changes the cart by the standard actions", async () => {
  const visit = await createVisits(browser, foreignDemo.origin)("/products/raincoat");
  const { page } = visit;
  await awaitTools(page);
  const eventName = "shopify:cart:lines-update";
  await page.evaluate(
    `document.addEventListener("${eventName}", () => sessionStorage.setItem("event", "${eventName}"))`,
  );
  const reload = page.waitForEvent("load");
  const cart = await callTool<ToolCart>(page, "add_to_cart", { variant_id: 101, quantity: 2 });
  assert.equal(cart.item_count, 2);
  await reload;
  assert.equal(await page.evaluate("sessionStorage.getItem('event')"), eventName);
  await page.locator("#cart-count", { hasText: "2" }).waitFor();
  await awaitTools(page);
  const secondReload = page.waitForEvent("load");
  const [line] = cart.items;
  assert.equal((await callTool<ToolCart>(page, "update_cart_line", { key: line?.key, quantity: 0 })).item_count, 0);
  await secondReload;
  await visit.close();
});
