import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { sharedDemo } from "../support/browser.ts";
import { addRaincoat, drawer, quantity } from "../support/cart-drawer.ts";
import { send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";

const demo = await sharedDemo();

const linePrice = (place: Locator): Locator => place.locator("[data-line-price]");

test("a quantity change shows its price before the response", async () => {
  const { page, close } = await addRaincoat(demo);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/cart/change**", async (route) => {
    await held;
    await route.continue();
  });
  await drawer(page).getByRole("button", { name: "Increase quantity for Raincoat" }).click();
  await linePrice(drawer(page)).filter({ hasText: "$296.00" }).waitFor();
  assert.equal(await page.locator(".bubble").innerText(), "2");
  assert.equal(await drawer(page).locator(".totals__total dd").first().innerText(), "$148.00");
  release();
  await drawer(page).locator(".totals__total dd").filter({ hasText: "$296.00" }).first().waitFor();
  await close();
});

test("a rejected quantity is reverted with a message", async () => {
  const { page, close } = await addRaincoat(demo);
  await page.route(/\/cart(\/change|\.js)/, (route) => route.abort());
  await drawer(page).getByRole("button", { name: "Increase quantity for Raincoat" }).click();
  await drawer(page).getByText("Couldn’t connect. Try again.").waitFor();
  assert.equal(await quantity(drawer(page)).inputValue(), "1");
  assert.equal(await linePrice(drawer(page)).innerText(), "$148.00");
  assert.equal(await page.locator(".bubble").innerText(), "1");
  await drawer(page).getByRole("button", { name: "Remove Raincoat" }).click();
  await page.locator(".line[data-leaving]").waitFor();
  await page.locator(".line[data-leaving]").waitFor({ state: "detached" });
  assert.equal(await drawer(page).locator(".line").count(), 1);
  await close({ failures: [/ERR_FAILED/] });
});

test("a removed line can be restored unchanged", async () => {
  const { page, close } = await addRaincoat(demo);
  await quantity(drawer(page)).fill("3");
  await quantity(drawer(page)).press("Tab");
  await drawer(page).locator(".totals__total dd").filter({ hasText: "$421.80" }).first().waitFor();
  await drawer(page).getByRole("button", { name: "Remove Raincoat" }).click();
  await drawer(page).getByText("Raincoat was removed").waitFor();
  await drawer(page).getByText("Your cart is empty").waitFor();
  await drawer(page).getByRole("button", { name: "Undo" }).click();
  await drawer(page).locator(".totals__total dd").filter({ hasText: "$421.80" }).first().waitFor();
  assert.equal(await quantity(drawer(page)).inputValue(), "3");
  assert.equal(await drawer(page).getByRole("button", { name: "Undo" }).count(), 0);
  await close();
});

test("the message about a removal shows the product title, with any characters", async () => {
  const { page, close } = await addRaincoat(demo);
  await page.evaluate(`document.querySelector("dialog .line").dataset.title = "Coat $& $' $1"`);
  await drawer(page).getByRole("button", { name: "Remove Raincoat" }).click();
  await drawer(page).getByText("Coat $& $' $1 was removed", { exact: true }).waitFor();
  await close();
});

test("the back button shows the current cart", async () => {
  const { page, close } = await addRaincoat(demo);
  await page.goto("/cart");
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Increase quantity for Raincoat" }).waitFor();
  await page.goto("/products/rain-gauge");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).getByText("Rain Gauge").first().waitFor();
  await page.goBack();
  await main.getByText("Rain Gauge").first().waitFor();
  await page.getByRole("link", { name: /^Cart, 2 items/ }).waitFor();
  await close();
});

test("another tab shows the current cart", async () => {
  const { page, close } = await addRaincoat(demo);
  const otherPage = await page.context().newPage();
  await otherPage.goto(`${demo.origin}/products/rain-gauge`);
  await otherPage.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(otherPage).getByText("Rain Gauge").first().waitFor();
  await drawer(page).getByText("Rain Gauge").first().waitFor();
  await close();
});

test("a change in another tab is shown during a change in this one", async () => {
  const { page, close } = await addRaincoat(demo);
  const otherPage = await page.context().newPage();
  await otherPage.goto(`${demo.origin}/products/rain-gauge`);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/cart/change**", async (route) => {
    // The server applies this write before the change in the other tab, but responds after it.
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await drawer(page).getByRole("button", { name: "Increase quantity for Raincoat" }).click();
  await page.locator(".line[aria-busy]").waitFor();
  await otherPage.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(otherPage).getByText("Rain Gauge").first().waitFor();
  await page.bringToFront();
  release();
  await drawer(page).getByText("Rain Gauge").first().waitFor();
  assert.equal(await quantity(drawer(page)).first().inputValue(), "2");
  await close();
});

test("plus followed by remove is one change, which can be undone", async () => {
  const { page, close } = await addRaincoat(demo);
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/cart/change")) changes.push(request.postData() ?? "");
  });
  // Both clicks happen before the first request is sent.
  await page.evaluate(`
    document.querySelector("dialog .line [data-step='1']").click();
    document.querySelector("dialog [data-remove]").click();
  `);
  await drawer(page).getByText("Raincoat was removed").waitFor();
  await page.waitForTimeout(500);
  assert.deepEqual(
    changes.map((body) => (JSON.parse(body) as { quantity: unknown }).quantity),
    [0],
  );
  await drawer(page).getByRole("button", { name: "Undo" }).click();
  await drawer(page).getByText("$148.00").first().waitFor();
  await close();
});

