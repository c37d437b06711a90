import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { startDemo } from "../support/browser.ts";

/** Store with `compat`, for unmodified public libraries that themes use. */
const demo = await startDemo(fileURLToPath(new URL("../fixtures/foreign-theme", import.meta.url)));
after(() => demo.close());

test("@shopify/theme-cart adds, changes, notes and removes", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await load(page, "@shopify/theme-cart/dist/theme-cart.js");
  const result = await page.evaluate(`(async () => {
    const { cart } = Shopify.theme;
    const added = await cart.addItem(101, { quantity: 2, properties: { Engraving: "AB" } });
    const more = await cart.updateItem(added.key, { quantity: 3 });
    const found = await cart.getItem(more.items[0].key);
    const noted = await cart.updateNote("soon");
    const left = await cart.removeItem(found.key);
    return [added.quantity, added.properties.Engraving, more.item_count, found.product_title, noted.note, left.items.length];
  })()`);
  assert.deepEqual(result, [2, "AB", 3, "Raincoat", "soon", 0]);
  await close();
});

test("@shopify/theme-predictive-search finds products during typing", async () => {
  const { page, close } = await demo.open("/");
  await load(page, "@shopify/theme-predictive-search/dist/theme-predictive-search.js");
  const result = await page.evaluate(`new Promise((done, fail) => {
    const { PredictiveSearch } = Shopify.theme;
    const { TYPES, FIELDS, UNAVAILABLE_PRODUCTS } = PredictiveSearch;
    const options = { unavailable_products: UNAVAILABLE_PRODUCTS.LAST, fields: [FIELDS.TITLE, FIELDS.PRODUCT_TYPE] };
    const search = new PredictiveSearch({ resources: { type: [TYPES.PRODUCT, TYPES.PAGE], limit: 4, options } });
    search.on("success", ({ query, resources }) => done([query, resources.results.products.map(({ title }) => title)]));
    search.on("error", fail);
    search.query("rainc");
  })`);
  assert.deepEqual(result, ["rainc", ["Rain Cape", "Raincoat", "Little Raincoat"]]);
  await close();
});

test("liquid-ajax-cart updates the page by its elements and by its calls", async () => {
  const { page, close } = await demo.open("/products/rain-gauge");
  await page.evaluate(`document.body.insertAdjacentHTML("beforeend", \`
    <output id="bound" data-ajax-cart-bind="item_count"></output>
    <ajax-cart-product-form><form action="/cart/add" method="post">
      <input name="id" value="101"><input name="quantity" value="2"><button id="add-by-library">Add</button>
    </form></ajax-cart-product-form>\`)`);
  await load(page, "liquid-ajax-cart/liquid-ajax-cart.js", "module");
  await page.locator("html.js-ajax-cart-init").waitFor();
  await page.locator("#add-by-library").click();
  await page.locator("#bound", { hasText: "2" }).waitFor();
  const result = await page.evaluate(`new Promise((done) => {
    const { key } = liquidAjaxCart.cart.items[0];
    liquidAjaxCart.change({ id: key, quantity: 1 }, { lastCallback: () => {
      const changed = liquidAjaxCart.cart.item_count;
      liquidAjaxCart.change({ id: key, quantity: 0 }, { lastCallback: () => done([changed, liquidAjaxCart.cart.item_count]) });
    } });
  })`);
  assert.deepEqual(result, [1, 0]);
  assert.equal(await page.locator("#bound").innerText(), "0");
  await close();
});

test("@shopify/theme-product-form follows the product options and adds the selection", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await load(page, "@shopify/theme-product/dist/theme-product.js");
  await load(page, "@shopify/theme-product-form/dist/theme-product-form.js");
  const chosen = await page.evaluate(`(async () => {
    document.body.insertAdjacentHTML("beforeend", \`<form id="library-form" action="/cart/add" method="post">
      <select name="options[Size]"><option>S</option><option>M</option></select>
      <select name="options[Colour]"><option>Yellow</option><option>Navy</option></select>
      <input name="quantity" value="1"></form>\`);
    const product = await (await fetch("/products/raincoat.js")).json();
    return new Promise((done) => {
      const form = document.getElementById("library-form");
      new Shopify.theme.productForm.ProductForm(form, product, { onOptionChange: ({ dataset }) => done(dataset.variant.id) });
      const list = form.elements["options[Colour]"];
      list.value = "Navy";
      list.dispatchEvent(new Event("change", { bubbles: true }));
    });
  })()`);
  assert.equal(chosen, 102);
  await page.evaluate("document.getElementById('library-form').requestSubmit()");
  await page.waitForURL("**/cart");
  await page.getByText("Raincoat").first().waitFor();
  await close();
});

