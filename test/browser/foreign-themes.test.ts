import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startDemo } from "../support/browser.ts";
import { fillOrderForm } from "../support/checkout-page.ts";
import { runCommand } from "../support/command.ts";

const demo = await startDemo(fileURLToPath(new URL("../fixtures/foreign-theme", import.meta.url)));
after(() => demo.close());

test("with only compat, a foreign theme's scripts search, add, change and remove", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await page.getByRole("searchbox", { name: "Search" }).fill("rai");
  await page.getByRole("option", { name: /^Raincoat \$148\.00/ }).waitFor();
  await page.getByLabel("Quantity").fill("2");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.locator("#cart-count", { hasText: "2" }).waitFor();
  await page.goto("/cart");
  await page.getByLabel("Quantity").fill("1");
  await page.getByLabel("Quantity").press("Tab");
  await page.locator(".total", { hasText: "$148.00" }).waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Nothing yet").waitFor();
  assert.equal(await page.locator("#cart-count").innerText(), "0");
  await close();
});

test("plain forms and links of a foreign theme work without the token header", async () => {
  const { page, close } = await demo.open("/products/rain-gauge");
  await Promise.all([page.waitForURL("**/cart"), page.getByRole("button", { name: "Add plainly" }).click()]);
  await page.locator(".total", { hasText: "$36.00" }).waitFor();
  await page.evaluate("document.querySelector('[name=\"updates[]\"]').value = 3");
  await page.getByRole("button", { name: "Update" }).click();
  await page.locator(".total", { hasText: "$108.00" }).waitFor();
  await page.getByRole("link", { name: "Remove plainly" }).click();
  await page.getByText("Nothing yet").waitFor();
  await close();
});

test("a foreign form's express checkout button buys the form's product without the theme's script and cart", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const button = page.getByRole("button", { name: "Buy it now" });
  const form = await page.locator("form", { has: button }).boundingBox();
  assert.equal((await button.boundingBox())?.width, form?.width);
  await page.getByLabel("Quantity").fill("2");
  await button.click();
  await page.waitForURL("**/checkout/*");
  await page.getByText("$296.00").first().waitFor();
  await page.goto("/products/raincoat?variant=104");
  assert.equal(await page.locator("#cart-count").innerText(), "0");
  await page.getByLabel("Quantity").fill("9");
  await page.getByRole("button", { name: "Buy it now" }).click();
  await page.getByText(/Only \d+ of .* available/).waitFor();
  await close({ failures: [/422/] });
});

test("the express checkout button is hidden while the selected variant is sold out", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const button = page.getByRole("button", { name: "Buy it now" });
  const picker = page.getByLabel("Variant");
  await button.waitFor();
  await picker.selectOption("108");
  await button.waitFor({ state: "hidden" });
  await page.goto("/products/raincoat?variant=108");
  await button.waitFor({ state: "hidden" });
  assert.equal(await picker.inputValue(), "108");
  await picker.selectOption({ index: 0 });
  await button.waitFor();
  await page.evaluate(`(() => {
    const { elements } = document.getElementById("add");
    const id = Object.assign(document.createElement("input"), { type: "hidden", name: "id" });
    elements.id.replaceWith(id);
    id.value = "108";
  })()`);
  await button.waitFor({ state: "hidden" });
  await close();
});

test("a legacy XMLHttpRequest gets a token even if the browser has lost the cookie", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await page.evaluate(`document.cookie = "csrf_token=; Max-Age=0; path=/"`);
  const post = (path: string, body: string): Promise<unknown> =>
    page.evaluate(`new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open("POST", "${path}");
      request.onload = () => done(request.status);
      request.send(new URLSearchParams("${body}"));
    })`);
  assert.equal(await post("/cart/add.js", "id=101"), 200);
  assert.equal(await post("/cart/update.json", "note=Ring+twice"), 200);
  assert.equal(await post("/cart.js", "updates[]=2"), 200);
  await close();
});

