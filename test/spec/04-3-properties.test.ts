import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const id = variant.unlimited;

const named = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, "x"]));

test("4.3 numbers and booleans in properties are stored as text", async () => {
  const client = shop.client();
  const properties = '{"a":1,"b":1.50,"c":-0.5,"d":12345678901234567890,"e":2e3,"f":true,"g":false,"h":""}';
  const cart = assertMutated(await client.post("/cart/add.js", `{"id":${id},"properties":${properties}}`));
  const texts = { a: "1", b: "1.50", c: "-0.5", d: "12345678901234567890", e: "2e3", f: "true", g: "false", h: "" };
  assert.deepEqual(cart.items[0]?.properties, texts);
  // Equal properties in string form match the same line.
  assert.equal(assertMutated(await client.post("/cart/add.js", { id, properties: texts })).line_count, 1);
});

test("4.3 a property that is null is absent", async () => {
  const client = shop.client();
  const properties = { Engraving: "Petrel", Gift: null };
  const cart = assertMutated(await client.post("/cart/add.js", { id, properties }));
  assert.deepEqual(cart.items[0]?.properties, { Engraving: "Petrel" });
  assertMutated(await client.post("/cart/add.js", { items: [{ id, properties: { Engraving: "Petrel" } }] }));
  const changed = assertMutated(await client.post("/cart/change.js", { line: 1, properties: { Engraving: null } }));
  assert.deepEqual([changed.line_count, changed.item_count, changed.items[0]?.properties], [1, 2, {}]);
});

for (const [name, good, bad] of [
  ["50 properties", named(50), named(51)],
  ["names of 255 characters", { ["é".repeat(255)]: "x" }, { ["é".repeat(256)]: "x" }],
  ["texts of 1,000 characters", { a: "⚓".repeat(1_000), b: "🚢".repeat(1_000) }, { a: "🚢".repeat(1_001) }],
] as const) {
  test(`4.3 a line has at most ${name}`, async () => {
    const client = shop.client();
    const before = await add(client, variant.tracked);
    assertInvalid(await client.post("/cart/add.js", { id, properties: bad }), "properties", "max");
    const items = [{ id }, { id, properties: bad }];
    assertInvalid(await client.post("/cart/add.js", { items }), "items.1.properties", "max");
    const item = { product: { variantId: id, properties: bad } };
    assertInvalid(await client.post("/api/cart/buyNowCheckout", { item }), "item.product.properties", "max");
    assert.equal((await readCart(client)).revision, before.revision);
    assertMutated(await client.post("/cart/add.js", { id, properties: good }));
  });
}

for (const bad of [{ a: [] }, { a: {} }, { a: "\0" }, [], "x", 1.5]) {
  test(`4.3 properties ${JSON.stringify(bad)} are rejected`, async () => {
    const client = shop.client();
    assertInvalid(await client.post("/cart/add.js", { id, properties: bad }), "properties", "strings");
  });
}

test("4.3 text in a cart is limited to 64 KiB in total, and existing text can stay and be removed at the limit", async () => {
  const client = shop.client();
  // The line has 20 strings of 1,000 bytes each, with names of two bytes.
  const line = (first: string): object =>
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [String(10 + n), first.padEnd(1_000, "x")]));
  for (const first of ["a", "b", "c"])
    assertMutated(await client.post("/cart/add.js", { id, properties: line(first) }));
  const full = await readCart(client);
  const field = "properties|note|discount|gift_cards";
  assertInvalid(await client.post("/cart/add.js", { id, properties: line("d") }), field, "max");
  assert.deepEqual(await readCart(client), full);
  assertMutated(await client.post("/cart/update.js", { note: "n".repeat(5_000) }));
  // The limit leaves 416 bytes after 65,120.
  const rest = { r: "x".repeat(416) };
  assertInvalid(await client.post("/cart/add.js", { id, properties: rest }), field, "max");
  assertMutated(await client.post("/cart/add.js", { id, properties: { r: "x".repeat(415) } }));
  assertInvalid(await client.post("/cart/update.js", { discount: "X" }), field, "max");
  assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 9 }));
  assertMutated(await client.post("/cart/add.js", { id: variant.tracked }));
  assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 0 }));
  assertMutated(await client.post("/cart/add.js", { id, properties: line("d") }));
});

test("4.3 a duplicate name in an object is detected with any white space before its colon", async () => {
  const client = shop.client();
  for (const count of [0, 63, 64, 70, 10_000]) {
    for (const blank of [" ", "\t", "\r\n"]) {
      const body = `{"id":${id},"id"${blank.repeat(count)}:${variant.tracked}}`;
      assertInvalid(await client.post("/cart/add.js", body), "body", "json");
    }
  }
  assertMutated(await client.post("/cart/add.js", `{"id"${" ".repeat(70)}:${id},"x":"id"}`));
});
