import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Body } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { assertPost, type Expectation, validationFailed, victim } from "./abuse-row.ts";

const shop = await startShop();
const client = await victim(shop);

const updates: readonly (readonly [string, readonly Body[], Expectation])[] = [
  [
    "U3",
    [
      '{"updates":{"__proto__":0}}',
      '{"updates":{"constructor":0}}',
      '{"updates":{"\\u005f_proto__":{"polluted":1}}}',
      '{"__proto__":{"updates":[0]}}',
    ],
    validationFailed(),
  ],
  ["X1 updates with cartId", [{ updates: [1], cartId: "x" }, { updates: { cartId: 1 } }], validationFailed("cartId")],
];
for (const [name, bodies, expected] of updates) {
  test(name, async () => {
    for (const body of bodies) await assertPost(client, "/cart/update.js", body, expected);
  });
}

test("U8 a note is stored unchanged and escaped in JSON and sections", async () => {
  const shopper = await victim(shop);
  const note = "<script>alert(1)</script>{{ 7 | times: 7 }}</div>";
  const reply = await shopper.post("/cart/update.js?sections=cart-count", { note });
  const cart = assertMutated(reply);
  assert.equal(cart.note, note);
  const html = String(cart.sections?.["cart-count"]);
  assert.ok(!html.includes("<script>") && html.includes("{{ 7 | times: 7 }}"), html);
});

test("X3 clear by GET, and by a form of another site", async () => {
  const before = (await client.get("/cart.js")).text;
  assert.equal((await client.get("/cart/clear.js")).status, 405);
  const form = {
    "content-type": "application/x-www-form-urlencoded",
    origin: "https://evil.test",
    "x-csrf-token": undefined,
  };
  await assertPost(client, "/cart/clear.js", "a=b", { status: 403, error: "csrf_origin_blocked" }, form);
  assert.equal((await client.get("/cart.js")).text, before);
});

const item = (variantId: unknown, quantity?: unknown): object => ({ item: { product: { variantId, quantity } } });
const express: readonly (readonly [string, readonly Body[], Expectation])[] = [
  [
    "B7",
    [1, {}, ["x"], true].map((discountCode) => ({ ...item(variant.tracked), discountCode })),
    { status: [200, 400] },
  ],
  [
    "B7 text",
    ["x".repeat(10_000), "<script>", "a\nb"].map((discountCode) => ({ ...item(variant.tracked), discountCode })),
    { status: [200, 400], check: ({ text }) => assert.doesNotMatch(text, /<script>|xxxxxxxxxx/) },
  ],
];
for (const [name, bodies, expected] of express) {
  test(name, async () => {
    for (const body of bodies) await assertPost(client, "/api/cart/buyNowCheckout", body, expected);
  });
}

test("B8, B9 repeated calls create one checkout", async () => {
  const shopper = shop.client();
  const urls = new Set<string>();
  for (let call = 0; call < 30; call += 1) {
    const reply = await shopper.post("/api/cart/buyNowCheckout", item(variant.tracked, (call % 9) + 1), {
      "x-forwarded-host": "evil.test",
    });
    urls.add(reply.json<{ checkout_url: string }>().checkout_url);
  }
  assert.equal(urls.size, 1);
  assert.match([...urls].join(""), /^\/checkout\/[A-Za-z0-9_-]{22,}$/);
});
