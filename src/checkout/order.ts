import type { Line } from "../cart/cart.ts";
import type { CheckoutContent } from "./checkout-snapshot.ts";
import type { OrderItem, Shipment } from "./shipment.ts";

/** An order: a completed checkout that was paid, or that the customer pays by invoice. */
export interface Order {
  /** At least 128 random bits. */
  readonly id: string;
  /** Order number. Numbers ascend, with gaps. */
  readonly number: number;
  readonly checkoutId: string;
  readonly state: "open" | "cancelled";
  readonly payment: "unpaid" | "paid";
  /** The provider's ID of the payment. Undefined if the order is not paid. */
  readonly reference?: string;
  readonly content: CheckoutContent;
  readonly notes: readonly { readonly at: number; readonly text: string }[];
  /** Time of the order in milliseconds since 1970. */
  readonly createdAt: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** Undefined if the order was not canceled, or the time is unknown. */
  readonly cancelledAt?: number;
  /** Undefined if the order was not canceled, or without a reason. */
  readonly cancelReason?: CancelReason;
  /** Oldest first. */
  readonly shipments: readonly Shipment[];
  /** Refunds that the merchant recorded, oldest first. */
  readonly refunds: readonly Refund[];
  /** Version number of the order, starting at 1 and incremented by each change. */
  readonly revision: number;
}

/** Reasons for a canceled order, by the names of Shopify. */
export const cancelReasons = ["customer", "declined", "fraud", "inventory", "staff", "other"] as const;

export type CancelReason = (typeof cancelReasons)[number];

/** Days after which a test order is deleted. */
export const TEST_ORDER_DAYS = 7;

export interface Refund {
  /** Time at which the refund was recorded, in milliseconds since 1970. */
  readonly at: number;
  /** Amount in minor units of the order's currency. */
  readonly amount: number;
  readonly reason: string;
  /** ID of the refunded payment. */
  readonly reference: string;
}

/** Returns the items that are not shipped yet. */
export function findUnshippedItems({ content, shipments }: Pick<Order, "content" | "shipments">): readonly OrderItem[] {
  return content.priced.lines
    .map(({ line: { key, quantity } }) => ({ key, quantity: quantity - countShippedUnits(shipments, key) }))
    .filter(({ quantity }) => quantity > 0);
}

export function countShippedUnits(shipments: readonly Shipment[], lineKey: string): number {
  return shipments
    .flatMap(({ items }) => items)
    .reduce((sum, { key, quantity }) => (key === lineKey ? sum + quantity : sum), 0);
}

export function getShipmentState(order: Pick<Order, "content" | "shipments">): "unshipped" | "partial" | "shipped" {
  if (order.shipments.length === 0) return "unshipped";
  return findUnshippedItems(order).length === 0 ? "shipped" : "partial";
}

/**
 * Returns the sum of the refunds of a payment, in minor units.
 * @param reference ID of the payment. Default: the payment of the order, without later ones that also must be refunded
 */
export function sumRefunds(
  { refunds, reference: orderReference }: Pick<Order, "refunds" | "reference">,
  reference = orderReference,
): number {
  return refunds.reduce((sum, refund) => (refund.reference === reference ? sum + refund.amount : sum), 0);
}

/**
 * Returns the amount that the customer of a canceled order still gets back, in minor units. A refund after the
 * cancellation completes it, because the merchant may keep a part.
 */
export function computeExpectedRefund(order: Order): number {
  const { state, payment, content, cancelledAt, refunds, reference } = order;
  if (state !== "cancelled" || payment !== "paid") return 0;
  const isRefunded = refunds.some((refund) => refund.reference === reference && refund.at >= (cancelledAt ?? Infinity));
  return isRefunded ? 0 : content.amount - sumRefunds(order);
}

/**
 * Returns the properties of a line, such as an engraving, for the merchant. Includes names with a leading underscore,
 * omits empty values.
 */
export function listNonEmptyProperties({ properties }: Pick<Line, "properties">): readonly string[] {
  return Object.entries(properties).flatMap(([name, text]) => (text.trim() === "" ? [] : [`${name}: ${text}`]));
}

/** A payment that a payment provider reports. */
export interface Payment {
  /** Amount in minor units of `currency`. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Unique ID of the payment at the provider. */
  readonly reference: string;
}

/** Reason why a payment must be refunded. */
export type RefundReason =
  | "out_of_stock"
  | "discount_used_up"
  | "balance_used_up"
  | "paid_twice"
  | "order_cancelled"
  /** The cart already became an order with another amount. */
  | "already_ordered";

/** A payment that the merchant must refund because it has no order, or its order was already paid or canceled. */
export interface DueRefund extends Payment {
  readonly checkoutId: string;
  readonly orderId?: string;
  readonly orderNumber?: number;
  readonly reason: RefundReason;
  /** Time of the payment in milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Result of completing a checkout. */
export type CompletionResult =
  | { readonly outcome: "ordered"; readonly order: Order }
  /** The payment is stored, and the merchant is asked to refund it. An order by invoice cannot be placed. */
  | { readonly outcome: "refund_due"; readonly reason: RefundReason }
  | { readonly outcome: "unknown" | "amount_differs" | "currency_differs" | "reference_taken" };
