import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient, type Headers } from "../support/client.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

test("5 a signed cart cookie identifies the current cart", async () => {
  const client = shop.client();
  const reply = await client.post("/cart/add.js", { id: variant.tracked });
  const line = (reply.headers["set-cookie"] ?? []).find((text) => text.startsWith("cart="));
  assert.match(String(line), /httponly/i);
  assert.match(String(line), /samesite=lax/i);
  assert.match(String(line), /path=\//i);
  assert.match(String(line), /max-age=2592000/i);
  const other = shop.client();
  other.cookies.set("cart", String(client.cookies.get("cart")));
  assert.equal((await readCart(other)).item_count, 1);
});

test("5 a cookie with an invalid signature gives no access", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  const good = String(client.cookies.get("cart"));
  const last = good.at(-1) === "A" ? "B" : "A";
  for (const bad of [good.slice(0, -1) + last, good.slice(0, -4), `${good}x`, "", "a.b.c", "x".repeat(4_000)]) {
    const reply = await client.get("/cart.js", { cookie: `cart=${bad}` });
    assert.deepEqual([reply.status, reply.json<{ item_count: number }>().item_count], [200, 0], bad.slice(0, 40));
  }
});

const writes: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["/cart/add.js", { id: variant.tracked, quantity: 1 }],
  ["/cart/change.js", { line: 1, quantity: 1 }],
  ["/cart/update.js", { updates: [1] }],
  ["/cart/clear.js", {}],
  ["/api/cart/buyNowCheckout", { item: { product: { variantId: variant.tracked } } }],
];

for (const [path, body] of writes) {
  for (const extra of [{ cartId: "x" }, { cartId: null }, { cart_id: "x" }, { deep: [{ er: { cartId: 1 } }] }]) {
    test(`5 ${path}: a body that contains a cart id is rejected: ${JSON.stringify(extra)}`, async () => {
      const client = shop.client();
      await add(client, variant.unlimited);
      const before = await readCart(client);
      assertInvalid(await client.post(path, { ...body, ...extra }), "cartId", "forbidden");
      assert.deepEqual(await readCart(client), before);
    });
  }

  test(`5 ${path} requires the token in x-csrf-token: without it 403, before the cart is read`, async () => {
    const client = shop.client();
    await add(client, variant.unlimited);
    const before = await readCart(client);
    assertCartError(await client.post(path, body, { "x-csrf-token": undefined }), 403, "csrf_missing");
    assertCartError(await client.post(path, "{ not JSON", { "x-csrf-token": undefined }), 403, "csrf_missing");
    assert.deepEqual(await readCart(client), before);
  });
}

for (const path of [
  "/",
  "/products/harbour-raincoat",
  "/collections/rainwear",
  "/cart",
  "/search?q=rain",
  "/fr",
  "/no-such-page",
]) {
  test(`5 the page ${path} has the token in a readable cookie and in a meta tag, both equal to the header`, async () => {
    const client = shop.client();
    const page = await client.get(path);
    const cookie = (page.headers["set-cookie"] ?? []).find((line) => line.startsWith("csrf_token="));
    assert.doesNotMatch(String(cookie), /httponly/i);
    const head = page.text.slice(0, page.text.indexOf("</head>"));
    const meta = /<meta name="csrf-token" content="([^"]+)"/.exec(head)?.[1];
    assert.ok(meta, "there is a meta tag");
    assert.equal(client.cookies.get("csrf_token"), meta);
    assert.equal((await client.get("/api/csrf")).headers["x-csrf-token"], meta);
    assert.match(String(page.headers["cache-control"]), /no-store/);
    assert.equal((await add(client, variant.unlimited)).item_count, 1);
  });
}

test("5 write requests use application/json, with optional media type parameters", async () => {
  for (const type of [
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON;charset=UTF-8",
    "application/json;",
    " application/json",
    'application/json;charset="utf-8"',
  ]) {
    const client = shop.client();
    assertMutated(await client.post("/cart/add.js", { id: variant.tracked }, { "content-type": type }));
  }
  for (const type of [
    undefined,
    "",
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "application/ld+json",
    "application/json\tx",
    "application/json garbage",
    "application/json, text/plain",
    "application/json; charset=utf-16",
  ]) {
    const client = shop.client();
    const body = JSON.stringify({ id: variant.tracked });
    assertInvalid(await client.post("/cart/add.js", body, { "content-type": type }), "body");
  }
});