test("CartJS adds, changes, writes a note and removes, in sequence", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await load(page, "jquery/dist/jquery.js");
  await load(page, "shopify-cartjs/dist/cart.js");
  const result = await page.evaluate(`(async () => {
    const call = (name, ...given) => new Promise((done) => {
      jQuery(document).one("cart.requestComplete", done);
      CartJS[name](...given);
    });
    CartJS.init(await (await fetch("/cart.js")).json());
    await call("addItem", 101, 2, { Engraving: "AB" });
    const [added] = CartJS.cart.items;
    await call("updateItemById", 101, 3);
    await call("setNote", "soon");
    const { item_count, note } = CartJS.cart;
    await call("removeItem", 1);
    return [added.properties.Engraving, item_count, note, CartJS.cart.items.length];
  })()`);
  assert.deepEqual(result, ["AB", 3, "soon", 0]);
  await close();
});

test("shopify-cart-fetch adds from a form, changes and clears", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await load(page, "shopify-cart-fetch/dist/index.js", "module", "window.ShopifyCart = ShopifyCart;");
  await page.waitForFunction("window.ShopifyCart");
  const result = await page.evaluate(`(async () => {
    const cart = new ShopifyCart();
    const form = document.createElement("form");
    form.innerHTML = '<input name="id" value="101"><input name="quantity" value="2">';
    await cart.addItemFromForm(form);
    const added = cart.state.item_count;
    await cart.addItem({ id: 102, quantity: 1 });
    const both = cart.state.items.length;
    await cart.clearItems();
    return [added, both, (await cart.getState()).item_count];
  })()`);
  assert.deepEqual(result, [2, 2, 0]);
  await close();
});

test("newsletter scripts and forms without the form tag are accepted", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const url = await page.evaluate(`(async () => {
    document.body.insertAdjacentHTML("beforeend", \`<form id="news" action="/contact#contact_form" method="post">
      <input name="form_type" value="customer"><input name="contact[email]" value="ada@example.com"></form>\`);
    const body = new URLSearchParams([...news.elements].map(({ name, value }) => [name, value]));
    return (await fetch("/contact", { method: "POST", body })).url;
  })()`);
  assert.equal(url, `${demo.origin}/products/raincoat?customer_posted=true`);
  await page.evaluate("news.requestSubmit()");
  await page.waitForURL("**/products/raincoat?customer_posted=true#contact_form");
  await close();
});

test("standard actions read and change the cart, and emit the standard events", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const result = await page.evaluate(`(async () => {
    const { getCart, updateCart } = Shopify.actions;
    const events = [];
    const { StandardEvents } = await import("/vitrine/standard-events.js");
    // The page itself emits an event about the product, which has no promise.
    for (const name of Object.values(StandardEvents)) document.addEventListener(name, (event) => event.promise && events.push(event));
    const isDefault = updateCart.isDefault();
    updateCart.configure({ eventTarget: () => document.body, handler: (change) => change() });
    const empty = await getCart();
    const merchandiseId = "gid://shopify/ProductVariant/101";
    const added = await updateCart({ lines: [{ merchandiseId, quantity: 2, attributes: [{ key: "Engraving", value: "AB" }] }] });
    const [{ id }] = added.cart.lines;
    const changed = await updateCart({
      lines: [{ id, quantity: 3 }, { merchandiseId: 102 }],
      note: "soon",
      discountCodes: ["NO-SUCH-CODE"],
      attributes: [{ key: "gift", value: "yes" }],
    });
    const rejected = await updateCart({ lines: [{ merchandiseId, quantity: 9000 }] });
    const removed = await updateCart({ lines: [{ id, quantity: 0 }] });
    const malformed = await updateCart({ lines: [{ quantity: 1 }] }).catch((error) => error.name);
    const { note, items } = await (await fetch("/cart.js")).json();
    return {
      isDefault: [isDefault, updateCart.isDefault(), getCart.isDefault(), typeof getCart.configure],
      quantities: [empty.cart, added.cart.totalQuantity, changed.cart.totalQuantity, removed.cart.totalQuantity],
      warnings: changed.warnings.map(({ code }) => code).sort(),
      rejected: [rejected.cart.totalQuantity, rejected.userErrors.map(({ code }) => code)],
      malformed,
      cart: [note, items.length],
      events: events.map(({ type, action, context }) => [type, action, context].filter(Boolean).join(" ")),
      settled: (await Promise.all(events.map(({ promise }) => promise)))[0].cart.totalQuantity,
    };
  })()`);
  assert.deepEqual(result, {
    isDefault: [true, false, true, "undefined"],
    quantities: [null, 2, 4, 1],
    warnings: ["ATTRIBUTES_NOT_KEPT", "DISCOUNT_NOT_APPLICABLE"],
    rejected: [4, ["INSUFFICIENT_STOCK"]],
    malformed: "TypeError",
    cart: ["soon", 1],
    events: [
      "shopify:cart:lines-update add standard-action",
      "shopify:cart:lines-update add standard-action",
      "shopify:cart:lines-update update standard-action",
      "shopify:cart:note-update standard-action",
      "shopify:cart:discount-update",
      "shopify:cart:attributes-update standard-action",
      "shopify:cart:lines-update add standard-action",
      "shopify:cart:lines-update remove standard-action",
    ],
    settled: 2,
  });
  await close({ failures: [/422/] });
});