test("an error response reaches the theme's script in the format it expects", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=104");
  await page.getByLabel("Quantity").fill("9");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  assert.equal(await page.locator("#cart-count").innerText(), "0");
  await close({ failures: [/422/] });
});

test("compat renews an expired token, sends it to this store's cart only, and provides the globals that themes read", async () => {
  const { page, close } = await demo.open("/fr/products/raincoat");
  const knownValues = await page.evaluate(
    "Shopify.analytics.publish('added', {}), Shopify.PaymentButton.init(), ({ root: Shopify.routes.root, currency: Shopify.currency.active, locale: Shopify.locale, money: [Shopify.formatMoney(123450, '{{amount}} EUR'), Shopify.formatMoney(123450, '{{ amount_with_comma_separator }} kr'), Shopify.formatMoney(123450, '{{amount_no_decimals}}'), Shopify.formatMoney('1234567.50', '{{amount_with_apostrophe_separator}}'), Shopify.formatMoney('123450', '{{amount_no_decimals_with_space_separator}}'), Shopify.formatMoney(undefined, '{{amount}}')] })",
  );
  assert.deepEqual(knownValues, {
    root: "/fr/",
    currency: "USD",
    locale: "fr",
    money: ["1,234.50 EUR", "1.234,50 kr", "1,235", "1\u2019234\u2019567.50", "1 235", "0.00"],
  });
  const features = `JSON.parse(document.getElementById("shopify-features").textContent)`;
  assert.deepEqual(await page.evaluate(features), { predictiveSearch: true, locale: "fr" });
  await page.context().clearCookies();
  const post = `fetch("/fr/cart/add.js", { method: "post", headers: { "content-type": "application/json" }, body: '{"id":104}' }).then((answer) => answer.status)`;
  assert.equal(await page.evaluate(post), 200);
  const headers: (string | undefined)[] = [];
  await page.route("**/other/**", (route) => {
    headers.push(route.request().headers()["x-csrf-token"]);
    return route.fulfill({ body: "" });
  });
  await page.evaluate(`fetch("/other/cart", { method: "POST" }).then(() => fetch("/other/cart/add.js"))`);
  assert.deepEqual(headers, [undefined, undefined]);
  await close({ failures: [/403/] });
});

test("standard events, which themes load from another host, are emitted by the store's own library", async () => {
  const { page, close } = await demo.open(
    "/products/raincoat?filter.v.option.color=Navy&filter.v.price.gte=10&sort_by=price-ascending",
  );
  await page.waitForFunction("window.told?.length === 1");
  const pageState = await page.evaluate(`(async () => {
    const { CartLinesUpdateEvent, SearchUpdateEvent } = standardEvents;
    const { promise, resolve } = CartLinesUpdateEvent.createPromise();
    const lines = [{ merchandiseId: 101, quantity: 2 }];
    document.querySelector("product-seen").dispatchEvent(new CartLinesUpdateEvent({ action: "add", context: "product", lines, promise }));
    const headers = { "content-type": "application/json" };
    await fetch("/cart/add.js", { method: "POST", headers, body: '{"id":101,"quantity":2}' });
    resolve({ cart: CartLinesUpdateEvent.createCartFromAjaxResponse(await (await fetch("/cart.js")).json()) });
    const [view, update] = told;
    const { cart } = await update.promise;
    return {
      view: [view.type, view.product.id, view.product.handle],
      update: [update.type, update.action, update.lines[0].merchandiseId, update.lines[0].quantity],
      cart: [cart.totalQuantity, cart.cost.totalAmount, cart.lines.length],
      filters: SearchUpdateEvent.parseProductFilters(),
      order: SearchUpdateEvent.getSortKey(),
    };
  })()`);
  assert.deepEqual(pageState, {
    view: ["shopify:product:view", "gid://shopify/Product/1", "raincoat"],
    update: ["shopify:cart:lines-update", "add", "gid://shopify/ProductVariant/101", 2],
    cart: [2, { amount: "296.00", currencyCode: "USD" }, 1],
    filters: [{ variantOption: { name: "color", value: "Navy" } }, { price: { min: 10 } }],
    order: "PRICE",
  });
  await close();
});

