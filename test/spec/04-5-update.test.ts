import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, assertMutated, readCart, summary } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import type { CartJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ rows: [...rows, { kind: "gift_card", code: "GIFT-CCCC-ABCD", balance: 50 }] });

/** Returns a cart of three lines: the raincoat x 2, the tote x 3, the jumper x 1. */
async function createCart(): Promise<{ client: Client; cart: CartJson; keys: readonly string[] }> {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  await add(client, variant.unlimited, 3);
  const { cart } = await add(client, variant.backorder, 1);
  return { client, cart, keys: cart.items.map(({ key }) => key) };
}

const quantities = (cart: CartJson): readonly number[] => cart.items.map(({ quantity }) => quantity);

for (const path of ["/cart/update.js", "/cart/update", "/fr/cart/update"]) {
  test(`4.5 POST ${path}: updates maps line ids to quantities, and the response is the cart`, async () => {
    const { client, keys } = await createCart();
    const cart = assertMutated(await client.post(path, { updates: { [String(keys[0])]: 5, [String(keys[2])]: 4 } }));
    assert.deepEqual(quantities(cart), [5, 3, 4]);
    assert.deepEqual(quantities(await readCart(client)), [5, 3, 4]);
  });
}

test("4.5 updates is an array of quantities that match items by position", async () => {
  const { client } = await createCart();
  assert.deepEqual(quantities(assertMutated(await client.post("/cart/update.js", { updates: [1, 2, 3] }))), [1, 2, 3]);
  assert.deepEqual(
    quantities(assertMutated(await client.post("/cart/update.js", { updates: ["4", "5", "6"] }))),
    [4, 5, 6],
  );
});

test("4.5 a shorter array leaves the remaining lines unchanged, and a longer one is rejected", async () => {
  const { client } = await createCart();
  assert.deepEqual(quantities(assertMutated(await client.post("/cart/update.js", { updates: [7] }))), [7, 3, 1]);
  assertInvalid(await client.post("/cart/update.js", { updates: [1, 1, 1, 1] }), "updates");
  assert.deepEqual(quantities(await readCart(client)), [7, 3, 1]);
});

test("4.5 quantity 0 removes the line, in a map and in an array", async () => {
  const { client, keys } = await createCart();
  const cart = assertMutated(await client.post("/cart/update.js", { updates: { [String(keys[1])]: 0 } }));
  assert.deepEqual(quantities(cart), [2, 1]);
  assert.deepEqual(quantities(assertMutated(await client.post("/cart/update.js", { updates: [0, 0] }))), []);
});

test("4.5 keys of the map may be variant ids, which set a line or add one", async () => {
  const { client } = await createCart();
  const updates = { [variant.unlimited]: 8, [variant.notShipped]: 2 };
  const cart = assertMutated(await client.post("/cart/update.js", { updates }));
  assert.deepEqual(summary(cart), [
    [String(variant.tracked), 2],
    [String(variant.unlimited), 8],
    [String(variant.backorder), 1],
    [String(variant.notShipped), 2],
  ]);
});

for (const key of ["nosuch", String(variant.unknown), String(variant.unpublished), "constructor"]) {
  test(`4.5 an unknown key is rejected and nothing is applied: ${key}`, async () => {
    const { client, cart, keys } = await createCart();
    const updates = { [String(keys[0])]: 9, [key]: 1 };
    assertInvalid(await client.post("/cart/update.js", { updates }), `updates.${key}`, "exists");
    assert.deepEqual(await readCart(client), cart);
  });
}

for (const bad of [-1, 1.5, null, "abc", true, [1], {}, "", 10_000]) {
  test(`4.5 quantity ${JSON.stringify(bad)} is rejected, and the cart is unchanged`, async () => {
    const { client, cart, keys } = await createCart();
    const key = String(keys[0]);
    assertInvalid(
      await client.post("/cart/update.js", { updates: { [String(keys[1])]: 5, [key]: bad } }),
      `updates.${key}`,
    );
    assertInvalid(await client.post("/cart/update.js", { updates: [5, bad] }), "updates.1");
    assert.deepEqual(await readCart(client), cart);
  });
}

for (const updates of [null, "x", 1, true]) {
  test(`4.5 updates ${JSON.stringify(updates)} is rejected`, async () => {
    assertInvalid(await (await createCart()).client.post("/cart/update.js", { updates }), "updates");
  });
}

test("4.5 updates may be an empty map", async () => {
  const { client } = await createCart();
  assert.deepEqual(quantities(assertMutated(await client.post("/cart/update.js", { updates: {} }))), [2, 3, 1]);
});