test("without a configuration, standard actions show the changed cart, or go to the cart page", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const opened = await page.evaluate(`(async () => {
    const drawer = document.createElement("cart-drawer");
    document.body.append(drawer);
    const opened = new Promise((resolve) => (drawer.open = () => resolve("opened")));
    await Shopify.actions.openCart();
    return opened;
  })()`);
  assert.equal(opened, "opened");
  const reloaded = page.waitForEvent("load");
  await page.evaluate(`void Shopify.actions.updateCart({ lines: [{ merchandiseId: 101, quantity: 2 }] })`);
  await reloaded;
  assert.equal(await page.locator("#cart-count").innerText(), "2");
  await page.evaluate("void Shopify.actions.openCart()");
  await page.waitForURL("**/cart");
  await close();
});

test("without a configuration, updateCart replaces the drawer and the counter of themes like Dawn", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const inSection = (html: string): string => `<div id="x" class="shopify-section">${html}</div>`;
  await page.route("**/products/raincoat?sections=cart-drawer,cart-icon-bubble", (route) =>
    route.fulfill({
      json: {
        "cart-drawer": inSection('<cart-drawer class="drawer"><div class="drawer__inner">Raincoat</div></cart-drawer>'),
        "cart-icon-bubble": inSection("<b>2</b>"),
      },
    }),
  );
  const shown = await page.evaluate(`(async () => {
    document.body.insertAdjacentHTML("beforeend", \`<a id="cart-icon-bubble">0</a>
      <cart-drawer class="drawer is-empty"><div class="drawer__inner">Your cart is empty</div></cart-drawer>\`);
    await Shopify.actions.updateCart({ lines: [{ merchandiseId: 101, quantity: 2 }] });
    return ["cart-drawer", "#cart-icon-bubble"].map((name) => document.querySelector(name).outerHTML);
  })()`);
  assert.deepEqual(shown, [
    '<cart-drawer class="drawer"><div class="drawer__inner">Raincoat</div></cart-drawer>',
    '<a id="cart-icon-bubble"><b>2</b></a>',
  ]);
  await page.unroute("**/products/raincoat?sections=cart-drawer,cart-icon-bubble");
  await close();
});

test("the element shopify-account links to the login, or opens a menu for the customer", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=102");
  const show = (data: string): Promise<unknown> =>
    page.evaluate(`(async () => {
      const script = document.createElement("script");
      Object.assign(script, { type: "module", src: "/vitrine/shopify-account.js" });
      Object.assign(script.dataset, { root: "/fr/", login: "Log in", account: "Account", logout: "Log out", ...${data} });
      document.body.insertAdjacentHTML("beforeend", '<shopify-account menu="account"></shopify-account>');
      document.body.append(script);
      await customElements.whenDefined("shopify-account");
    })()`);
  await show("{}");
  const login = page.getByRole("link", { name: "Log in" });
  assert.equal(await login.getAttribute("href"), "/fr/account/login?return_url=%2Fproducts%2Fraincoat%3Fvariant%3D102");
  await page.reload();
  await show('{ customer: "ada" }');
  const button = page.getByRole("button", { name: "Account" });
  assert.equal(await button.innerText(), "A");
  const logout = page.getByRole("link", { name: "Log out" });
  assert.equal(await logout.isVisible(), false);
  await button.click();
  assert.equal(await logout.getAttribute("href"), "/fr/account/logout");
  await page.keyboard.press("Escape");
  await logout.waitFor({ state: "hidden" });
  await close();
});

/** Loads a script into a page. `extra` runs after the file in the same script, and can use the exports of a module. */
async function load(page: Page, file: string, type = "text/javascript", extra = ""): Promise<void> {
  const path = fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));
  await page.addScriptTag({ content: `${await readFile(path, "utf8")}\n${extra}`, type });
}

test("scripts refresh a partial of the page, and keep what the customer entered in it", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  const gift = page.getByLabel("Gift");
  await gift.fill("yes");
  await page.evaluate("document.activeElement.setSelectionRange(1, 2)");
  const error = await page.evaluate(`(async () => {
    const headers = { "content-type": "application/json" };
    await fetch("/cart/add.js", { method: "POST", headers, body: '{"id":101,"quantity":3}' });
    await partials.refresh("bag-size");
    return partials.fetch("nothing").then(() => "", ({ message }) => message);
  })()`);
  assert.match(await page.locator("#bag-size").innerText(), /^3 items/);
  assert.equal(await gift.inputValue(), "yes");
  assert.deepEqual(await page.evaluate("[document.activeElement.name, document.activeElement.selectionStart]"), [
    "gift",
    1,
  ]);
  assert.equal(error, `The page has no partial "nothing": ${page.url()}`);
  await close();
});
