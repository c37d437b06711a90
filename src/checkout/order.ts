import type { Line } from "../cart/cart.ts";
import type { CheckoutContent } from "./checkout-snapshot.ts";
import type { Shipment } from "./shipment.ts";

/** A checkout that was paid, or ordered by invoice. */
export interface Order {
  /** 128 or more random bits. */
  readonly id: string;
  /** Ascending, with gaps. */
  readonly number: number;
  readonly checkoutId: string;
  readonly state: "open" | "cancelled";
  readonly payment: "unpaid" | "paid";
  /** The provider's id of the payment; undefined if unpaid. */
  readonly reference?: string;
  readonly content: CheckoutContent;
  readonly notes: readonly { readonly at: number; readonly text: string }[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970 of the last change. */
  readonly updatedAt: number;
  /** undefined if it was not canceled, or the time is unknown. */
  readonly cancelledAt?: number;
  /** undefined if it was not shipped yet. */
  readonly shipment?: Shipment;
}

/**
 * Properties of a line, such as an engraving, for merchants: including those with a leading underscore, without empty
 * ones.
 */
export function writtenProperties({ properties }: Pick<Line, "properties">): readonly string[] {
  return Object.entries(properties).flatMap(([name, text]) => (text.trim() === "" ? [] : [`${name}: ${text}`]));
}

/** A payment that a provider reports. */
export interface Payment {
  /** Minor units of `currency`. */
  readonly amount: number;
  /** ISO 4217 */
  readonly currency: string;
  /** The provider's id of the payment, unique for each payment. */
  readonly reference: string;
}

/** Why money must be refunded. */
export type RefundReason =
  | "out_of_stock"
  | "discount_used_up"
  | "balance_used_up"
  | "paid_twice"
  | "order_cancelled"
  /** The cart became an order of another amount. */
  | "already_ordered";

/** A payment that the merchant must refund: it has no order, its order was paid before, or its order was canceled. */
export interface RefundDue extends Payment {
  readonly checkoutId: string;
  readonly orderId?: string;
  readonly orderNumber?: number;
  readonly reason: RefundReason;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** The result of completing a checkout. */
export type Completion =
  | { readonly outcome: "ordered"; readonly order: Order }
  /** The payment is stored, and the merchant is asked to refund it. For an order by invoice: it cannot be placed. */
  | { readonly outcome: "refund_due"; readonly reason: RefundReason }
  | { readonly outcome: "unknown" | "amount_differs" | "currency_differs" | "reference_taken" };
