import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Body } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { assertPost, type Expectation, validationFailed, victim } from "./abuse-row.ts";

const shop = await startShop();
const client = await victim(shop);
const other = await victim(shop);
const key = String((await readCart(client)).items[0]?.key);
const otherKey = String((await readCart(other)).items[0]?.key);

const noLine = validationFailed("cartLineId|cart_line_id|key|line");
const tooLarge: Expectation = { status: 413, error: "payload_too_large" };

const changes: readonly (readonly [string, readonly Body[], Expectation])[] = [
  ["C1", [{ quantity: 1 }, {}], noLine],
  [
    "C2",
    [0, -1, 2, 1.5, "1x", null, true, [1], 1e9, 2 ** 53, "", " 1", "+1", {}].map((line) => ({ line, quantity: 0 })),
    noLine,
  ],
  [
    "C3",
    [
      { key: otherKey, quantity: 0 },
      { cartLineId: otherKey, quantity: 5 },
      { id: otherKey, quantity: 0 },
    ],
    noLine,
  ],
  [
    "C4",
    ["", "__proto__", "constructor", "x".repeat(10_000), { $ne: null }, "a\0b", null, true].map((bad) => ({
      key: bad,
      quantity: 0,
    })),
    noLine,
  ],
  [
    "C5",
    [undefined, null, -1, 1.5, "abc", true, [], {}, "0x1", " "].map((quantity) => ({ key, quantity })),
    validationFailed("quantity"),
  ],
  ["C9", [{ key, quantity: 1, cartId: "x" }], validationFailed("cartId")],
];
for (const [name, bodies, expected] of changes) {
  test(name, async () => {
    const before = (await other.get("/cart.js")).text;
    for (const body of bodies) await assertPost(client, "/cart/change.js", body, expected);
    assert.equal((await other.get("/cart.js")).text, before, "the other shopper's cart is as it was");
  });
}

test("C6 a quantity never exceeds stock", async () => {
  const shopper = await victim(shop);
  const cart = assertMutated(await shopper.post("/cart/change.js", { line: 1, quantity: 11 }));
  assert.deepEqual([cart.item_count, cart.issues[0]?.code], [10, "inventory_cap"]);
});

test("C7 of two targets only the first that resolves is changed", async () => {
  const shopper = await victim(shop);
  assertMutated(await shopper.post("/cart/add.js", { id: variant.unlimited }));
  const second = String((await readCart(shopper)).items[1]?.key);
  const cart = assertMutated(await shopper.post("/cart/change.js", { line: 1, key: second, quantity: 3 }));
  assert.deepEqual(cart.items.map(({ quantity }) => quantity).sort(), [1, 3]);
});

test("C8 quantity 0 removes the line, and a repeat finds no line", async () => {
  const shopper = await victim(shop);
  assertMutated(await shopper.post("/cart/change.js", { line: 1, quantity: 0 }));
  await assertPost(shopper, "/cart/change.js", { line: 1, quantity: 0 }, noLine);
});

const updates: readonly (readonly [string, readonly Body[], Expectation])[] = [
  ["U1", [{}, { updates: null }, { updates: "x" }, { updates: 1 }, { updates: true }], validationFailed()],
  [
    "U2",
    [{ updates: { nosuch: 1 } }, { updates: { [key]: 5, nosuch: 1 } }, { updates: { [otherKey]: 0 } }],
    validationFailed(),
  ],
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
  [
    "U4",
    [[1, 2, 3], [null], ["x"], [-1], [[1]], [{}], [true], [1.5]].map((list) => ({ updates: list })),
    validationFailed(),
  ],
  ["U5", [{ updates: { [key]: 3, [variant.soldOut]: 1 } }], { status: 422, error: "out_of_stock" }],
  ["U6", [{ updates: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`k${n}`, 1])) }], validationFailed()],
  ["U6 many keys", [`{"updates":{${Array.from({ length: 60_000 }, (_, n) => `"${n}":1`).join(",")}}}`], tooLarge],
  [
    "U7",
    [
      { note: "x".repeat(5_001) },
      { note: 1 },
      { note: {} },
      { note: "a\0b" },
      '{"note":"\\ud800"}',
      { note: "\u0301".repeat(20_000) },
    ],
    validationFailed("note"),
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

test("U9 attributes are accepted and not stored", async () => {
  const shopper = await victim(shop);
  assert.deepEqual(assertMutated(await shopper.post("/cart/update.js", { attributes: { a: 1 } })).attributes, {});
});

test("X1 clear with a cart id or a bad body", async () => {
  await assertPost(client, "/cart/clear.js", { cartId: "x" }, validationFailed("cartId"));
  for (const body of ["[]", '"x"', "{", "null"])
    await assertPost(client, "/cart/clear.js", body, validationFailed("body"));
});

test("X2 clear on a never-created cart", async () => {
  const shopper = shop.client();
  assert.equal(assertMutated(await shopper.post("/cart/clear.js", {})).item_count, 0);
  assert.equal((await readCart(shopper)).id, null);
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
    "B1",
    [
      {},
      { item: null },
      { item: {} },
      { item: [] },
      { item: "x" },
      { item: { product: null } },
      { item: { product: [] } },
    ],
    validationFailed(),
  ],
  [
    "B2",
    [undefined, null, variant.unknown, variant.unpublished, "", {}, [11], true, "__proto__"].map((id) => item(id)),
    validationFailed("item.product.variantId"),
  ],
  [
    "B2 quantity",
    [0, -1, 1.5, null, "x", 2 ** 53, true, [1]].map((quantity) => item(variant.tracked, quantity)),
    validationFailed("item.product.quantity"),
  ],
  [
    "B3",
    [item(variant.soldOut)],
    { status: 422, error: "out_of_stock", check: ({ text }) => assert.ok(!text.includes("checkout_url")) },
  ],
  [
    "B4",
    [
      { ...item(variant.tracked), cartId: 1 },
      { item: { product: { variantId: variant.tracked }, cartId: 1 } },
      { item: { product: { variantId: variant.tracked, cart_id: 1 } } },
    ],
    validationFailed("cartId"),
  ],
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

test("B5, B6 a tampered buy-now cookie, and a main cart cookie in its place, are rejected", async () => {
  for (const cookie of ["tampered", String(client.cookies.get("cart"))]) {
    const shopper = shop.client();
    shopper.cookies.set("buy_now", cookie);
    const reply = await shopper.post("/api/cart/buyNowCheckout", item(variant.tracked));
    assert.deepEqual([reply.status, reply.json<{ error: string }>().error], [403, "csrf_invalid"]);
  }
});

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

test("B10 no token", async () => {
  const expected = { status: 403, error: "csrf_missing" };
  await assertPost(client, "/api/cart/buyNowCheckout", item(variant.tracked), expected, { "x-csrf-token": undefined });
});