test("4.5 note is an optional string, alone or with updates", async () => {
  const { client } = await createCart();
  assert.equal(assertMutated(await client.post("/cart/update.js", { note: "Hello\nthere" })).note, "Hello\nthere");
  const both = assertMutated(await client.post("/cart/update.js", { note: "Again", updates: [5] }));
  assert.deepEqual([both.note, both.items[0]?.quantity], ["Again", 5]);
  assert.equal(assertMutated(await client.post("/cart/update.js", { updates: [6] })).note, "Again");
});

for (const note of ["", null]) {
  test(`4.5 note ${JSON.stringify(note)} unsets the note`, async () => {
    const { client } = await createCart();
    assertMutated(await client.post("/cart/update.js", { note: "Hello" }));
    assert.ok(!("note" in assertMutated(await client.post("/cart/update.js", { note }))));
    assert.ok(!("note" in (await readCart(client))));
  });
}

for (const codes of [{ discount: 1 }, { discount: [1] }, { discount: { toString: 1 } }, { gift_cards: true }]) {
  test(`4.5 codes ${JSON.stringify(codes)} are rejected`, async () => {
    const [field = ""] = Object.keys(codes);
    assertInvalid(await shop.client().post("/cart/update.js", codes), field, "string");
  });
}

test("4.5 a gift card code applies with the spaces with which its page shows it, once", async () => {
  const { client } = await createCart();
  for (const gift_cards of ["gift -aaa A-12 34", "GIFT-AAAA-1234,gift -aaa A-12 34"]) {
    const cart = assertMutated(await client.post("/cart/update.js", { gift_cards }));
    assert.deepEqual(cart.gift_cards, [{ code: "••••1234", amount: 1_000 }]);
  }
});

test("4.5 a gift card of the cart is kept by its masked code", async () => {
  const { client } = await createCart();
  const first = { code: "••••ABCD", amount: 50 };
  const second = { code: "••••1234", amount: 1_000 };
  await client.post("/cart/update.js", { gift_cards: "gift-cccc-abcd" });
  const cart = assertMutated(await client.post("/cart/update.js", { gift_cards: `${first.code},GIFT-AAAA-1234` }));
  assert.deepEqual(cart.gift_cards, [first, second]);
  // A misspelled code has the same last characters as the card.
  await client.post("/cart/update.js", { gift_cards: `${second.code},GIFT-AAAB-1234` });
  const { gift_cards, issues } = assertMutated(await client.post("/cart/update.js", { gift_cards: second.code }));
  assert.deepEqual([gift_cards, issues], [[second], []]);
});

test("4.5 a note has at most 5,000 characters", async () => {
  const { client } = await createCart();
  assert.equal(assertMutated(await client.post("/cart/update.js", { note: "x".repeat(5_000) })).note?.length, 5_000);
  assertInvalid(await client.post("/cart/update.js", { note: "x".repeat(5_001) }), "note");
});

for (const note of [1, {}, ["x"], true, "a\0b", "\ud800"]) {
  test(`4.5 note ${JSON.stringify(note)} is rejected`, async () => {
    assertInvalid(await (await createCart()).client.post("/cart/update.js", { note, updates: [1] }), "note");
  });
}

test("4.5 a body with none of the fields is rejected: updates|note, required", async () => {
  const { client } = await createCart();
  assertInvalid(await client.post("/cart/update.js", {}), "updates|note", "required");
  assertInvalid(await client.post("/cart/update.js", { quantity: 1 }), "updates|note", "required");
  for (const body of [{ attributes: {} }, { discount: "" }, { gift_cards: "" }, { sections: "one" }]) {
    assertMutated(await client.post("/cart/update.js", body));
  }
});

test("4.5 a quantity above stock is reduced to stock with an issue", async () => {
  const { client } = await createCart();
  const cart = assertMutated(await client.post("/cart/update.js", { updates: [99, 4] }));
  assert.deepEqual([quantities(cart), cart.issues.map(({ code }) => code)], [[10, 4, 1], ["inventory_cap"]]);
});

test("4.5 an update without available stock is rejected like an add", async () => {
  const { client, cart } = await createCart();
  const updates = { [variant.unlimited]: 9, [variant.soldOut]: 1 };
  assertCartError(await client.post("/cart/update.js", { updates, note: "x" }), 422, "out_of_stock");
  assert.deepEqual(await readCart(client), cart);
});
