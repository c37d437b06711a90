import type { Line } from "../cart/cart.ts";
import type { CheckoutContent } from "./sealed-checkout.ts";
import type { Shipment } from "./shipment.ts";

/** What a checkout became once it was paid for, or ordered by invoice. */
export interface Order {
  /** 128 random bits or more. */
  readonly id: string;
  /** Rises from order to order; some are left out. */
  readonly number: number;
  readonly checkoutId: string;
  readonly state: "open" | "cancelled";
  readonly payment: "unpaid" | "paid";
  /** The provider's name of the payment; absent: none came. */
  readonly reference?: string;
  readonly content: CheckoutContent;
  readonly notes: readonly { readonly at: number; readonly text: string }[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it last changed. */
  readonly updatedAt: number;
  /** Absent: it was not cancelled, or nobody noted when. */
  readonly cancelledAt?: number;
  /** Absent: it was not sent yet. */
  readonly shipment?: Shipment;
}

/** A line's properties, such as an engraving, as merchants see them: those with a leading underscore too, empty ones not. */
export function writtenProperties({ properties }: Pick<Line, "properties">): readonly string[] {
  return Object.entries(properties).flatMap(([name, text]) => (text.trim() === "" ? [] : [`${name}: ${text}`]));
}

/** A payment that a provider tells of. */
export interface Payment {
  /** Minor units of `currency`. */
  readonly amount: number;
  /** ISO 4217 */
  readonly currency: string;
  /** The provider's own name of it, different for each payment. */
  readonly reference: string;
}

/** Why money has to go back. */
export type RefundReason =
  | "out_of_stock"
  | "discount_used_up"
  | "balance_used_up"
  | "paid_twice"
  | "order_cancelled"
  /** The cart became an order of another amount. */
  | "already_ordered";

/** A payment that the merchant has to refund: it has no order, its order was paid before, or its order was canceled. */
export interface RefundDue extends Payment {
  readonly checkoutId: string;
  readonly orderId?: string;
  readonly orderNumber?: number;
  readonly reason: RefundReason;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** What came of completing a checkout. */
export type Completion =
  | { readonly outcome: "ordered"; readonly order: Order }
  /** The payment is kept, and the merchant is asked to give it back. Of an order by invoice: it cannot be placed. */
  | { readonly outcome: "refund_due"; readonly reason: RefundReason }
  | { readonly outcome: "unknown" | "amount_differs" | "currency_differs" | "reference_taken" };
