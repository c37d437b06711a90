import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

test('7.2 a validation error is 400 { error: "validation_failed", fields: [{ field, rule, message }] } instead of a cart', async () => {
  const reply = await shop.client().post("/cart/add.js", {});
  const body = assertInvalid(reply, "id|item|items", "required");
  assert.ok(!("items" in body) && !("item_count" in body));
  assert.deepEqual(Object.keys(body.fields?.[0] ?? {}).sort(), ["field", "message", "rule"]);
});

const writes = ["/cart/add.js", "/cart/change.js", "/cart/update.js", "/api/cart/buyNowCheckout"];
const badBodies = [
  "",
  "null",
  "[]",
  '"x"',
  "1",
  "{",
  '{"id":1,}',
  '{"id":1}x',
  `${"[".repeat(30)}${"]".repeat(30)}`,
  `{"a":${'{"b":'.repeat(25)}1${"}".repeat(26)}`,
];
for (const path of writes) {
  test(`7.2 400 validation_failed, missing or invalid body: ${path}`, async () => {
    const client = shop.client();
    await add(client, variant.unlimited);
    const before = await readCart(client);
    for (const body of badBodies) assertInvalid(await client.post(path, body), "body");
    assertInvalid(await client.post(path, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), "body");
    assert.deepEqual(await readCart(client), before);
  });

  test(`7.2 400 validation_failed, cartId present in body: ${path}`, async () => {
    assertInvalid(await shop.client().post(path, { cartId: "x" }), "cartId", "forbidden");
  });
}

test("7.2 400 invalid_sections_url", async () => {
  const reply = await shop.client().get("/cart.js?sections=one&sections_url=https://evil.test");
  assertCartError(reply, 400, "invalid_sections_url");
});

test("7.2 errors are HTML on pages and JSON elsewhere", async () => {
  const client = shop.client();
  const type = (reply: Reply): readonly [number, string] => [
    reply.status,
    String(reply.headers["content-type"]).split(";")[0] ?? "",
  ];
  assert.deepEqual(type(await client.get("/no-such-page")), [404, "text/html"]);
  assert.deepEqual(type(await client.get("/products/no-such-product")), [404, "text/html"]);
  assert.deepEqual(type(await client.get("/products/rain-prototype")), [404, "text/html"]);
  assert.deepEqual(type(await client.get("/zz/cart.js")).slice(0, 1), [404]);
});

const wrongMethods: readonly (readonly [string, string, string])[] = [
  ["DELETE", "/cart.js", "GET"],
  ["PUT", "/cart/add.js", "POST"],
  ["GET", "/cart/add.js", "POST"],
  ["GET", "/cart/clear", "POST"],
  ["GET", "/api/cart/buyNowCheckout", "POST"],
  ["PATCH", "/search/suggest.json", "GET"],
  ["DELETE", "/api/csrf", "GET"],
];
for (const [method, path, allowed] of wrongMethods) {
  test(`7.2 a known path with another method is 405 with Allow: ${method} ${path}`, async () => {
    const reply = await shop.client().send(method, path, { headers: { accept: "*/*" } });
    assert.equal(reply.status, 405, reply.text);
    assert.ok(String(reply.headers.allow).split(/,\s*/).includes(allowed));
  });
}

test("7.2 a browser navigation to a write path redirects to the cart and changes nothing", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  const reply = await client.get(`/cart/add?id=${variant.tracked}`, { accept: "text/html,application/xhtml+xml" });
  assert.deepEqual([reply.status, reply.headers.location], [303, "/cart"]);
  assert.equal((await readCart(client)).item_count, 1);
});