test("standard events report amounts with the decimals of ISO 4217 even where Intl differs", async () => {
  const theme = fileURLToPath(new URL("../fixtures/foreign-theme", import.meta.url));
  const store = await startDemo(theme, { config: { currency: "RSD" } });
  try {
    const { page, close } = await store.open("/products/raincoat");
    const pageState = await page.evaluate(`(async () => {
      const { CartViewEvent } = await import("/vitrine/standard-events.js");
      const headers = { "content-type": "application/json" };
      await fetch("/cart/add.js", { method: "POST", headers, body: '{"id":101}' });
      return CartViewEvent.createCartFromAjaxResponse(await (await fetch("/cart.js")).json()).cost.totalAmount;
    })()`);
    assert.deepEqual(pageState, { amount: "148.00", currencyCode: "RSD" });
    await close();
  } finally {
    await store.close();
  }
});

test("scripts of older themes have the option pickers and cart calls that their platform provided", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=102");
  assert.equal(await page.locator("script[src^='/vitrine/vintage.js']").count(), 2);
  await page.evaluate(`(async () => {
    const product = await new Promise((done) => Shopify.getProduct("raincoat", done));
    const list = document.createElement("select");
    list.id = "variants";
    list.append(...product.variants.map(({ id, title }) => new Option(title, id)));
    const box = Object.assign(document.createElement("div"), { id: "picker" });
    box.append(list);
    document.body.append(box);
    window.chosen = [];
    const onVariantSelected = (variant) => chosen.push(variant && variant.id);
    new Shopify.OptionSelectors("variants", { product, onVariantSelected, enableHistoryState: true });
  })()`);
  const sizes = `["/media/a_480x.jpg", "/media/a.jpg?v=1&width=480&height=480", "/media/a_grande.png?v=1", "/media/a.jpg"].map(Shopify.Image.imageSize)`;
  assert.deepEqual(await page.evaluate(sizes), ["480x", "480x480", "grande", null]);
  const switched = `new Promise((done) => Shopify.Image.switchImage({ src: "/media/b.jpg" }, { src: "/media/a_480x.jpg" }, done))`;
  assert.equal(await page.evaluate(switched), "/media/b_480x.jpg");
  const picker = page.locator("#picker");
  const [size = "", color = ""] = await picker.locator("label").allInnerTexts();
  assert.equal(await picker.getByLabel(color, { exact: true }).inputValue(), "Navy");
  const otherOptions = await picker.getByLabel(size, { exact: true }).locator("option").allInnerTexts();
  await picker.getByLabel(color, { exact: true }).selectOption({ index: 0 });
  assert.ok(otherOptions.length > 0);
  const state = "({ chosen, value: document.getElementById('variants').value, address: location.search })";
  assert.deepEqual(await page.evaluate(state), { chosen: [102, 101], value: "101", address: "?variant=101" });
  const cart = await page.evaluate(`(async () => {
    const call = (name, ...given) => new Promise((done) => Shopify[name](...given, done));
    const line = await call("addItem", 101, 2);
    const changed = await call("changeItem", 101, 3);
    const noted = await call("updateCartNote", "soon");
    const refused = new Promise((done) => (Shopify.onError = ({ status }) => done(status)));
    Shopify.addItem(999999, 1);
    const gone = await call("removeItem", 101);
    return [line.quantity, changed.item_count, noted.note, await refused, gone.item_count, Shopify.resizeImage("/media/a.jpg?v=1", "300x"), ...Shopify.uniq(["S", "M", "S"])];
  })()`);
  assert.deepEqual(cart, [2, 3, "soon", 400, 0, "/media/a_300x.jpg?v=1", "S", "M"]);
  await close({ failures: [/400/] });
});

