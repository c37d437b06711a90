import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInvalid, assertMutated, readCart, summary } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import type { CartJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const parent = { id: variant.tracked };
const warranty = { id: variant.notShipped, parent_id: variant.tracked };

/** Returns the variant of each line, indented by two spaces if the line is nested. */
function outline({ items }: CartJson): readonly string[] {
  return items.map(({ variant_id, parent_relationship }) => `${parent_relationship === null ? "" : "  "}${variant_id}`);
}

async function addItems(client: Client, ...items: readonly object[]): Promise<CartJson> {
  return assertMutated(await client.post("/cart/add.js", { items }));
}

test("4.3 an item with parent_id becomes a line after its parent, whose key it names", async () => {
  const client = shop.client();
  await addItems(client, { id: variant.unlimited });
  const cart = await addItems(client, warranty, parent, { id: variant.backorder });
  assert.deepEqual(outline(cart), ["21", "11", "  51", "71"]);
  const [, parentLine, nestedLine] = cart.items;
  assert.deepEqual(nestedLine?.parent_relationship, { parent_key: parentLine?.key });
  assert.deepEqual(nestedLine?.instructions, { can_remove: true, can_update_quantity: true });
  assert.deepEqual((await readCart(client)).items, cart.items);
});

test("4.3 parent_line_key adds to a line of the cart, and equal nested lines are merged", async () => {
  const client = shop.client();
  const { items } = await addItems(client, parent, { id: variant.unlimited });
  const nested = { id: variant.notShipped, parent_line_key: items[0]?.key };
  const engraved = { ...nested, properties: { Name: "Ada" } };
  const cart = await addItems(client, nested, engraved, nested, { id: variant.notShipped });
  assert.deepEqual(outline(cart), ["11", "  51", "  51", "21", "51"]);
  assert.deepEqual(
    cart.items.map(({ quantity }) => quantity),
    [1, 2, 1, 1, 1],
  );
});

test("4.3 each of two equal products in one request can have its own nested line", async () => {
  const shirt = (name: string) => ({ id: variant.unlimited, properties: { name } });
  const engraving = { id: variant.notShipped, parent_id: variant.unlimited };
  const cart = await addItems(shop.client(), shirt("a"), engraving, shirt("b"), engraving);
  assert.deepEqual(outline(cart), ["21", "  51", "21", "  51"]);
});

test("4.4 to 4.6 a line is removed with its nested lines, and a nested line alone", async () => {
  const removals = [
    (key: string) => ["/cart/change.js", { key, quantity: 0 }] as const,
    (key: string) => ["/cart/update.js", { updates: { [key]: 0 } }] as const,
    (_: string) => ["/cart/update.js", { updates: [0, 5, 1] }] as const,
  ];
  for (const removal of removals) {
    const client = shop.client();
    const { items } = await addItems(client, parent, warranty, { id: variant.unlimited });
    const [path, body] = removal(items[0]?.key ?? "");
    const cart = assertMutated(await client.post(path, body));
    assert.deepEqual([cart.issues, summary(cart)], [[], [["21", 1]]], path);
  }
  const client = shop.client();
  const { items } = await addItems(client, parent, warranty);
  const changed = assertMutated(await client.post("/cart/change.js", { key: items[1]?.key, quantity: 3 }));
  assert.deepEqual(summary(changed), [
    ["11", 1],
    ["51", 3],
  ]);
  const cart = assertMutated(await client.post("/cart/change.js", { key: items[1]?.key, quantity: 0 }));
  assert.deepEqual(outline(cart), ["11"]);
});

test("4.3 an invalid parent is rejected, naming the field and the rule", async () => {
  const client = shop.client();
  const { items } = await addItems(client, parent, warranty);
  const item = { id: variant.unlimited };
  for (const [body, field, rule] of [
    [{ ...item, parent_id: variant.tracked }, "parent_id", "exists"],
    [{ items: [item, { ...item, parent_id: variant.unlimited }] }, "items.1.parent_id", "circular"],
    [{ items: [parent, warranty, { ...item, parent_id: variant.notShipped }] }, "items.2.parent_id", "depth"],
    [{ ...item, parent_id: {} }, "parent_id", "exists"],
    [{ ...item, parent_line_key: "21:gone" }, "parent_line_key", "exists"],
    [{ ...item, parent_line_key: 7 }, "parent_line_key", "string"],
    [{ ...item, parent_line_key: items[1]?.key }, "parent_line_key", "depth"],
    [{ ...parent, parent_line_key: items[0]?.key }, "parent_line_key", "circular"],
    [{ ...item, parent_id: 11, parent_line_key: items[0]?.key }, "parent_id", "conflict"],
  ] as const)
    assertInvalid(await client.post("/cart/add.js", body), field, rule);
  assert.equal((await readCart(client)).line_count, 2);
});

test("4.4 a line with nested lines is not merged into an equal line", async () => {
  const client = shop.client();
  const { items } = await addItems(client, { ...parent, properties: { a: "1" } }, parent, {
    ...warranty,
    properties: { for: "2" },
  });
  const [first, second] = items;
  const cart = assertMutated(await client.post("/cart/change.js", { key: second?.key, properties: { a: "1" } }));
  assert.deepEqual(outline(cart), ["11", "11", "  51"]);
  assert.notEqual(first?.key, second?.key);
});
