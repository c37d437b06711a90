import { createCreditNote, type NewInvoice } from "../../checkout/invoice.ts";
import type { Order } from "../../checkout/order.ts";
import {
  type AppliedOperation,
  applyOrderOperation,
  isOperationApplied,
  type OrderOperation,
  type OrderOperationType,
} from "../../checkout/order-operations.ts";
import type { OrderChange, Orders } from "../../checkout/orders.ts";
import { Problem } from "../../problem.ts";
import { type Database, type Statement, tryWrite } from "../database.ts";
import { emitEvent, type NewEvent } from "../events/outbox.ts";
import { stockNumberStatement } from "../stock-store.ts";
import { repeatWhileInDoubt } from "../write-with-retry.ts";
import { issueInvoice, readInvoices } from "./invoices.ts";
import { createOrderEvent } from "./order-json.ts";
import { insertLogEntry, readLogSource } from "./order-log.ts";
import { readOrder, updateOrder } from "./order-rows.ts";
import { insertPayment } from "./payments.ts";
import { readRefundsDue, settleRefund } from "./refunds.ts";
import { createRestoreStatements } from "./reservations.ts";
import { deleteTestOrder } from "./test-orders.ts";

/**
 * Changes an order, and stores its log entry and its event in the same transaction. If another request changed the
 * order in the meantime, reads the order again and repeats the change, so that the event contains the stored order.
 * @param changeId unique ID of the change
 * @see Orders.change
 */
export function changeOrder(
  database: Database,
  id: string | number,
  operation: OrderOperation,
  { by, now, revisions, changeId }: OrderChange & { readonly changeId: string },
): ReturnType<Orders["change"]> {
  let previousOrder: Order | undefined;
  return repeatWhileInDoubt(database, async () => {
    for (;;) {
      const order = await readOrder(database, id);
      const isChangeLogged = previousOrder !== undefined && (await readLogSource(database, changeId)) !== undefined;
      if (isChangeLogged && previousOrder !== undefined) return { order: order ?? previousOrder, isChanged: true };
      if (order === undefined) throw new Problem("not_found", "There is no order with this id or number.");
      previousOrder = order;
      if (isOperationApplied(order, operation)) return { order, isChanged: false };
      if (revisions?.includes(order.revision) === false)
        throw new Problem("order_changed", "The order has changed. Read it again, and repeat the change.");
      const needsRefunds = operation.type === "refund" || operation.type === "delete";
      const refundsDue = needsRefunds ? await readRefundsDue(database, order.id) : [];
      const changedOrder = applyOrderOperation(order, operation, { at: now, refundsDue });
      if (operation.type === "pay") await rejectKnownReference(database, operation.reference);
      const isStored = changedOrder.order !== order;
      const savedOrder = isStored ? { ...changedOrder.order, revision: order.revision + 1 } : order;
      const creditNote = await findCreditNote(database, savedOrder, operation, now);
      const entry = { at: now, by, operation: operation.type, details: changedOrder.details };
      const results = await tryWrite(database, [
        ...(operation.type === "cancel" ? [stockNumberStatement] : []),
        ...(isStored ? [updateOrder(order, savedOrder)] : []),
        insertLogEntry(changeId, order.id, entry),
        ...createSideEffectStatements(savedOrder, operation, changedOrder, now),
        ...createEventStatements(savedOrder, operation, { id: changeId, createdAt: now }),
        ...issueInvoice(order.id, creditNote),
      ]);
      if (results !== undefined) return { order: savedOrder, isChanged: true };
    }
  });
}

/**
 * Returns the statements for the effects of an operation on other tables, such as restoring the stock of a canceled
 * order.
 */
function createSideEffectStatements(
  order: Order,
  operation: OrderOperation,
  { settledPayment }: AppliedOperation,
  now: number,
): readonly Statement[] {
  const { id, checkoutId, content } = order;
  switch (operation.type) {
    case "pay": {
      const payment = { amount: content.amount, currency: content.priced.currency, reference: operation.reference };
      return [
        { sql: "UPDATE checkouts SET order_id = $2 WHERE id = $1", params: [checkoutId, id] },
        insertPayment(payment, { checkoutId, orderId: id, now }),
      ];
    }
    case "cancel":
      return [
        ...createRestoreStatements(content.reservations),
        { sql: "DELETE FROM discount_uses WHERE checkout_id = $1", params: [id] },
      ];
    case "refund":
      return settledPayment === undefined ? [] : [settleRefund(settledPayment, now)];
    case "delete":
      return deleteTestOrder(order);
    default:
      return [];
  }
}

/** Returns the credit note that an operation requires. */
async function findCreditNote(
  database: Database,
  { id, reference, refunds }: Order,
  { type }: OrderOperation,
  now: number,
): Promise<NewInvoice | undefined> {
  if (type === "cancel") return createCreditNote(await readInvoices(database, id), now);
  const refund = refunds.at(-1);
  // The refund of a second payment does not change the invoice.
  if (type !== "refund" || refund === undefined || refund.reference !== reference) return undefined;
  return createCreditNote(await readInvoices(database, id), now, refund.amount);
}

function createEventStatements(
  order: Order,
  operation: OrderOperation,
  { id, createdAt }: Pick<NewEvent, "id" | "createdAt">,
): readonly Statement[] {
  if (operation.type === "email") {
    const payload = { order: { id: order.id }, email: operation.email };
    return emitEvent({ id, type: "mail.requested", orderKey: order.id, payload, createdAt });
  }
  const type = eventTypes[operation.type];
  return type === undefined ? [] : emitEvent(createOrderEvent(order, { id, type }, createdAt));
}

const eventTypes: Readonly<Partial<Record<OrderOperationType, Parameters<typeof createOrderEvent>[1]["type"]>>> = {
  pay: "order.paid",
  ship: "order.shipped",
  cancel: "order.cancelled",
  refund: "order.refunded",
};

/** @throws Problem `reference_taken` if a payment with this reference is recorded */
async function rejectKnownReference(database: Database, reference: string): Promise<void> {
  const rows = await database.read("SELECT 1 AS one FROM payments WHERE reference = $1", [reference]);
  if (rows.length > 0)
    throw new Problem("reference_taken", "A payment with this reference is already recorded.", [
      { field: "reference", rule: "unique", message: "Each payment needs a unique reference." },
    ]);
}
