import { formatMoney } from "../pricing/money.ts";
import { createFieldProblem, Problem } from "../problem.ts";
import {
  type CancelReason,
  cancelReasons,
  type DueRefund,
  findUnshippedItems,
  type Order,
  sumRefunds,
} from "./order.ts";
import { type OrderItem, type Parcel, parseParcel } from "./shipment.ts";

/** Operations on an order, by the names that the API and the log use. */
export const orderOperations = ["pay", "ship", "cancel", "refund", "note", "email", "delete"] as const;

export type OrderOperationType = (typeof orderOperations)[number];

/** Emails to the shopper that can be sent again. */
export const orderEmails = ["order.created", "order.shipped", "order.cancelled", "order.refunded"] as const;

export type OrderEmail = (typeof orderEmails)[number];

/** An operation with valid fields. Whether it is possible depends on the order. */
export type OrderOperation =
  | { readonly type: "pay"; readonly reference: string }
  /** `items` are the items to ship. Default: all unshipped items. Default quantity of an item: its unshipped units. */
  | { readonly type: "ship"; readonly parcel: Parcel; readonly items?: readonly RequestedItem[] }
  | { readonly type: "cancel"; readonly note: string; readonly reason?: CancelReason }
  /** Default amount: everything that was not refunded before. Default reference: the order's payment. */
  | { readonly type: "refund"; readonly amount?: number; readonly reason: string; readonly reference?: string }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "email"; readonly email: OrderEmail }
  /** Deletes a test order. */
  | { readonly type: "delete" };

interface RequestedItem {
  readonly key: string;
  readonly quantity?: number;
}

const MAX_NOTE_LENGTH = 1_000;
const MAX_REFERENCE_LENGTH = 255;

/**
 * Parses the fields of an operation.
 * @param body untrusted input
 * @throws Problem `validation_failed`
 */
export function parseOrderOperation(type: OrderOperationType, body: Readonly<Record<string, unknown>>): OrderOperation {
  switch (type) {
    case "pay":
      return { type, reference: parseText(body, "reference", MAX_REFERENCE_LENGTH, true) };
    case "ship": {
      const items = parseItems(body.items);
      return { type, parcel: parseParcel(body), ...(items === undefined ? {} : { items }) };
    }
    case "cancel":
      return { type, note: parseText(body, "note", MAX_NOTE_LENGTH, false), ...parseCancelReason(body.reason) };
    case "refund": {
      const { amount } = body;
      if (amount !== undefined && !(Number.isSafeInteger(amount) && Number(amount) > 0))
        throw createFieldProblem("amount", "integer", "amount must be a whole number of minor units, from 1.");
      const reason = parseText(body, "reason", MAX_NOTE_LENGTH, true);
      const reference = parseText(body, "reference", MAX_REFERENCE_LENGTH, false);
      const amountField = amount === undefined ? {} : { amount: Number(amount) };
      return { type, reason, ...amountField, ...(reference === "" ? {} : { reference }) };
    }
    case "note":
      return { type, text: parseText(body, "text", MAX_NOTE_LENGTH, true) };
    case "email": {
      const email = orderEmails.find((name) => name === body.email);
      if (email === undefined) throw createFieldProblem("email", "enum", `email is ${orderEmails.join(", ")}.`);
      return { type, email };
    }
    case "delete":
      return { type };
  }
}

/** Parses the reason of a cancellation. A form without a selection sends an empty one. */
function parseCancelReason(value: unknown): { readonly reason?: CancelReason } {
  if (value === undefined || value === "") return {};
  const reason = cancelReasons.find((name) => name === value);
  if (reason === undefined) throw createFieldProblem("reason", "enum", `reason is ${cancelReasons.join(", ")}.`);
  return { reason };
}

function parseText(
  body: Readonly<Record<string, unknown>>,
  field: string,
  maxLength: number,
  isRequired: boolean,
): string {
  const value = body[field] ?? "";
  if (typeof value !== "string" || value.length > maxLength)
    throw createFieldProblem(field, "length", `${field} must be a string of at most ${maxLength} characters.`);
  // PostgreSQL cannot store NUL.
  const text = value.replaceAll("\0", "").toWellFormed().trim();
  if (isRequired && text === "") throw createFieldProblem(field, "required", `${field} is missing.`);
  return text;
}

