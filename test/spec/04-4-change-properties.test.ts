import assert from "node:assert/strict";
import { test } from "node:test";
import { assertCartError, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const id = variant.unlimited;

/** Returns a client whose cart has a tote without properties and two with properties. */
async function createCart(): Promise<Client> {
  const client = shop.client();
  const items = [{ id }, { id, quantity: 2, properties: { For: "Ada" } }];
  assertMutated(await client.post("/cart/add.js", { items }));
  return client;
}

test("4.4 change replaces all properties of a line and preserves its key, position and an omitted quantity", async () => {
  const client = await createCart();
  const before = (await readCart(client)).items;
  const cart = assertMutated(
    await client.post("/cart/change.js", { line: 2, properties: { By: "Grace", Wrap: true } }),
  );
  assert.deepEqual(cart.items[1], { ...before[1], properties: { By: "Grace", Wrap: "true" } });
  assert.deepEqual(cart.items[0], before[0]);
  const both = assertMutated(
    await client.post("/cart/change.js", { line: 2, quantity: 5, properties: { By: "Joan" } }),
  );
  assert.deepEqual([both.items[1]?.quantity, both.items[1]?.properties], [5, { By: "Joan" }]);
  assert.deepEqual(assertMutated(await client.post("/cart/change.js", { line: 2, quantity: 4 })).items[1]?.properties, {
    By: "Joan",
  });
});

test("4.4 a line that becomes equal to another is merged into it: the other's key and position stay, quantities add up", async () => {
  const client = await createCart();
  const [plain] = (await readCart(client)).items;
  const cart = assertMutated(await client.post("/cart/change.js", { line: 2, properties: {} }));
  assert.deepEqual(
    cart.items.map(({ key, quantity }) => [key, quantity]),
    [[plain?.key, 3]],
  );
});

test("4.4 merged lines share the available stock", async () => {
  const client = shop.client();
  const items = [{ id: variant.scarce }, { id: variant.scarce, quantity: 2, properties: { For: "Ada" } }];
  assertMutated(await client.post("/cart/add.js", { items }));
  const cart = assertMutated(await client.post("/cart/change.js", { line: 2, quantity: 9, properties: {} }));
  assert.deepEqual(
    cart.items.map(({ quantity }) => quantity),
    [3],
  );
  assert.equal(cart.issues[0]?.code, "inventory_cap");
});

test("4.4 invalid properties are rejected after an invalid target, and without properties a quantity is required", async () => {
  const client = await createCart();
  assertInvalid(await client.post("/cart/change.js", { line: 2, properties: "x" }), "properties", "strings");
  assertInvalid(await client.post("/cart/change.js", { line: 9, properties: "x" }), "cartLineId|cart_line_id|key|line");
  assertInvalid(await client.post("/cart/change.js", { line: 2, properties: null }), "quantity");
  assertInvalid(await client.post("/cart/change.js", { line: 2 }), "quantity");
  assert.equal((await readCart(client)).revision, 1);
});

test("4.4 quantity 0 removes the line without regard to properties", async () => {
  const client = await createCart();
  const cart = assertMutated(
    await client.post("/cart/change.js", { line: 2, quantity: 0, properties: { By: "Joan" } }),
  );
  assert.equal(cart.items.length, 1);
});

test("4.4 the text limit of a cart applies to changed properties", async () => {
  const client = await createCart();
  const properties = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, "🚢".repeat(1_000)]));
  assertCartError(await client.post("/cart/change.js", { line: 2, properties }), 413, "payload_too_large");
  const half = Object.fromEntries(Object.entries(properties).slice(0, 14));
  assertMutated(await client.post("/cart/change.js", { line: 1, properties: half }));
  assertInvalid(
    await client.post("/cart/change.js", { line: 2, properties: { ...half, one: "more" } }),
    "properties|note|discount|gift_cards",
    "max",
  );
});
