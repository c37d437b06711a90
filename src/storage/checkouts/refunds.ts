import { type DueRefund, type Order, type RefundReason, sumRefunds } from "../../checkout/order.ts";
import type { Database, Statement } from "../database.ts";

/**
 * Reads the payments that the merchant has to refund, oldest first.
 * @param orderId ID of an order. Default: all payments, also without an order
 */
export async function readRefundsDue(database: Database, orderId?: string): Promise<readonly DueRefund[]> {
  const rows = await database.read(
    `SELECT p.reference, p.checkout_id, p.order_id, o.number, p.amount, p.currency, p.received_at, o.refunds,
        COALESCE(p.refund, 'order_cancelled') AS reason
      FROM payments p LEFT JOIN orders o ON o.id = p.order_id
      WHERE ${formatRefundDueSql("o.state")}
        ${orderId === undefined ? "" : "AND p.order_id = $1"}
      ORDER BY p.received_at, p.reference`,
    orderId === undefined ? [] : [orderId],
  );
  return rows.map((row) => ({
    reference: String(row.reference),
    checkoutId: String(row.checkout_id),
    ...(row.order_id == null ? {} : { orderId: String(row.order_id), orderNumber: Number(row.number) }),
    // Subtract the part of the payment that was refunded before the order was canceled.
    amount:
      Number(row.amount) -
      sumRefunds({ refunds: JSON.parse(String(row.refunds ?? "[]")) as Order["refunds"] }, String(row.reference)),
    currency: String(row.currency),
    reason: String(row.reason) as RefundReason,
    receivedAt: Number(row.received_at),
  }));
}

/**
 * Returns the SQL condition that a row `p` of the table `payments` must still be refunded.
 * @param orderStateSql column with the state of the payment's order
 */
export function formatRefundDueSql(orderStateSql: string): string {
  return `p.refunded_at IS NULL AND p.amount > 0 AND (p.refund IS NOT NULL OR ${orderStateSql} = 'cancelled')`;
}

/** Records the refund of a payment. */
export function settleRefund({ reference }: Pick<DueRefund, "reference">, now: number): Statement {
  return {
    sql: "UPDATE payments SET refunded_at = $2 WHERE reference = $1 AND refunded_at IS NULL",
    params: [reference, now],
  };
}