function parseItems(value: unknown): readonly RequestedItem[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0)
    throw createFieldProblem("items", "list", 'items must be a list such as [{"key": "…", "quantity": 1}].');
  const items = value.map((item: unknown, index): RequestedItem => {
    const { key, quantity } = (item ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof key !== "string")
      throw createFieldProblem(`items[${index}].key`, "required", "Each item needs the key of a line of the order.");
    if (quantity === undefined) return { key };
    if (!Number.isSafeInteger(quantity) || Number(quantity) < 1)
      throw createFieldProblem(`items[${index}].quantity`, "integer", "quantity must be a whole number, from 1.");
    return { key, quantity: Number(quantity) };
  });
  if (new Set(items.map(({ key }) => key)).size < items.length)
    throw createFieldProblem("items", "unique", "Name each line of the order once.");
  return items;
}

/** Result of an operation: the changed order, and data for the order's log. */
export interface AppliedOperation {
  readonly order: Order;
  /** Fields of the operation as JSON for other systems. */
  readonly details: Readonly<Record<string, unknown>>;
  /** A payment that was due for a refund and is settled by this operation. */
  readonly settledPayment?: Pick<DueRefund, "reference">;
}

/** Returns whether an operation has no effect, because it was already applied. */
export function isOperationApplied(order: Order, operation: OrderOperation): boolean {
  switch (operation.type) {
    case "pay":
      return order.payment === "paid" && order.reference === operation.reference;
    case "ship":
      return operation.items === undefined && findUnshippedItems(order).length === 0;
    case "cancel":
      return order.state === "cancelled";
    default:
      return false;
  }
}

/**
 * Applies an operation that was not applied before.
 * @param refundsDue payments of the order that must be refunded
 * @throws Problem `order_cancelled`, `order_conflict`, `validation_failed`
 */
export function applyOrderOperation(
  order: Order,
  operation: OrderOperation,
  { at, refundsDue }: { readonly at: number; readonly refundsDue: readonly DueRefund[] },
): AppliedOperation {
  const addNote = (text: string): Order => ({ ...order, notes: [...order.notes, { at, text }], updatedAt: at });
  switch (operation.type) {
    case "pay": {
      const { reference } = operation;
      if (order.state === "cancelled")
        throw new Problem("order_cancelled", `Order ${order.number} was canceled. Refund the payment.`);
      if (order.payment === "paid")
        throw new Problem(
          "order_conflict",
          `Order ${order.number} is already paid${order.reference === undefined ? "" : ` (${order.reference})`}. Refund the payment.`,
        );
      return { order: { ...order, payment: "paid", reference, updatedAt: at }, details: { reference } };
    }
    case "ship":
      return shipItems(order, operation, at);
    case "cancel": {
      const { note, reason } = operation;
      const orderWithNote = addNote(note === "" ? "cancelled" : `cancelled: ${note}`);
      return {
        order: {
          ...orderWithNote,
          state: "cancelled",
          cancelledAt: at,
          ...(reason === undefined ? {} : { cancelReason: reason }),
        },
        details: { ...(note === "" ? {} : { note }), ...(reason === undefined ? {} : { reason }) },
      };
    }
    case "refund": {
      const { amount, reference, isSettled } = selectRefund(order, operation, refundsDue);
      const { reason } = operation;
      return {
        order: { ...addNote(`refund: ${reason}`), refunds: [...order.refunds, { at, amount, reason, reference }] },
        details: { amount, currency: order.content.priced.currency, reason, reference },
        ...(isSettled ? { settledPayment: { reference } } : {}),
      };
    }
    case "note":
      return { order: addNote(operation.text), details: { text: operation.text } };
    case "email":
      checkEmail(order, operation.email);
      return { order, details: { email: operation.email } };
    case "delete":
      checkDeletion(order, refundsDue);
      return { order, details: { number: order.number } };
  }
}

