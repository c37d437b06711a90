import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { add, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import type { CartJson } from "../support/replies.ts";
import { makeStore, startShop, testSecret } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";

const DEAR = 1_000_000_000_000;
/** Variant ids: one with a price of 1,000,000,000,000, and the first of three thousand with a price of 100. */
const [expensive, cheap] = [7_001, 10_000];
const crates = Array.from({ length: 300 }, (_, n) => {
  const sizes = Array.from({ length: 10 }, (_, m) => ({ id: cheap + 10 * n + m, price: 100, options: [`Size ${m}`] }));
  return { ...product(8_000 + n, `crate-${n}`, `Crate ${n}`, sizes), options: ["Size"] };
});
const shop = await startShop({
  rows: [...rows, product(7_001, "figurehead", "Figurehead", [{ id: expensive, price: DEAR }]), ...crates],
});

const quantities = (cart: CartJson): readonly number[] => cart.items.map(({ quantity }) => quantity);
/** Adds `count` lines of one variant that differ in a property. */
const addLines = async (client: Client, count: number): Promise<CartJson> => {
  const items = Array.from({ length: count }, (_, n) => ({ id: variant.unlimited, properties: { n: String(n) } }));
  return assertMutated(await client.post("/cart/add.js", { items }));
};

test("8 carts above a lowered cart.maxLines or cart.maxQuantity allow every edit except growth", async () => {
  const { databaseUrl } = await freshDatabase();
  const storeDir = await makeStore({});
  after(() => rm(storeDir, { recursive: true, force: true }));
  const serve = async <T>(cart: object, visit: (client: Client) => Promise<T>, from?: Client): Promise<T> => {
    const source = databaseUrl === undefined ? {} : { databaseUrl };
    const config = { cart };
    const app = await createApp({ storeDir, config, secret: testSecret, logLevel: "silent", ...source });
    try {
      const client = createClient(await app.listen("127.0.0.1", 0));
      for (const [name, value] of from?.cookies ?? []) client.cookies.set(name, value);
      return await visit(client);
    } finally {
      await app.close();
    }
  };
  const before = await serve({ maxLines: 10 }, async (client) => {
    await addLines(client, 6);
    return client;
  });
  await serve(
    { maxLines: 3 },
    async (client) => {
      assert.equal(assertMutated(await client.post("/cart/update.js", { note: "Ring" })).line_count, 6);
      assert.equal(assertMutated(await client.post("/cart/update.js", { updates: [0] })).line_count, 5);
      assert.equal(assertMutated(await client.post("/cart/update.js", { updates: [3, 2] })).line_count, 5);
      assert.equal(assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 0 })).line_count, 4);
      const same = { id: variant.unlimited, properties: { n: "5" } };
      assert.deepEqual(quantities(assertMutated(await client.post("/cart/add.js", same))), [2, 1, 1, 2]);
      assertInvalid(await client.post("/cart/add.js", { id: variant.tracked }), "items", "max");
      assertInvalid(await client.post("/cart/update.js", { updates: { [variant.tracked]: 1 } }), "items", "max");
      const first = String((await readCart(client)).items[0]?.key);
      const swap = { updates: { [first]: 0, [variant.tracked]: 1 } };
      assert.equal(assertMutated(await client.post("/cart/update.js", swap)).line_count, 4);
    },
    before,
  );
  await serve(
    { maxQuantity: 50 },
    async (client) => void assertMutated(await client.post("/cart/update.js", { updates: [50, 5] })),
    before,
  );
  await serve(
    { maxQuantity: 20 },
    async (client) => {
      assert.deepEqual(
        quantities(assertMutated(await client.post("/cart/update.js", { updates: [50, 6, 0, 0] }))),
        [50, 6],
      );
      assertInvalid(await client.post("/cart/update.js", { updates: [50, 21] }), "updates.1", "max");
      assertInvalid(await client.post("/cart/change.js", { line: 1, quantity: 51 }), "quantity", "max");
      assert.deepEqual(
        quantities(assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 49 }))),
        [49, 6],
      );
    },
    before,
  );
});

test("8 no edit creates a total beyond exact integers, and edits that do not raise it succeed", async () => {
  const client = shop.client();
  const first = await add(client, expensive, 9_000);
  const tooMuch = { line: 1, quantity: 9_999 };
  for (const [path, body] of [
    ["/cart/change.js", tooMuch],
    ["/cart/update.js", { updates: [9_999] }],
    ["/cart/add.js", { id: expensive, quantity: 999 }],
  ] as const)
    assertInvalid(await client.post(path, body), "quantity", "max");
  assert.equal((await readCart(client)).total_price_cents, 9_000 * DEAR);
  assert.equal(assertMutated(await client.post("/cart/update.js", { note: "Ring" })).revision, first.revision + 1);
});

test("8 an update with three thousand keys is rejected and changes nothing", async () => {
  const client = shop.client();
  const before = await add(client, variant.unlimited);
  const update = (quantity: number): object => ({
    updates: Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [cheap + n, quantity])),
  });
  assertInvalid(await client.post("/cart/update.js", update(1)), "items", "max");
  // An update with only zeros changes nothing.
  assert.equal(assertMutated(await client.post("/cart/update.js", update(0))).revision, before.revision);
});

test("8 a quantity by line key takes precedence over one by variant for the same line", async () => {
  const client = shop.client();
  const { items } = await add(client, variant.unlimited, 4);
  const key = String(items[0]?.key);
  const update = async (byKey: number, byVariant: number): Promise<readonly number[]> => {
    const updates = { [key]: byKey, [variant.unlimited]: byVariant };
    return quantities(assertMutated(await client.post("/cart/update.js", { updates })));
  };
  assert.deepEqual(await update(2, 7), [2]);
  assert.deepEqual(await update(9, 1), [9]);
  assert.deepEqual(await update(3, 0), [3]);
  assert.deepEqual(await update(0, 5), []);
});
