import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { createClient } from "../support/client.ts";
import { makeStore } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";

/** Shopify theme as an app generates it: only a layout, with missing and broken snippets. */
const storeDir = await makeStore({
  themeFiles: {
    "layout/theme.liquid": `<!doctype html>
<html><head><title>{{ page_title }}</title>{% include 'app-head' %}{{ content_for_header }}</head>
<body class="{{ template }}">{% render 'gone' %}<nav>their menu</nav>{% render 'broken' %}{% section 'nowhere' %}
<main>{{ content_for_layout }}</main></body></html>`,
    "snippets/broken.liquid": "{% if product %}",
    "sections/theirs.liquid": "theirs",
    "assets/foreign.css": "theirs",
  },
});
await rm(join(storeDir, "theme/templates"), { recursive: true });
const app = await createApp({ storeDir, logLevel: "silent", ...(await freshDatabase()) });
const origin = await app.listen("127.0.0.1", 0);
after(async () => {
  await app.close();
  await rm(storeDir, { recursive: true, force: true });
});

const pages: Readonly<Record<string, RegExp>> = {
  "/": /<main>/,
  "/products/canvas-tote": /Canvas Tote[\s\S]*name="id"/,
  "/collections": /href="\/collections\//,
  "/collections/all": /Canvas Tote/,
  "/search?q=tote": /Canvas Tote/,
  "/pages/rain-care": /<h1>/,
  "/cart": /cart-form/,
  "/nope": /<h1/,
};

for (const [path, visible] of Object.entries(pages))
  test(`a page without a template of the theme has a default template in the theme's layout: ${path}`, async () => {
    const reply = await createClient(origin).get(path);
    assert.equal(reply.status, path === "/nope" ? 404 : 200);
    assert.match(reply.text, /<nav>their menu<\/nav>\s*<main>/);
    assert.match(reply.text, visible);
    assert.doesNotMatch(reply.text, /Liquid error|no such file/);
  });

test("the layout knows a default page by a template name that is no class of its styles", async () => {
  const reply = await createClient(origin).get("/cart");
  assert.match(reply.text, /<body class="vitrine-cart">/);
});

test("a cart is filled, changed and paid on default pages, without a script", async () => {
  const client = createClient(origin);
  await client.post("/cart/add.js", { id: 21, quantity: 2 });
  const cart = await client.get("/cart");
  assert.match(cart.text, /Canvas Tote/);
  const [, token = ""] = /name="csrf_token" value="([^"]+)"/.exec(cart.text) ?? [];
  assert.match(cart.text, /<button[^>]*type="submit"[^>]*>Update/);
  const form = new URLSearchParams([
    ["updates[]", "1"],
    ["csrf_token", token],
  ]).toString();
  const changed = await client.post("/cart", form, { "content-type": "application/x-www-form-urlencoded" });
  assert.ok(changed.status < 400);
  assert.equal((await client.get("/cart.js")).json<{ item_count: number }>().item_count, 1);
  const start = await client.get("/checkout");
  const checkout = await client.get(start.headers.location ?? "");
  assert.equal(checkout.status, 200);
  assert.match(checkout.text, /their menu[\s\S]*<main>[\s\S]*Canvas Tote[\s\S]*19\.99/);
});

test("the default markup uses no class of the theme's styles", async () => {
  const client = createClient(origin);
  await client.post("/cart/add.js", { id: 21, quantity: 1 });
  const start = await client.get("/checkout");
  for (const path of ["/products/canvas-tote", "/cart", start.headers.location ?? ""]) {
    const { text } = await client.get(path);
    const content = text.slice(text.indexOf("<main>"), text.indexOf("</main>"));
    const classes = [...content.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = ""]) => names.trim().split(/\s+/));
    assert.ok(classes.length > 10, path);
    assert.deepEqual(
      classes.filter((name) => !name.startsWith("vitrine-")),
      [],
      path,
    );
  }
});

test("a default page includes its styles, also if the theme has a file of that name", async () => {
  const client = createClient(origin);
  const { text } = await client.get("/cart");
  const [, address = ""] = /<link[^>]*href="(\/assets\/foreign\.css\?v=[^"]+)"/.exec(text) ?? [];
  assert.match((await client.get(address)).text, /\.vitrine-page \{/);
  assert.equal((await client.get("/assets/foreign.css")).text, "theirs");
  assert.equal((await client.get("/assets/foreign.css?v=nosuch")).text, "theirs");
});

test("section ids of a default page resolve, and other built-in sections do not (spec 4.1)", async () => {
  const client = createClient(origin);
  assert.match(
    (await client.get("/cart?section_id=main-cart-items")).text,
    /^<div id="store-section-main-cart-items">/,
  );
  assert.equal((await client.get("/cart?section_id=theirs")).text, '<div id="store-section-theirs">theirs</div>');
  assert.equal((await client.get("/cart?section_id=cart-drawer")).status, 404);
  assert.equal((await client.get("/?section_id=main-cart-items")).status, 404);
});
