// Generated from openapi.yaml by `npm run client-types`.

import type { Amount } from "./catalog.ts";
import type { Address, Shipment, TaxFields } from "./checkouts.ts";
/** The account to which the customer transfers the amount, and the text of the transfer. */
export type BankTransfer = {
  readonly account_holder: string;
  /** Without spaces. */
  readonly iban: string;
  readonly bic: string | null;
  /** The number of the order. */
  readonly reference: string;
};

/** The reason. */
export type CancelRequest = {
  /** Text for the log of the order. */
  readonly note?: string;
  /** Reason that themes show to the customer. */
  readonly reason?: "customer" | "declined" | "fraud" | "inventory" | "staff" | "other";
};

/** The email. */
export type EmailRequest = {
  readonly email: "order.created" | "order.shipped" | "order.cancelled" | "order.refunded";
};

/** An order, as in `vitrine orders export`. */
export type Order = {
  readonly id: string;
  /** From 1001. */
  readonly number: number;
  /** Increases with each change; for `If-Match`. */
  readonly revision: number;
  readonly checkout_id: string;
  /** Whether it is a test order of the merchant, which is never paid or shipped. */
  readonly test: boolean;
  readonly state: "open" | "cancelled";
  readonly payment_state: "unpaid" | "paid";
  readonly shipment_state: "unshipped" | "partial" | "shipped";
  /** The last shipment. */
  readonly shipment: Shipment | null;
  /** Oldest first. */
  readonly shipments: readonly Shipment[];
  readonly refunds: readonly {
    readonly refunded_at: string;
    readonly amount: Amount;
    readonly reason: string;
    /** The refunded payment. */
    readonly reference: string;
  }[];
  /** The sum of `refunds`. */
  readonly refunded_amount: Amount;
  /** The provider's id of the payment. */
  readonly reference: string | null;
  /** Set if the customer pays by bank transfer in advance. */
  readonly bank_transfer: BankTransfer | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly cancelled_at: string | null;
  readonly cancel_reason: "customer" | "declined" | "fraud" | "inventory" | "staff" | "other" | null;
  readonly locale: string;
  readonly customer_id: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** The sum of `final_line_price` of the items. */
  readonly items_subtotal: Amount;
  /** The sum of `discounts`. */
  readonly total_discount: Amount;
  readonly shipping: {
    readonly name: string;
    readonly price: Amount;
  } | null;
  readonly gift_cards: readonly string[];
  /** Gift cards and store credit that were used. */
  readonly drawn: readonly {
    readonly kind: "gift_card" | "store_credit";
    readonly id: string;
    readonly amount: Amount;
  }[];
  readonly taxes: TaxFields | null;
  /** Items after all discounts, plus shipping and added taxes. */
  readonly total: Amount;
  /** Amount due: `total` without gift cards and store credit (`drawn`). */
  readonly amount: Amount;
  readonly email: string | null;
  readonly name: string | null;
  /** The VAT ID of a business, if the checkout asks for it. */
  readonly vat_id: string | null;
  readonly address: Address | null;
  readonly note: string | null;
  readonly discounts: readonly {
    readonly title: string;
    readonly amount: Amount;
    /** `lines`: already included in `final_line_price` of the items. */
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

/** An ordered variant. */
export type OrderLine = {
  /** Identifies the item in shipments. */
  readonly key: string;
  /** The `key` of the item that a nested item belongs to. */
  readonly parent_key: string | null;
  readonly shipped_quantity: number;
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
  /** The value of `after` for the next page; null on the last page. */
  readonly next: string | null;
};

/** The operations on an order. */
export type OrderLog = {
  readonly entries: readonly OrderLogEntry[];
};

/** An operation on an order. */
export type OrderLogEntry = {
  readonly at: string;
  readonly source: "api" | "console" | "command_line" | "payment";
  readonly token: {
    readonly id: string;
    readonly name: string;
  } | null;
  readonly operation: "pay" | "ship" | "cancel" | "refund" | "note" | "email";
  /** The fields of the operation. */
  readonly details: {
    readonly [field: string]: unknown;
  };
};

/** The refund. */
export type RefundRequest = {
  /** Default: what is not refunded yet. */
  readonly amount?: Amount;
  readonly reason: string;
  /** The payment. Default: the payment of the order. A payment of `vitrine orders refunds` leaves that list, even if you keep a part. */
  readonly reference?: string;
};

/** Tracking of the parcel, and the items in it. */
export type ShipRequest = {
  /** Default: all items that are not shipped. */
  readonly items?: readonly {
    /** The `key` of an item of the order. */
    readonly key: string;
    /** Default: the units that are not shipped. */
    readonly quantity?: number;
  }[];
  readonly carrier?: string;
  readonly tracking_number?: string;
  /** Starts with https:// or http://. */
  readonly tracking_url?: string;
};
