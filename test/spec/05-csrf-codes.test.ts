import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Headers } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const day = 24 * 3_600_000;
let now = Date.now();
const shop = await startShop({ now: () => now });
const host = new URL(shop.origin).host;

const body = { id: variant.unlimited, quantity: 1 };

const passes: readonly Headers[] = [
  {},
  { origin: shop.origin },
  { "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "none" },
  { "sec-fetch-site": "same-origin", origin: shop.origin },
  // A page with the referrer policy "no-referrer".
  { "sec-fetch-site": "same-origin", origin: "null" },
  { referer: `${shop.origin}/products/x` },
  { origin: `https://${host}` },
];
for (const headers of passes) {
  test(`5 same-origin requests pass: ${JSON.stringify(headers).replace(host, "shop.test")}`, async () => {
    assertMutated(await shop.client().post("/cart/add.js", body, headers));
  });
}

test("5 the origin is checked first, then missing, then mismatch, then invalid", async () => {
  const client = shop.client();
  await client.token();
  const evil = { origin: "https://evil.test" };
  assertCartError(
    await client.post("/cart/add.js", body, { ...evil, "x-csrf-token": undefined }),
    403,
    "csrf_origin_blocked",
  );
  assertCartError(
    await client.post("/cart/add.js", body, { "x-csrf-token": "", cookie: "csrf_token=abc" }),
    403,
    "csrf_missing",
  );
  assertCartError(
    await client.post("/cart/add.js", body, { "x-csrf-token": "abc", cookie: "csrf_token=abd" }),
    403,
    "csrf_mismatch",
  );
  assertCartError(
    await client.post("/cart/add.js", body, { "x-csrf-token": "abc", cookie: "csrf_token=abc" }),
    403,
    "csrf_invalid",
  );
});

test("5 any one of several csrf_token cookies may match", async () => {
  const token = await shop.client().token();
  const headers = { "x-csrf-token": token, cookie: `csrf_token=planted; csrf_token=${token}` };
  assertMutated(await shop.client().post("/cart/add.js", body, headers));
});

test("5 tokens expire after 30 days", async () => {
  const client = shop.client();
  const token = await client.token();
  const start = now;
  try {
    now = start + 14 * day;
    assert.equal((await client.get("/api/csrf")).headers["x-csrf-token"], token);
    now = start + 16 * day;
    assert.notEqual(
      (await shop.client().get("/api/csrf", { cookie: `csrf_token=${token}` })).headers["x-csrf-token"],
      token,
      "a token past half its lifetime is renewed",
    );
    now = start + 29 * day;
    assertMutated(await client.post("/cart/add.js", body));
    now = start + 31 * day;
    const headers = { "x-csrf-token": token, cookie: `csrf_token=${token}` };
    assertCartError(await client.post("/cart/add.js", body, headers), 403, "csrf_invalid");
    const fresh = await client.get("/api/csrf", { cookie: `csrf_token=${token}` });
    assert.notEqual(fresh.headers["x-csrf-token"], token);
  } finally {
    now = start;
  }
});

test("5 a write with an invalid cart cookie signature is csrf_invalid, deletes the cookie, and the retry succeeds", async () => {
  const client = shop.client();
  await add(client, variant.unlimited);
  client.cookies.set("cart", flip(String(client.cookies.get("cart"))));
  const reply = await client.post("/cart/add.js", body);
  assertCartError(reply, 403, "csrf_invalid");
  assert.ok(!client.cookies.has("cart"), "the response deletes the cookie");
  assertMutated(await client.post("/cart/add.js", body));
});

test("5 the buy-now cookie has the same check, and a cookie is valid for its own purpose only", async () => {
  const client = shop.client();
  const express = { item: { product: { variantId: variant.unlimited } } };
  await add(client, variant.unlimited);
  client.cookies.set("buy_now", String(client.cookies.get("cart")));
  assertCartError(await client.post("/api/cart/buyNowCheckout", express), 403, "csrf_invalid");
  assert.equal((await client.post("/api/cart/buyNowCheckout", express)).status, 200);
  const stolen = await shop.client().get("/cart.js", { cookie: `cart=${client.cookies.get("buy_now")}` });
  assert.equal(stolen.json<{ id: unknown }>().id, null);
});

test("5 a store with a configured origin compares with that origin", async () => {
  const other = await startShop({ config: { origin: "https://shop.example" } });
  try {
    assertMutated(await other.client().post("/cart/add.js", body, { origin: "https://shop.example" }));
    for (const origin of [
      "http://shop.example",
      "https://shop.example:444",
      "https://SUB.shop.example",
      other.origin,
    ]) {
      assertCartError(await other.client().post("/cart/add.js", body, { origin }), 403, "csrf_origin_blocked");
    }
    const evil = { host: "evil.test", origin: "https://evil.test" };
    assert.ok([400, 403, 421].includes((await other.client().post("/cart/add.js", body, evil)).status));
  } finally {
    await other.close();
  }
});

test("5 a retired key verifies only while it is listed", async () => {
  const keys = ["old-key-for-tests-0123456789-0123456789", "new-key-for-tests-0123456789-0123456789"] as const;
  const first = await startShop({ secret: keys[0] });
  const client = first.client();
  const headers = { "x-csrf-token": await client.token(), cookie: `csrf_token=${await client.token()}` };
  await first.close();
  const rotated = await startShop({ secret: `${keys[1]},${keys[0]}` });
  assertMutated(await rotated.client().post("/cart/add.js", body, headers));
  await rotated.close();
  const later = await startShop({ secret: keys[1] });
  assertCartError(await later.client().post("/cart/add.js", body, headers), 403, "csrf_invalid");
  await later.close();
});

/** Returns the text with its middle character changed. */
function flip(token: string): string {
  const at = Math.floor(token.length / 2);
  return token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
}
