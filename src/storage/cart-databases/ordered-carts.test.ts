import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openTestDatabase } from "../test-database.fixture.ts";
import { removeAllOrderedItems } from "./ordered-carts.ts";

const { database, close } = await openTestDatabase();
after(close);

test("orders of an unavailable database do not delay those of others", async () => {
  const carts = [...Array.from({ length: 600 }, (_, index) => `_b_${index}`), "_a_1"];
  await database.write(
    carts.map((cartId, index) => ({
      sql: "INSERT INTO ordered_carts (order_id, cart_id, ordered_at) VALUES ($1, $2, $3)",
      params: [`order ${index}`, cartId, index],
    })),
  );
  const parts = {
    database,
    carts: { findStoredCart: async () => undefined, getSeparateDatabase: () => database },
    cartWriter: { saveWithStatements: () => Promise.reject(new Error("no cart exists")) },
  };
  const databases = ["a", "b"].map((name) => ({
    name,
    database,
    acceptsNewCarts: true,
    isAvailable: () => name === "a",
  }));
  await removeAllOrderedItems(parts, new Map(databases.map((one) => [one.name, one])));
  assert.deepEqual(await database.read("SELECT 1 FROM ordered_carts WHERE cart_id = '_a_1'"), []);
});