test("5 operations that need a logged-in customer answer 401 customer_required", async () => {
  const client = shop.client();
  assertCartError(await client.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  assertCartError(
    await client.post("/cart/update.js", { updates: { [variant.membersOnly]: 1 } }),
    401,
    "customer_required",
  );
});

test("5 the merchant's signed cookie signs a customer in, and their store credit reduces the amount due", async () => {
  const client = shop.client();
  client.cookies.set("customer", customerToken("7"));
  const cart = await add(client, variant.membersOnly);
  assert.deepEqual([cart.total_price_cents, cart.amount_due_cents], [3_000, 2_300]);
  client.cookies.delete("customer");
  assert.equal((await readCart(client)).amount_due_cents, 3_000);
});

const invalidTokens: readonly (readonly [string, string])[] = [
  ["expired", customerToken("7", { expires: 1_000_000 })],
  ["signed with another key", customerToken("7", { secret: "another-key-0123456789-0123456789-01" })],
  ["unsigned", customerToken("7", { algorithm: "none" })],
  ["of an unknown customer", customerToken("8")],
  ["junk", "a.b.c"],
];
for (const [name, token] of invalidTokens) {
  test(`5 a customer cookie that is ${name} does not sign in`, async () => {
    const client = shop.client();
    client.cookies.set("customer", token);
    assertCartError(await client.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  });
}

test("5 predictive search requires no cookie and no token", async () => {
  const reply = await shop.client().get("/search/suggest.json?q=rain");
  assert.deepEqual([reply.status, reply.headers["set-cookie"]], [200, undefined]);
});

/** Sends one concurrent first write per cookie header, each with `headers`. @returns ids of the new carts */
async function firstCarts(
  token: string,
  cookies: readonly string[],
  headers: Headers = {},
): Promise<readonly unknown[]> {
  const body = JSON.stringify({ id: variant.unlimited, quantity: 1 });
  const replies = await Promise.all(
    cookies.map((cookie) => {
      const usual = { "x-csrf-token": token, "content-type": "application/json", cookie };
      return createClient(shop.origin).send("POST", "/cart/add.js", { headers: { ...usual, ...headers }, body });
    }),
  );
  return replies.map((reply) => assertMutated(reply).id);
}

/** Returns the Cookie header of a browser after one page. `planted` is a token that another site has set before. */
async function cookiesOf(planted?: string): Promise<string> {
  const client = shop.client();
  if (planted !== undefined) client.cookies.set("csrf_token", planted);
  await client.get("/");
  return [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

test("5 concurrent first writes of one visitor create one cart", async () => {
  const cookies = await cookiesOf();
  const token = /csrf_token=([^;]+)/.exec(cookies)?.[1] ?? "";
  const ids = await firstCarts(
    token,
    Array.from({ length: 8 }, () => cookies),
  );
  assert.deepEqual([ids.length, new Set(ids).size], [8, 1]);
});

test("5 visitors with the same planted token do not share a first cart, with or without a key", async () => {
  const token = await shop.client().token();
  const visitors = await Promise.all([cookiesOf(token), cookiesOf(token)]);
  for (const cookies of visitors) assert.ok(cookies.includes(`csrf_token=${token}`), "the token is reused");
  assert.equal(new Set(await firstCarts(token, visitors)).size, 2);
  assert.equal(new Set(await firstCarts(token, visitors, { "idempotency-key": "add-1" })).size, 2);
});

test("5 a client that stores only the token can write, and shares its first cart with no other client", async () => {
  const token = await shop.client().token();
  assert.equal(new Set(await firstCarts(token, [`csrf_token=${token}`, `csrf_token=${token}`])).size, 2);
});

test("5 the second cookie of the token is HttpOnly, has the same lifetime and does not change", async () => {
  const client = shop.client();
  const lines = (await client.get("/api/csrf")).headers["set-cookie"] ?? [];
  const lineOf = (name: string): string => lines.find((line) => line.startsWith(`${name}=`)) ?? "";
  const token = lineOf("csrf_token");
  const visitor = lineOf("visitor");
  assert.match(visitor, /^visitor=[\w-]{22,};.*HttpOnly/);
  assert.equal(/max-age=\d+/i.exec(visitor)?.[0], /max-age=\d+/i.exec(token)?.[0]);
  const before = client.cookies.get("visitor");
  await client.get("/");
  assert.equal(client.cookies.get("visitor"), before);
  client.cookies.set("visitor", "no such thing");
  await client.get("/");
  assert.match(String(client.cookies.get("visitor")), /^[\w-]{22,}$/);
});
