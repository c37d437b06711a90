// Made from openapi.yaml by `npm run client-types`: change it there.

import type { Cart } from "./cart.ts";
import type { Amount } from "./catalogue.ts";
/** Where the order goes; what stayed empty is an empty text. */
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

/** Why. */
export type CancelRequest = {
  readonly note?: string;
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

/** What a checkout is about; it never changes. */
export type CheckoutDocument = {
  readonly id: string;
  readonly cart_revision: number;
  readonly locale: string;
  readonly customer_id: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** What is to be paid, after gift cards and store credit; minor units. */
  readonly amount: Amount;
  /** null: whoever takes the payment asks for it. */
  readonly delivery: Delivery | null;
  readonly taxes: CheckoutTaxes | null;
  readonly cart: Cart;
};

/** Taxes, line by line. */
export type CheckoutTaxes = TaxFields & {
  /** One for each line. */
  readonly lines: readonly Amount[];
};

/** What became of a payment. */
export type CompletedCheckout = {
  readonly order: OrderSummary;
};

/** Who gets the order, and where. */
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

/** An order, as `vitrine orders export` writes it. */
export type Order = {
  readonly id: string;
  /** From 1001. */
  readonly number: number;
  readonly checkout_id: string;
  readonly state: "open" | "cancelled";
  readonly payment_state: "unpaid" | "paid";
  readonly shipment_state: "unshipped" | "shipped";
  readonly shipment: Shipment | null;
  /** The provider's name of the payment. */
  readonly reference: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly cancelled_at: string | null;
  readonly locale: string;
  readonly customer_id: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Sum of the items' `final_line_price`. */
  readonly items_subtotal: Amount;
  /** Sum of `discounts`. */
  readonly total_discount: Amount;
  readonly shipping: {
    readonly name: string;
    readonly price: Amount;
  } | null;
  readonly gift_cards: readonly string[];
  /** What was paid in the place of money. */
  readonly drawn: readonly {
    readonly kind: "gift_card" | "store_credit";
    readonly id: string;
    readonly amount: Amount;
  }[];
  readonly taxes: TaxFields | null;
  /** Items after all discounts, shipping and added taxes. */
  readonly total: Amount;
  /** To be paid: `total` without gift cards and store credit (`drawn`). */
  readonly amount: Amount;
  readonly email: string | null;
  readonly name: string | null;
  readonly address: Address | null;
  readonly note: string | null;
  readonly discounts: readonly {
    readonly title: string;
    readonly amount: Amount;
    /** `lines`: in the items' `final_line_price` already. */
    readonly target: "lines" | "cart";
  }[];
  readonly items: readonly OrderLine[];
  readonly notes: readonly {
    readonly at: string;
    readonly text: string;
  }[];
};

/** An order. */
export type OrderAnswer = {
  readonly order: Order;
};

/** What was ordered of a variant. */
export type OrderLine = {
  readonly tax: Amount;
  readonly variant_id: string;
  readonly product_id: string;
  readonly sku: string | null;
  readonly title: string;
  readonly variant_title: string;
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly price: Amount;
  readonly discounts: readonly {
    readonly title: string;
    readonly amount: Amount;
  }[];
  readonly final_line_price: Amount;
};

/** A page of orders. */
export type OrderList = {
  readonly orders: readonly Order[];
  /** The `after` of the page that follows; null on the last. */
  readonly next: string | null;
};

/** An order. */
export type OrderSummary = {
  readonly id: string;
  /** From 1001. */
  readonly number: number;
  readonly state: "open" | "cancelled";
  readonly payment_state: "unpaid" | "paid";
  readonly shipment_state?: "unshipped" | "shipped";
  readonly shipment?: Shipment | null;
  /** The provider's name of the payment. */
  readonly reference: string | null;
  readonly amount: Amount;
  readonly currency: string;
};

/** A payment that came in. */
export type Payment = {
  /** Minor units: the document's `amount`. */
  readonly amount: number;
  readonly currency: string;
  /** The provider's own name of the payment, another for each. */
  readonly reference: string;
};

/** How the shopper can follow the parcel. */
export type ShipRequest = {
  readonly carrier?: string;
  readonly tracking_number?: string;
  /** It begins with https:// (or http://). */
  readonly tracking_url?: string;
};

/** When an order was sent, and how it can be followed. */
export type Shipment = {
  readonly shipped_at: string;
  readonly carrier: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
};

/** Taxes. Absent of a country for which the merchant set nothing. */
export type TaxFields = {
  /** ISO 3166-1. */
  readonly country: string;
  /** They are part of the prices; else they come on top. */
  readonly included: boolean;
  readonly total: Amount;
  readonly rates: readonly {
    readonly percent: number;
    readonly amount: Amount;
  }[];
  /** What of it is for sending. */
  readonly shipping: Amount;
};
