import type { PricedCart } from "../cart/priced-cart.ts";
import type { QuotedRate } from "../pricing/shipping-rates.ts";
import type { Taxes } from "../pricing/taxes.ts";

/** Reason for a notice on a checkout's page, or the state of its payment. */
export type CheckoutNotice =
  | "changed"
  | "out_of_stock"
  | "delivery_changed"
  | "cost_unknown"
  | "check_fields"
  | "payment_unavailable"
  | "payment_failed"
  | "payment_pending"
  | "payment_late"
  | "payment_refund";

/** Content of a checkout's page. Money in minor units. */
export interface OrderForm {
  /** Path of the form's action, with the language prefix. */
  readonly action: string;
  readonly locale: string;
  /** The displayed checkout; empty if it cannot be ordered. */
  readonly checkoutId: string;
  /** Minutes for which it is reserved from now. */
  readonly reservedMinutes: number;
  readonly notice?: CheckoutNotice;
  /** Set if the displayed checkout is not of the current cart: the path of the current cart's checkout. */
  readonly currentPath?: string;
  /** Whether an order is possible: by invoice, by a payment, or both. */
  readonly takesOrders: boolean;
  readonly hasInvoice: boolean;
  readonly hasPayment: boolean;
  /** Form that continues a started payment at the provider. */
  readonly payment?: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
  /** While a payment is pending: the path that returns its state. */
  readonly returnPath?: string;
  /** Whether an item needs shipping. */
  readonly requiresShipping: boolean;
  readonly countries: readonly { readonly code: string; readonly name: string }[];
  /** ISO 3166-1 code of the country that the rates are for. */
  readonly country: string;
  readonly rates: readonly FormRate[];
  /** Amount due without shipping. */
  readonly amount: number;
  /** Taxes of the items only; undefined if the country has no tax rate. */
  readonly taxes?: Taxes;
  /** Submitted values, by field. */
  readonly values: Readonly<Record<string, string>>;
  /** Fields that are missing or invalid. */
  readonly errors: readonly string[];
}

/** A shipping rate with the totals of the order if it is selected. Money in minor units. */
export interface FormRate extends QuotedRate {
  /** Items, shipping and added taxes. */
  readonly total: number;
  /** The total minus gift cards and store credit. */
  readonly amount: number;
  /** Taxes of items and shipping; undefined if the country has no tax rate. */
  readonly taxes?: Taxes;
}

/** An order as the shopper sees it. Money in minor units. */
export interface OrderPage {
  readonly id: string;
  readonly number: number;
  /** Path of the order in the customer's account, without language prefix; undefined for orders of guests. */
  readonly accountPath?: string;
  /** Path of the status page; its signature gives access to anyone who has the URL. */
  readonly statusPath: string;
  readonly createdAt: number;
  readonly state: "open" | "cancelled";
  readonly payment: "unpaid" | "paid";
  readonly priced: PricedCart;
  readonly amount: number;
  readonly cancelledAt?: number;
  /** undefined if it was not shipped yet. */
  readonly shipment?: {
    readonly at: number;
    readonly carrier?: string;
    readonly trackingNumber?: string;
    readonly trackingUrl?: string;
  };
  readonly email: string;
  readonly name: string;
  /** undefined if the payment provider asked for the address. */
  readonly shippingAddress?: OrderAddress;
  /** Lines of the postal address. */
  readonly address: readonly string[];
  readonly rate?: QuotedRate;
  readonly taxes?: Taxes;
  /** Whether it was placed by this request. */
  readonly isNew: boolean;
}

/** Empty fields are "". */
export type OrderAddress = Readonly<
  Record<"address1" | "address2" | "zip" | "city" | "province" | "country" | "phone", string>
>;

/** Orders of the signed-in customer. */
export interface CustomerOrderPages {
  /** Number of all orders, canceled ones included. */
  readonly count: number;
  /** Minor units. */
  readonly spent: number;
  /** Newest first; each page is created when its function is called. */
  readonly newest: readonly (() => OrderPage)[];
}