test("a visitor with a preview link buys in another theme, and leaves it with the bar of its pages", async () => {
  const defaultTheme = fileURLToPath(new URL("../../themes/default", import.meta.url));
  await cp(defaultTheme, join(demo.storeDir, "themes/calm"), { recursive: true });
  await writeFile(join(demo.storeDir, "themes/calm/config/vitrine.json"), '{ "compat": false }');
  const { out } = await runCommand(demo, "theme", "preview", "calm");
  const { pathname, search } = new URL(out.trim());
  const { page, close } = await demo.open(pathname + search, { viewport: { width: 390, height: 800 } });
  const bar = page.getByRole("status").filter({ hasText: "Theme preview: calm" });
  await bar.waitFor();
  assert.equal(await bar.evaluate("getComputedStyle(document.querySelector('.vitrine-preview')).position"), "fixed");
  await page.goto("/products/rain-gauge");
  await page.locator("[data-add-button]").first().click();
  await page.locator("dialog[open] .line").first().waitFor();
  await page.goto("/checkout");
  await bar.waitFor();
  await fillOrderForm(page, "20457");
  await page.getByRole("button", { name: "Place order" }).click();
  await page.waitForURL("**/orders/**");
  await bar.waitFor();
  await page.goto("/products/rain-gauge");
  await page.getByRole("link", { name: "Leave preview" }).click();
  await page.getByRole("button", { name: "Add plainly" }).waitFor();
  assert.equal(await bar.count(), 0);
  await close();
});

test("a foreign theme's scripts may evaluate strings, set styles and load URLs without a scheme", async () => {
  const { page, close } = await demo.open("/");
  await page.route("http://cdn.test/one.js", (route) => route.fulfill({ body: "document.body.dataset.loaded = ''" }));
  await page.addScriptTag({
    content: `document.body.setAttribute("style", new Function("return 'color: rgb(1, 2, 3)'")());
      document.head.append(Object.assign(document.createElement("script"), { src: "//cdn.test/one.js" }));`,
  });
  await page.locator("body[data-loaded]").waitFor();
  assert.equal(await page.evaluate("getComputedStyle(document.body).color"), "rgb(1, 2, 3)");
  await close();
});

/** Tests public themes if VITRINE_THEMES names a folder with some. They are not part of this project. */
const folder = process.env.VITRINE_THEMES ?? "";

test("dawn: its scripts search, add, change and remove", { skip: !existsSync(join(folder, "dawn")) }, async (t) => {
  const dawn = await startDemo(join(folder, "dawn"));
  t.after(() => dawn.close());
  const { page, close } = await dawn.open("/products/raincoat");
  await page.locator("summary.header__icon--search").first().click();
  await page.locator("#Search-In-Modal").fill("rain");
  await page.locator("predictive-search").getByText("Raincoat").first().waitFor();
  await page.goto("/products/raincoat");
  await page.locator("variant-selects label", { hasText: "Navy" }).first().click();
  await page.waitForURL("**variant=**");
  await page.locator("product-form button[name=add]").click();
  await page.locator("#cart-notification.active").waitFor();
  await page.goto("/cart");
  await page.locator("cart-items button[name=plus]").first().click();
  await page.locator(".totals", { hasText: "$296.00" }).waitFor();
  await page.locator("cart-remove-button a").first().click();
  await page.locator("cart-items.is-empty").waitFor();
  await close();
});

test("skeleton-theme: its forms and links search, add, change and remove", {
  skip: !existsSync(join(folder, "skeleton-theme")),
}, async (t) => {
  const skeleton = await startDemo(join(folder, "skeleton-theme"));
  t.after(() => skeleton.close());
  const { page, close } = await skeleton.open("/search?q=rain");
  await page.getByRole("link", { name: "Raincoat", exact: true }).first().click();
  await Promise.all([page.waitForURL("**/cart"), page.locator("input[value='Add to cart']").click()]);
  await page.locator("input[name='updates[]']").fill("3");
  await page.locator("form input[type=submit]").first().click();
  await page.locator("header sup", { hasText: "3" }).waitFor();
  await page.getByRole("link", { name: "Remove" }).click();
  await page.locator("header sup").waitFor({ state: "detached" });
  await close();
});
