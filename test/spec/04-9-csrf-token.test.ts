import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

for (const path of ["/api/csrf", "/fr/api/csrf"]) {
  test(`4.9 GET ${path} returns the token in the header x-csrf-token`, async () => {
    const client = shop.client();
    const reply = await client.get(path);
    assert.deepEqual([reply.status, reply.json()], [200, {}]);
    const token = String(reply.headers["x-csrf-token"]);
    assert.match(token, /^[A-Za-z0-9_.-]{32,}$/);
    assert.equal(client.cookies.get("csrf_token"), token);
    assert.match(String(reply.headers["cache-control"]), /no-store/);
  });
}

test("4.9 a write with that token is accepted", async () => {
  assert.equal((await add(shop.client(), variant.tracked)).item_count, 1);
});

test("4.9 a valid token is reused, and an invalid one is replaced", async () => {
  const client = shop.client();
  const token = await client.token();
  assert.equal((await client.get("/api/csrf")).headers["x-csrf-token"], token);
  const renewed = await client.get("/api/csrf", { cookie: "csrf_token=nonsense" });
  assert.notEqual(renewed.headers["x-csrf-token"], "nonsense");
  assert.match(String(renewed.headers["set-cookie"]), /csrf_token=/);
});

test("4.9 the token remains valid after the cart is created", async () => {
  const client = shop.client();
  const token = await client.token();
  await add(client, variant.tracked);
  assert.equal((await client.get("/api/csrf")).headers["x-csrf-token"], token);
  await add(client, variant.tracked);
});
