import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, assertMutated, readCart, summary } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import type { CartJson, LineJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

const target = "cartLineId|cart_line_id|key|line";

/** Returns a cart of two lines: the raincoat x 2, the tote x 3. */
async function createCart(): Promise<{ client: Client; cart: CartJson; coat: LineJson; tote: LineJson }> {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  const { cart } = await add(client, variant.unlimited, 3);
  const [coat, tote] = cart.items;
  assert.ok(coat && tote);
  return { client, cart, coat, tote };
}

for (const path of ["/cart/change.js", "/cart/change", "/fr/cart/change.js"]) {
  test(`4.4 POST ${path} sets one line's quantity and returns the cart`, async () => {
    const { client } = await createCart();
    const cart = assertMutated(await client.post(path, { line: 2, quantity: 5 }));
    assert.deepEqual(summary(cart), [
      [String(variant.tracked), 2],
      [String(variant.unlimited), 5],
    ]);
    assert.deepEqual(await readCart(client).then(summary), summary(cart));
  });
}

const targets: readonly (readonly [string, (tote: LineJson) => object])[] = [
  ["line, 1-based", () => ({ line: 2 })],
  ["line as text", () => ({ line: "2" })],
  ["cartLineId", ({ key }) => ({ cartLineId: key })],
  ["cart_line_id", ({ key }) => ({ cart_line_id: key })],
  ["key", ({ key }) => ({ key })],
  ["id, a line key", ({ key }) => ({ id: key })],
  ["id, the variant id of a line", () => ({ id: variant.unlimited })],
  ["the first that resolves", ({ key }) => ({ line: 9, cartLineId: "nosuch", key })],
];
for (const [name, make] of targets) {
  test(`4.4 line target: ${name}`, async () => {
    const { client, tote } = await createCart();
    const cart = assertMutated(await client.post("/cart/change.js", { ...make(tote), quantity: 7 }));
    assert.deepEqual(
      cart.items.map(({ quantity }) => quantity),
      [2, 7],
    );
  });
}

test('4.4 quantity 0 removes the line, and so does "0"', async () => {
  const { client, tote } = await createCart();
  assert.deepEqual(summary(assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 0 }))), [
    [String(variant.unlimited), 3],
  ]);
  assert.equal(assertMutated(await client.post("/cart/change.js", { key: tote.key, quantity: "0" })).line_count, 0);
});

test("4.4 a second removal of the same line resolves no target", async () => {
  const { client, tote } = await createCart();
  assertMutated(await client.post("/cart/change.js", { key: tote.key, quantity: 0 }));
  assertInvalid(await client.post("/cart/change.js", { key: tote.key, quantity: 0 }), target, "required");
});

const nowhere: readonly object[] = [
  {},
  { line: 0 },
  { line: -1 },
  { line: 3 },
  { line: 1.5 },
  { line: "1x" },
  { line: null },
  { line: true },
  { line: [1] },
  { line: 1e9 },
  { line: "" },
  { line: "+1" },
  { line: {} },
  { key: "" },
  { key: null },
  { key: "a\0b" },
  { key: "nosuch" },
  { key: "__proto__" },
  { key: { $ne: null } },
  { cartLineId: "nosuch" },
  { cart_line_id: 1 },
  { id: variant.backorder },
];
for (const body of nowhere) {
  test(`4.4 a target that resolves to no line is rejected: ${JSON.stringify(body)}`, async () => {
    const { client, cart } = await createCart();
    assertInvalid(await client.post("/cart/change.js", { ...body, quantity: 1 }), target, "required");
    assert.deepEqual(await readCart(client), cart);
  });
}

test("4.4 a line of another shopper's cart is not a target, and both carts are unchanged", async () => {
  const mine = await createCart();
  const other = await createCart();
  assertInvalid(await mine.client.post("/cart/change.js", { key: other.tote.key, quantity: 0 }), target, "required");
  assert.deepEqual(await readCart(mine.client), mine.cart);
  assert.deepEqual(await readCart(other.client), other.cart);
});

for (const quantity of [undefined, null, -1, 1.5, "abc", "", true, [0], {}, "1e2", 10_000]) {
  test(`4.4 quantity ${JSON.stringify(quantity) ?? "absent"} is rejected and never deletes the line`, async () => {
    const { client, cart } = await createCart();
    assertInvalid(await client.post("/cart/change.js", { line: 1, quantity }), "quantity");
    assert.deepEqual(await readCart(client), cart);
  });
}

test("4.4 an invalid target is reported before an invalid quantity", async () => {
  const { client } = await createCart();
  assertInvalid(await client.post("/cart/change.js", { line: 9, quantity: "abc" }), target, "required");
});

test("4.4 a change without available stock is rejected like an add", async () => {
  const client = shop.client();
  await add(client, variant.scarce, 3);
  assertMutated(await client.post("/cart/add.js", { id: variant.backorder }));
  const items = [
    { id: variant.tracked, quantity: 10 },
    { id: variant.unlimited, quantity: 1 },
  ];
  assertMutated(await client.post("/cart/add.js", { items }));
  const before = await readCart(client);
  const raised = await client.post("/cart/update.js", { updates: { [variant.soldOut]: 1 } });
  assertCartError(raised, 422, "out_of_stock");
  assert.deepEqual(await readCart(client), before);
});

test("4.4 a lower quantity is always allowed, and other lines are unchanged", async () => {
  const { client, coat, tote } = await createCart();
  const cart = assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 1 }));
  assert.deepEqual(
    cart.items.map(({ key, quantity }) => [key, quantity]),
    [
      [coat.key, 1],
      [tote.key, 3],
    ],
  );
});

test("4.4 unknown fields are ignored", async () => {
  const { client } = await createCart();
  assertMutated(
    await client.post("/cart/change.js", { line: 1, quantity: 1, utm: "x", attributes: { a: 1 }, price: 0 }),
  );
});
