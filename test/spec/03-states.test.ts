import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertMutated, readCart, summary } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

test("3 setting a line quantity to 0 removes the line, by change and by update", async () => {
  const client = shop.client();
  for (const id of [variant.tracked, variant.unlimited, variant.backorder]) await add(client, id);
  assertMutated(await client.post("/cart/change.js", { line: 2, quantity: 0 }));
  assert.deepEqual(summary(await readCart(client)), [
    [String(variant.tracked), 1],
    [String(variant.backorder), 1],
  ]);
  assertMutated(await client.post("/cart/update.js", { updates: [0] }));
  assert.deepEqual(summary(await readCart(client)), [[String(variant.backorder), 1]]);
});

test("3 clearing the cart leaves zero lines and item_count 0", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  await add(client, variant.unlimited);
  const cleared = assertMutated(await client.post("/cart/clear.js", {}));
  assert.deepEqual([cleared.line_count, cleared.item_count, cleared.items], [0, 0, []]);
  const cart = await readCart(client);
  assert.deepEqual([cart.line_count, cart.item_count, cart.items], [0, 0, []]);
});

test("3 a cleared cart can be filled again", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  await client.post("/cart/clear.js", {});
  assert.equal((await add(client, variant.unlimited)).item_count, 1);
});
