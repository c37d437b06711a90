import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { CartJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const client = shop.client();

test("1 routes contains the search paths: predictive_search_url and search_url", async () => {
  assert.match((await client.get("/")).text, /routes \/search\/suggest \/search</);
});

for (const locale of ["fr", "ja"]) {
  test(`1 on a localized page routes include the prefix: /${locale}/search/suggest`, async () => {
    const page = await client.get(`/${locale}`);
    assert.match(page.text, new RegExp(`routes /${locale}/search/suggest /${locale}/search<`));
    const reply = await client.get(`/${locale}/search/suggest?q=rain&section_id=header`);
    assert.match(reply.text, new RegExp(`routes /${locale}/search/suggest `));
  });
}

test("1 paths exist with every locale's prefix, including the default one", async () => {
  const shopper = shop.client();
  await add(shopper, variant.tracked);
  for (const prefix of ["", "/en", "/fr", "/ja"]) {
    assert.equal((await shopper.get(`${prefix}/cart.js`)).json<CartJson>().item_count, 1);
    assert.equal((await shopper.get(`${prefix}/search/suggest.json?q=rain`)).status, 200);
    assert.equal((await shopper.get(`${prefix}/api/csrf`)).status, 200);
    assertMutated(await shopper.post(`${prefix}/cart/update.js`, { note: "x" }));
  }
});

test("1 pages under the default locale's prefix redirect with 301 to the path without it", async () => {
  for (const [path, target] of [
    ["/en/products/canvas-tote?variant=21", "/products/canvas-tote?variant=21"],
    ["/en/cart", "/cart"],
    ["/en", "/"],
    ["/en/", "/"],
  ] as const) {
    const reply = await client.get(path);
    assert.deepEqual([reply.status, reply.headers.location], [301, target], path);
  }
});

test("1 a page with a trailing slash redirects with 301 to the path without it", async () => {
  for (const [path, target] of [
    ["/products/canvas-tote/", "/products/canvas-tote"],
    ["/fr/cart/", "/fr/cart"],
    ["/collections/?page=2", "/collections?page=2"],
  ] as const) {
    const reply = await client.get(path);
    assert.deepEqual([reply.status, reply.headers.location], [301, target], path);
  }
  const tricky = await client.get("//evil.test/");
  assert.ok(!String(tricky.headers.location ?? "").startsWith("//"));
});

test("1 endpoints accept a trailing slash for reads and writes, except /search/suggest", async () => {
  const visitor = shop.client();
  const query = "?section_id=one&product_id=1";
  const [plain, slashed] = [
    await visitor.get(`/recommendations/products${query}`),
    await visitor.get(`/recommendations/products/${query}`),
  ];
  assert.deepEqual([slashed.status, slashed.text], [plain.status, plain.text]);
  assert.equal(plain.status, 200);
  assert.equal((await visitor.post("/cart/add/", { id: variant.tracked })).status, 200);
  assert.equal((await visitor.get("/cart/add/")).status, 405);
});

test("1 repeated slashes count as one: reads redirect with 301, writes respond", async () => {
  for (const [path, target] of [
    ["//products/canvas-tote?variant=1", "/products/canvas-tote?variant=1"],
    ["//fr//collections", "/fr/collections"],
    ["/fr//cart", "/fr/cart"],
    ["//cart//", "/cart"],
    ["//cart.js", "/cart.js"],
  ] as const) {
    const reply = await client.get(path);
    assert.deepEqual([reply.status, reply.headers.location], [301, target], path);
  }
  for (const path of ["//evil.test/cart", "///evil.test", "//", "/products//"])
    assert.ok(!/^[/\\]{2}/.test(String((await client.get(path)).headers.location ?? "")), path);
  assert.equal((await client.get("//no-such/page")).status, 404);
  const reply = await shop.client().post("//cart/add.js", { id: variant.tracked });
  assert.equal(reply.json().item_count, 1);
});

test("1 products of a missing collection are an error in JSON, not a tag page", async () => {
  const reply = await client.get("/collections/no-such/products.json?limit=1");
  assert.deepEqual([reply.status, reply.json().error], [404, "not_found"]);
});

for (const path of [
  "/de/cart.js",
  "/zz/",
  "/FR/cart.js",
  "/cart.JS",
  "/search/suggest.xml",
  "/cart/remove.js",
  "/api/cart/buynowcheckout",
]) {
  test(`1 an unknown prefix, path or spelling is 404: ${path}`, async () => {
    assert.equal((await client.get(path)).status, 404);
  });
}
