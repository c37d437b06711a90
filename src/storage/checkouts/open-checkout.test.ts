import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createCartWriter } from "../../cart/writer/cart-writer.ts";
import type { NewCheckout } from "../../checkout/checkouts.ts";
import { createCartStore } from "../cart-store.ts";
import { DatabaseUnavailableError } from "../database.ts";
import { openTestDatabase } from "../test-database.fixture.ts";
import { openCheckout, saveViewedCheckout } from "./open-checkout.ts";

const NOW = Date.UTC(2026, 0, 1);
const { database, close } = await openTestDatabase();
after(close);
const carts = createCartStore(database, "one");
const parts = { database, carts, cartWriter: createCartWriter(carts, 1_000), onStock: () => undefined };

function createCheckout(units: number): NewCheckout {
  const content = {
    amount: units * 100,
    reservations: [{ kind: "stock", id: "1", units }],
    priced: { cart: { lines: [] }, limitedDiscounts: [] },
  };
  const ids = { id: "checkout", cartId: "cart", cartCheckoutId: "checkout", revision: units };
  return { ...ids, reservedUntil: NOW + 60_000, content: content as unknown as NewCheckout["content"] };
}

test("a checkout reserves nothing if another request stored other items with its ID", async () => {
  await database.write([{ sql: "INSERT INTO stock_levels VALUES ('1', 10, 0, 1)", params: [] }]);
  await saveViewedCheckout(database, createCheckout(1), NOW);
  const requester = { network: "network", canReserve: () => true };
  const open = (units: number) => openCheckout(parts, createCheckout(units), requester, NOW);
  await assert.rejects(open(2), DatabaseUnavailableError);
  const readReservedUnits = () => database.read("SELECT held FROM stock_levels");
  assert.deepEqual(JSON.parse(JSON.stringify(await readReservedUnits())), [{ held: 0 }]);
  assert.deepEqual(await open(1), { outcome: "open" });
  assert.deepEqual(JSON.parse(JSON.stringify(await readReservedUnits())), [{ held: 1 }]);
});
