import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import type { CompletionResult, Order, Payment, RefundReason } from "../../checkout/order.ts";
import { type Database, DatabaseUnavailableError, type Statement } from "../database.ts";
import { emitEvent } from "../events/outbox.ts";
import { writeWithRetry } from "../write-with-retry.ts";
import { createOrderEvent } from "./order-json.ts";
import { insertLogEntry } from "./order-log.ts";
import { readOrder, updateOrder } from "./order-rows.ts";

export interface PaymentResources {
  readonly database: Database;
  /** Returns at least 128 random bits, base64url. */
  readonly newId: () => string;
}

/**
 * Returns the stored result of a payment, or the reason why the payment cannot be used for this checkout. Undefined for
 * a new payment.
 */
export async function findPayment(
  database: Database,
  { id, content }: Pick<CheckoutSnapshot, "id" | "content">,
  { amount, currency, reference }: Payment,
): Promise<CompletionResult | undefined> {
  const [row] = await database.read(
    "SELECT checkout_id, order_id, amount, currency, refund FROM payments WHERE reference = $1",
    [reference],
  );
  if (row === undefined) {
    if (currency !== content.priced.currency) return { outcome: "currency_differs" };
    return amount === content.amount ? undefined : { outcome: "amount_differs" };
  }
  if (row.checkout_id !== id || Number(row.amount) !== amount || row.currency !== currency)
    return { outcome: "reference_taken" };
  if (row.refund !== null) return { outcome: "refund_due", reason: String(row.refund) as RefundReason };
  const order = await readOrder(database, String(row.order_id));
  if (order === undefined) throw new Error("the order of a payment is missing");
  return { outcome: "ordered", order };
}

/**
 * Applies a payment to an existing order: marks an unpaid order as paid, or records the payment for a refund.
 * @param checkoutId the paid checkout; the order may belong to another checkout of the same cart
 * @returns undefined if the order changed in the meantime, and the call must be repeated
 */
export async function settleOrder(
  parts: PaymentResources,
  { checkoutId, orderId }: { readonly checkoutId: string; readonly orderId: string },
  payment: Payment | undefined,
  now: number,
): Promise<CompletionResult | undefined> {
  const order = await readOrder(parts.database, orderId);
  if (order === undefined) throw new Error("the order of a checkout is missing");
  if (payment === undefined) return { outcome: "ordered", order };
  const reason = findRefundReason(order, payment);
  if (reason !== undefined) {
    const isStored = await saveRefundDue(parts, { id: checkoutId, orderId }, payment, reason, now);
    return isStored ? { outcome: "refund_due", reason } : undefined;
  }
  const { reference } = payment;
  const paidOrder: Order = { ...order, payment: "paid", reference, updatedAt: now, revision: order.revision + 1 };
  const id = parts.newId();
  const entry = { at: now, by: { source: "payment" }, operation: "pay", details: { reference } } as const;
  const outcome = await writePayment(parts.database, [
    updateOrder(order, paidOrder),
    { sql: "UPDATE checkouts SET order_id = $2 WHERE id = $1", params: [checkoutId, orderId] },
    insertPayment(payment, { checkoutId, orderId, now }),
    insertLogEntry(id, orderId, entry),
    ...emitEvent(createOrderEvent(paidOrder, { id, type: "order.paid" }, now)),
  ]);
  return outcome ? { outcome: "ordered", order: paidOrder } : undefined;
}

/** Returns the reason why an order cannot accept a payment; undefined if it can. */
function findRefundReason({ state, payment, content }: Order, { amount, currency }: Payment): RefundReason | undefined {
  if (state === "cancelled") return "order_cancelled";
  if (payment === "paid") return "paid_twice";
  if (content.isTest === true) return "already_ordered";
  return amount === content.amount && currency === content.priced.currency ? undefined : "already_ordered";
}

/**
 * Stores a payment without an order, and asks the merchant to refund it.
 * @returns false if the payment was already stored
 */
export async function saveRefundDue(
  { database, newId }: PaymentResources,
  { id, orderId }: Pick<CheckoutSnapshot, "id" | "orderId">,
  payment: Payment,
  reason: RefundReason,
  now: number,
): Promise<boolean> {
  const { amount, currency, reference } = payment;
  return writePayment(database, [
    insertPayment(payment, { checkoutId: id, orderId, now, refund: reason }),
    ...emitEvent({
      id: newId(),
      type: "payment.refund_due",
      orderKey: orderId ?? id,
      payload: { checkout_id: id, order_id: orderId ?? null, reference, amount, currency, reason },
      createdAt: now,
    }),
  ]);
}

/** Writes the statements of a payment.  @returns false if a condition failed, and the payment must be read again */
async function writePayment(database: Database, statements: readonly Statement[]): Promise<boolean> {
  // Never report a lost response as saved: another request may have stored the same payment with a different result.
  // The caller then reads the stored payment.
  const isSaved = async (): Promise<boolean> => false;
  const startDeadline = performance.now() + database.maxStartDelayMs;
  const outcome = await writeWithRetry(database, statements, { startDeadline, isSaved });
  if (outcome === "timed out") throw new DatabaseUnavailableError("the payment could not start in time");
  return outcome === "saved";
}

export function insertPayment(
  { reference, amount, currency }: Payment,
  context: {
    readonly checkoutId: string;
    readonly orderId: string | undefined;
    readonly now: number;
    readonly refund?: RefundReason;
  },
): Statement {
  const { checkoutId, orderId, now, refund } = context;
  return {
    sql: `INSERT INTO payments (reference, checkout_id, order_id, amount, currency, refund, received_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (reference) DO NOTHING`,
    params: [reference, checkoutId, orderId ?? null, amount, currency, refund ?? null, now],
    requireRows: 1,
  };
}