function shipItems(
  order: Order,
  { parcel, items }: Extract<OrderOperation, { readonly type: "ship" }>,
  time: number,
): AppliedOperation {
  if (order.state === "cancelled")
    throw new Problem("order_cancelled", `Order ${order.number} was canceled and cannot be shipped.`);
  const unshippedItems = findUnshippedItems(order);
  const shippedItems = items?.map((item, index): OrderItem => {
    const line = order.content.priced.lines.find(({ line: { key } }) => key === item.key);
    if (line === undefined)
      throw createFieldProblem(`items[${index}].key`, "unknown", "The order has no line with this key.");
    const remainingQuantity = unshippedItems.find(({ key }) => key === item.key)?.quantity ?? 0;
    const { quantity = remainingQuantity } = item;
    if (quantity > remainingQuantity || quantity === 0)
      throw new Problem(
        "order_conflict",
        `${remainingQuantity} of "${line.product.title}" ${remainingQuantity === 1 ? "remains" : "remain"} to be shipped.`,
      );
    return { key: item.key, quantity };
  });
  const shipment = { at: time, ...parcel, items: shippedItems ?? unshippedItems };
  return {
    order: { ...order, shipments: [...order.shipments, shipment], updatedAt: time },
    details: {
      carrier: parcel.carrier,
      tracking_number: parcel.trackingNumber,
      tracking_url: parcel.trackingUrl,
      items: shipment.items,
    },
  };
}

/**
 * Selects the payment to which a refund applies, and the amount of the refund. If the payment must be refunded, a
 * refund of any amount settles it, because the merchant may keep a part, such as a fee.
 */
function selectRefund(
  order: Order,
  { amount, reference = order.reference ?? "" }: Extract<OrderOperation, { readonly type: "refund" }>,
  refundsDue: readonly DueRefund[],
): { readonly amount: number; readonly reference: string; readonly isSettled: boolean } {
  const dueRefund = refundsDue.find((payment) => payment.reference === reference);
  const isOrderPayment = order.payment === "paid" && reference !== "" && reference === order.reference;
  if (dueRefund === undefined && !isOrderPayment)
    throw new Problem(
      "order_conflict",
      reference === ""
        ? `Order ${order.number} has no payment to refund.`
        : `Order ${order.number} has no payment "${reference}" to refund.`,
    );
  const maxRefund = dueRefund?.amount ?? order.content.amount - sumRefunds(order, reference);
  if (maxRefund <= 0) throw new Problem("order_conflict", `The payment of order ${order.number} is already refunded.`);
  if (amount !== undefined && amount > maxRefund) {
    const maxRefundText = formatMoney(maxRefund, order.content.priced.currency, "en");
    throw createFieldProblem("amount", "maximum", `At most ${maxRefundText} of this payment can be refunded.`);
  }
  const refundedTotal = amount ?? maxRefund;
  return { amount: refundedTotal, reference, isSettled: dueRefund !== undefined || refundedTotal === maxRefund };
}

function checkDeletion({ number, content }: Order, refundsDue: readonly DueRefund[]): void {
  if (content.isTest !== true)
    throw new Problem("order_conflict", `Order ${number} is not a test order. Cancel it instead.`);
  // Ignore a payment that canceling the test order left to refund: it was recorded, but nobody paid it.
  const payment = refundsDue.find(({ reason }) => reason !== "order_cancelled");
  if (payment !== undefined)
    throw new Problem("order_conflict", `Refund the payment ${payment.reference} first, then delete order ${number}.`);
}

function checkEmail(order: Order, email: OrderEmail): void {
  const reason =
    order.content.delivery === undefined
      ? "has no email address"
      : email === "order.shipped" && order.shipments.length === 0
        ? "is not shipped"
        : email === "order.cancelled" && order.state !== "cancelled"
          ? "is not canceled"
          : email === "order.refunded" && order.refunds.length === 0
            ? "has no refund"
            : undefined;
  if (reason !== undefined) throw new Problem("order_conflict", `Order ${order.number} ${reason}.`);
}
