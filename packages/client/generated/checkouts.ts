// Generated from openapi.yaml by `npm run client-types`.

import type { Cart } from "./cart.ts";
import type { Amount } from "./catalog.ts";
/** The address of an order; fields that were left empty are empty strings. */
export type Address = {
  readonly address1: string;
  readonly address2: string;
  readonly zip: string;
  readonly city: string;
  readonly province: string;
  /** ISO 3166-1. */
  readonly country: string;
  readonly phone: string;
};

/** A checkout. */
export type Checkout = {
  readonly id: string;
  readonly state: "new" | "open" | "lapsed" | "superseded" | "completed";
  readonly held_until: string;
  readonly created_at: string;
  readonly order: OrderSummary | null;
  readonly document: CheckoutDocument;
  /** The document as a JWS (EdDSA); claim `checkout`. */
  readonly signed: string;
};

/** The content of a checkout, which never changes. */
export type CheckoutDocument = {
  readonly id: string;
  readonly cart_revision: number;
  readonly locale: string;
  readonly customer_id: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** The amount due after gift cards and store credit, in minor units. */
  readonly amount: Amount;
  /** null if the payment provider asks for it. */
  readonly delivery: Delivery | null;
  readonly taxes: CheckoutTaxes | null;
  readonly cart: Cart;
};

/** Taxes by line. */
export type CheckoutTaxes = TaxFields & {
  /** One for each line. */
  readonly lines: readonly Amount[];
};

/** The result of a payment. */
export type CompletedCheckout = {
  readonly order: OrderSummary;
};

/** The recipient of an order. */
export type Delivery = {
  readonly email: string;
  readonly name: string;
  readonly address: Address | null;
  readonly shipping: {
    readonly code: string;
    readonly name: string;
    readonly price: Amount;
  } | null;
};

/** An order. */
export type OrderSummary = {
  readonly id: string;
  /** From 1001. */
  readonly number: number;
  readonly state: "open" | "cancelled";
  readonly payment_state: "unpaid" | "paid";
  readonly shipment_state?: "unshipped" | "partial" | "shipped";
  /** The last shipment. */
  readonly shipment?: Shipment | null;
  /** Oldest first. */
  readonly shipments?: readonly Shipment[];
  readonly refunds?: readonly {
    readonly refunded_at: string;
    readonly amount: Amount;
    readonly reason: string;
    /** The refunded payment. */
    readonly reference: string;
  }[];
  /** The sum of `refunds`. */
  readonly refunded_amount?: Amount;
  /** The provider's id of the payment. */
  readonly reference: string | null;
  readonly amount: Amount;
  readonly currency: string;
};

/** A received payment. */
export type Payment = {
  /** Minor units: `amount` of the document. */
  readonly amount: number;
  readonly currency: string;
  /** The provider's unique id of the payment. */
  readonly reference: string;
};

/** A shipment of an order, and its tracking. */
export type Shipment = {
  readonly items: readonly {
    readonly key: string;
    readonly quantity: number;
  }[];
  readonly shipped_at: string;
  readonly carrier: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
};

/** Taxes. Missing for a country without a tax rate. */
export type TaxFields = {
  /** ISO 3166-1. */
  readonly country: string;
  /** True if prices include the taxes; otherwise they are added. */
  readonly included: boolean;
  readonly total: Amount;
  readonly rates: readonly {
    readonly percent: number;
    readonly amount: Amount;
  }[];
  /** The part for shipping. */
  readonly shipping: Amount;
};