test("a page from the back-forward cache updates its cart", async () => {
  // Otherwise, the event stream of the cart might report the change, too.
  const { page, close } = await addRaincoat(demo, "delete globalThis.EventSource");
  // This request bypasses the page's client, which would emit an event.
  await page.evaluate(
    `fetch("/cart/add.js", { method: "POST", headers: { "content-type": "application/json", "x-csrf-token": document.querySelector("meta[name=csrf-token]").content }, body: '{"id":601}' })`,
  );
  assert.equal(await drawer(page).locator(".line").count(), 1);
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
  await drawer(page).locator(".line").nth(1).waitFor();
  await close();
});

test("layout shift is 0 while pages load and the drawer opens", async () => {
  const { page, close } = await demo.open("/", { viewport: { width: 1_440, height: 900 }, isFirst: true });
  const watch =
    "window.shifted = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value }).observe({ type: 'layout-shift', buffered: true })";
  for (const path of ["/", "/collections/rainwear", "/products/raincoat", "/search?q=rain", "/cart"]) {
    await page.goto(path);
    await page.evaluate(watch);
    await page.waitForLoadState("networkidle");
    if (path.startsWith("/products")) {
      await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
      await drawer(page).getByText("$148.00").first().waitFor();
    }
    assert.equal(await page.evaluate("window.shifted"), 0, path);
  }
  await close();
});

test("changed prices and changes on other devices appear in the drawer and on the cart page", async (t) => {
  const token = await createApiToken(demo, "catalog:write");
  const { page, close } = await addRaincoat(demo);
  const setPrice = async (price: number): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
    const patch = { kind: "product", handle: "raincoat", variants: [{ id: 101, price }] };
    const reply = await send(demo.origin, "POST", "/admin/catalog", { headers, body: JSON.stringify({ patch }) });
    assert.equal(reply.status, 200, reply.text);
  };
  t.after(() => setPrice(14_800));
  await setPrice(15_900);
  await drawer(page).locator(".totals__total dd").filter({ hasText: "$159.00" }).first().waitFor();
  await page.goto("/cart");
  const total = page.getByRole("main").locator(".totals__total dd").first();
  await total.filter({ hasText: "$159.00" }).waitFor();
  // This request bypasses the page's client, which would emit an event.
  await page.evaluate(
    `fetch("/cart/add.js", { method: "POST", headers: { "content-type": "application/json", "x-csrf-token": document.querySelector("meta[name=csrf-token]").content }, body: '{"id":101}' })`,
  );
  // The total is twice 159.00, minus the automatic 5 % discount for orders from 300.00.
  await total.filter({ hasText: "$302.10" }).waitFor();
  await setPrice(14_800);
  await total.filter({ hasText: "$296.00" }).waitFor();
  await close();
});

test("without a free stream the cart is read when the page becomes visible", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await page.route("**/cart/events", (route) => route.fulfill({ status: 503, headers: { "retry-after": "60" } }));
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await drawer(page).getByText("$148.00").first().waitFor();
  await page.goto("/cart");
  await page.waitForLoadState("networkidle");
  await page.evaluate(
    `fetch("/cart/add.js", { method: "POST", headers: { "content-type": "application/json", "x-csrf-token": document.querySelector("meta[name=csrf-token]").content }, body: '{"id":101}' })`,
  );
  const total = page.getByRole("main").locator(".totals__total dd").first();
  assert.equal(await total.innerText(), "$148.00");
  for (const isHidden of [true, false]) {
    await page.evaluate(
      `Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} }); document.dispatchEvent(new Event("visibilitychange"))`,
    );
  }
  await total.filter({ hasText: "$296.00" }).waitFor();
  await close({ failures: [/503/] });
});

test("a nested line is removed with its parent at once, and undo adds both again", async () => {
  const { page, close } = await addRaincoat(demo);
  await page.evaluate(
    "import('/vitrine/vitrine.js').then(({ cart }) => cart.get().then(({ items: [{ key }] }) => cart.add({ id: 1201, parent_line_key: key })))",
  );
  const lines = drawer(page).locator(".line");
  await lines.nth(1).waitFor();
  assert.match((await lines.nth(1).getAttribute("class")) ?? "", /line--nested/);
  assert.match(await lines.nth(1).innerText(), /Belongs to: Raincoat/);
  await drawer(page)
    .getByRole("button", { name: /^Remove Raincoat/ })
    .click();
  await drawer(page).getByText("Your cart is empty").waitFor();
  await drawer(page).getByRole("button", { name: "Undo" }).click();
  await lines.nth(1).waitFor();
  assert.match((await lines.nth(1).getAttribute("class")) ?? "", /line--nested/);
  await close();
});

test("the error of an item that sold out on an open page links to a similar item", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await page.getByRole("radio", { name: "XL", exact: true }).check();
  await page.getByRole("radio", { name: "Navy" }).check();
  const button = page.locator("product-form [data-add-button]");
  await button.evaluate((element) => element.removeAttribute("disabled"));
  await button.click();
  const message = page.locator("product-form [data-message]");
  await message.filter({ hasText: /Available instead: Raincoat - / }).waitFor();
  assert.match(String(await message.getByRole("link").getAttribute("href")), /^\/products\/raincoat\?variant=\d+$/);
  await close({ failures: [/422/] });
});
