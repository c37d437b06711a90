import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY_MS } from "../../runtime/durations.ts";
import { dayOf, getDecayFactor } from "../../signals/decay.ts";
import { openTestDatabase } from "../test-database.fixture.ts";
import { countPurchases } from "./count-purchases.ts";
import { readTotals } from "./read-totals.ts";
import { counterOptions } from "./signals.fixture.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const { database, close } = await openTestDatabase();
after(close);

let orders = 0;
/** @param products ids of products, separated by "+"  @param discount amount that a discount on the cart takes off */
async function placeOrder(
  products: string,
  email: string,
  { payment = "paid", price = 100, discount = 0 } = {},
): Promise<string> {
  orders += 1;
  const id = `order ${orders}`;
  const lines = products.split("+").map((product) => ({
    finalLinePrice: price,
    cartShares: discount === 0 ? [] : [{ amount: discount }],
    product: { id: product },
  }));
  const content = { priced: { lines }, delivery: { email } };
  await database.write([
    {
      sql: `INSERT INTO orders (id, number, checkout_id, state, payment, content, notes, created_at)
        VALUES ($1, $2, $1, 'open', $3, $4, '[]', $5)`,
      params: [id, orders, payment, JSON.stringify(content), NOW],
    },
  ]);
  return id;
}

const setColumn = (id: string, column: "state" | "payment", value: string): Promise<unknown> =>
  database.write([{ sql: `UPDATE orders SET ${column} = $2 WHERE id = $1`, params: [id, value] }]);

/**
 * Counts the orders on three servers at the same time. Returns the products with enough buyers to be shown, and their
 * weights.
 */
async function sales(): Promise<readonly string[]> {
  const options = { now: NOW + DAY_MS, digest: counterOptions.digest };
  await Promise.all([1, 2, 3].map(() => countPurchases(database, options)));
  const totals = await readTotals(database, NOW + DAY_MS, { clicks: false, sales: true });
  const storedRows = await database.read("SELECT product, weight FROM signal_counts WHERE kind = 'bought'");
  const weights = new Map(
    storedRows.map(({ product, weight }) => [product, Number(weight) / getDecayFactor(dayOf(NOW))]),
  );
  return totals.sales.map(({ id }) => `${id} ${weights.get(id)?.toFixed(3)}`).sort();
}

test("each paid order counts once on any number of servers, from five buyers on, and no longer once it is canceled", async () => {
  const buyers = Array.from({ length: 8 }, (_, n) => `buyer-${n}@example.com`);
  const orderIds = await Promise.all(buyers.map((buyer) => placeOrder("lantern", buyer)));
  for (const buyer of buyers.slice(0, 4)) await placeOrder("of four", buyer);
  for (let n = 0; n < 300; n += 1) await placeOrder("of one", n % 2 === 0 ? "Ada@example.com" : "ada@example.com ");
  for (const buyer of buyers) await placeOrder("free", buyer, { price: 0 });
  for (const buyer of buyers) await placeOrder("free with a code", buyer, { discount: 100 });
  const unpaid = await Promise.all(buyers.map((buyer) => placeOrder("unpaid", buyer, { payment: "pending" })));
  assert.deepEqual(await sales(), ["lantern 8.000"]);
  assert.deepEqual(await sales(), ["lantern 8.000"]);
  for (const id of orderIds.slice(0, 2)) await setColumn(id, "state", "cancelled");
  for (const id of unpaid.slice(0, 7)) await setColumn(id, "payment", "paid");
  assert.deepEqual(await sales(), ["lantern 6.000", "unpaid 7.000"]);
  for (const id of orderIds) await setColumn(id, "state", "cancelled");
  assert.deepEqual(await sales(), ["unpaid 7.000"]);
});

test("products of one order count as bought together, from five buyers on, until the orders are canceled", async () => {
  const buyers = Array.from({ length: 8 }, (_, n) => `pair-${n}@example.com`);
  const orderIds = await Promise.all(buyers.map((buyer) => placeOrder("tent+mat", buyer)));
  for (let n = 0; n < 20; n += 1) await placeOrder("tent+stove", "ada@example.com");
  const pairs = async (): Promise<readonly unknown[]> => {
    await sales();
    return (await readTotals(database, NOW + DAY_MS, { clicks: false, sales: true })).pairs.map(({ ids }) => ids);
  };
  assert.deepEqual(await pairs(), [["mat", "tent"]]);
  for (const id of orderIds) await setColumn(id, "state", "cancelled");
  assert.deepEqual(await pairs(), []);
});
