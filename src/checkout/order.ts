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
export type RefundReason = "out_of_stock" | "discount_used_up" | "balance_used_up" | "paid_twice" | "order_cancelled";

/** What came of completing a checkout. */
export type Completion =
  | { readonly outcome: "ordered"; readonly order: Order }
  /** The payment is kept, and the merchant is asked to give it back. Of an order by invoice: it cannot be placed. */
  | { readonly outcome: "refund_due"; readonly reason: RefundReason }
  | { readonly outcome: "unknown" | "amount_differs" | "currency_differs" | "reference_taken" };
