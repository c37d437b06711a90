import { sumRefunds } from "../../checkout/order.ts";
import type { SalesReport } from "../../console/console.ts";
import { type CartDatabases, listCartDatabases } from "../cart-databases/open-cart-databases.ts";
import type { Database } from "../database.ts";
import { readOrders } from "./order-rows.ts";

/**
 * Computes the revenue and the numbers of orders, carts, and checkouts in a period, without test orders, and without the
 * carts in databases that are unavailable.
 * @param startTime start of the period, in milliseconds since 1970
 */
export async function readSalesReport(
  database: Database,
  cartDatabases: CartDatabases,
  startTime: number,
): Promise<SalesReport> {
  const [cartCounts, [checkouts]] = await Promise.all([
    Promise.all(listCartDatabases(database, cartDatabases).map((one) => countCarts(one, startTime))),
    // Both columns are in one index, so that the large rows are not read.
    database.read(
      `SELECT COUNT(DISTINCT cart_checkout_id) AS checkouts FROM checkouts
        WHERE created_at >= $1 AND cart_checkout_id NOT IN (${formatTestOrderSql("cart_checkout_id")})`,
      [startTime],
    ),
  ]);
  const counts = { orderCount: 0, canceledCount: 0, unpaidCount: 0, revenue: 0 };
  for await (const orders of readOrders(database, startTime))
    for (const order of orders) {
      if (order.content.isTest === true) continue;
      if (order.state === "cancelled") {
        counts.canceledCount += 1;
        continue;
      }
      counts.orderCount += 1;
      if (order.payment === "unpaid") counts.unpaidCount += 1;
      counts.revenue += order.content.amount - sumRefunds(order);
    }
  return {
    ...counts,
    cartCount: cartCounts.reduce((sum, count) => sum + count, 0),
    checkoutCount: Number(checkouts?.checkouts ?? 0),
  };
}

async function countCarts(database: Database, startTime: number): Promise<number> {
  // Carts of test orders are in the main database. Other databases have no orders.
  const [row] = await database.read(
    `SELECT COUNT(*) AS carts FROM carts WHERE updated_at >= $1 AND id NOT IN (${formatTestOrderSql("cart_id")})`,
    [startTime],
  );
  return Number(row?.carts ?? 0);
}

/** Returns SQL that selects a column of the checkouts of test orders. */
function formatTestOrderSql(column: "cart_id" | "cart_checkout_id"): string {
  return `SELECT c.${column} FROM orders o JOIN checkouts c ON c.id = o.checkout_id WHERE o.is_test = 1`;
}
