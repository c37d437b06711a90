import { refundedAmount } from "../../checkout/order.ts";
import type { SalesReport } from "../../console/console.ts";
import type { Database } from "../database.ts";
import { readOrders } from "./order-store.ts";

/** Reads the orders, carts, and checkouts of a period.  @param startTime start, in milliseconds since 1970 */
export async function readSalesReport(database: Database, startTime: number): Promise<SalesReport> {
  const [[carts], [checkouts]] = await Promise.all([
    database.read("SELECT COUNT(*) AS carts FROM carts WHERE updated_at >= $1", [startTime]),
    // Both columns are in one index, so that the large rows are not read.
    database.read("SELECT COUNT(DISTINCT cart_checkout_id) AS checkouts FROM checkouts WHERE created_at >= $1", [
      startTime,
    ]),
  ]);
  const counts = { orderCount: 0, canceledCount: 0, unpaidCount: 0, revenue: 0 };
  for await (const orders of readOrders(database, startTime))
    for (const order of orders) {
      if (order.state === "cancelled") {
        counts.canceledCount += 1;
        continue;
      }
      counts.orderCount += 1;
      if (order.payment === "unpaid") counts.unpaidCount += 1;
      counts.revenue += order.content.amount - refundedAmount(order);
    }
  return { ...counts, cartCount: Number(carts?.carts ?? 0), checkoutCount: Number(checkouts?.checkouts ?? 0) };
}
