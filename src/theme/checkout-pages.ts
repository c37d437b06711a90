import type { Order } from "../checkout/order.ts";
import type { Province } from "../pricing/provinces.ts";
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

/** Content of a checkout's page. Amounts are in minor units. */
export interface OrderForm {
  /** Path of the form's action, with the language prefix. */
  readonly action: string;
  readonly locale: string;
  /** Id of the displayed checkout, or "" if the checkout cannot be ordered. */
  readonly checkoutId: string;
  /** Minutes until the reservation of the items expires. */
  readonly reservedMinutes: number;
  readonly notice?: CheckoutNotice | undefined;
  /** Notices about prices, stock, and codes that changed after the last write of the cart, or after an agent read it. */
  readonly changes?: readonly string[] | undefined;
  /** Path of the checkout of the current cart, if the page shows the checkout of an earlier cart. */
  readonly currentPath?: string | undefined;
  /** Whether an order is possible, by invoice or by payment. */
  readonly canOrder: boolean;
  readonly hasInvoice: boolean;
  readonly hasBankTransfer: boolean;
  /** Payment methods of the shop, with their names in the language of the page. */
  readonly paymentMethods: readonly { readonly value: string; readonly name: string }[];
  /** Whether the shop issues an invoice for the order. */
  readonly issuesInvoice: boolean;
  readonly hasPayment: boolean;
  /** Whether the form places a test order of the merchant. */
  readonly isTest: boolean;
  /** Whether the form asks for a VAT ID. */
  readonly showsVatIdField: boolean;
  /** Form that sends the shopper back to the payment provider to finish a started payment. */
  readonly payment?: { readonly action: string; readonly fields: Readonly<Record<string, string>> } | undefined;
  /** Path of the page that returns the state of a pending payment. */
  readonly returnPath?: string | undefined;
  /** Whether an item needs shipping. */
  readonly requiresShipping: boolean;
  readonly countries: readonly { readonly code: string; readonly name: string }[];
  /** ISO 3166-1 code of the country for which the shipping rates are shown. */
  readonly country: string;
  /** Whether addresses in this country contain the postal code before the city. */
  readonly isPostalCodeFirst: boolean;
  /** Whether addresses of the country need a postal code. */
  readonly requiresPostalCode: boolean;
  /** States or provinces of the country, sorted by name. Empty if they are entered as text. */
  readonly provinces: readonly Province[];
  /** Whether addresses of the country may contain a state or province. */
  readonly mayHaveProvince: boolean;
  /** Whether addresses of the country need a state or province. */
  readonly requiresProvince: boolean;
  readonly rates: readonly RateWithTotals[];
  /** Amount to pay, without shipping. */
  readonly amount: number;
  /** Taxes of the items only. Undefined if the country has no tax rate. */
  readonly taxes?: Taxes | undefined;
  /** Submitted values by field name. */
  readonly values: Readonly<Record<string, string>>;
  /** Names of the missing or invalid fields. */
  readonly errors: readonly string[];
}

/** A shipping rate, with the totals of the order for this rate. Amounts are in minor units. */
export interface RateWithTotals extends QuotedRate {
  /** Total of items, shipping and added taxes. */
  readonly total: number;
  /** Amount to pay: the total minus gift cards and store credit. */
  readonly amount: number;
  /** Taxes of items and shipping. Undefined if the country has no tax rate. */
  readonly taxes?: Taxes | undefined;
}

/** A link to an invoice or credit note. */
export interface OrderInvoice {
  readonly number: string;
  /** Title with the number, in the language of the page. */
  readonly title: string;
  /** Path without language prefix. */
  readonly path: string;
  /** Path of the PDF. Undefined if the document has none. */
  readonly pdfPath?: string;
}

/** An order on its page, or in the list of a customer's orders. */
export interface OrderPage extends Order {
  /** Path of the order in the customer's account, without language prefix. Undefined for guest orders. */
  readonly accountPath?: string;
  /** Path of the order status page. Its signature gives access to anyone who has the URL. */
  readonly statusPath: string;
  /** Invoice and credit notes, oldest first. Empty in a list of orders. */
  readonly invoices: readonly OrderInvoice[];
  /** Bank details of an order that waits for a bank transfer. Undefined for other orders. */
  readonly bankTransfer?: {
    readonly accountHolder: string;
    /** In groups of four characters. */
    readonly iban: string;
    readonly bic?: string | undefined;
    /** Text with which the customer names the order. */
    readonly reference: string;
    /** Name of the payment method, in the language of the page, like the following texts. */
    readonly title: string;
    /** Sentence that asks for the payment. */
    readonly text: string;
    readonly details: readonly (readonly [name: string, value: string])[];
    /** QR code as an SVG element. Undefined if the currency is not supported. */
    readonly qrCode?: string;
  };
  /** Whether this request placed the order. */
  readonly isNewOrder: boolean;
}

/** Orders of the signed-in customer. */
export interface CustomerOrderPages {
  /** Store credit that orders have left, in minor units. */
  readonly storeCredit: number;
  /** Number of all orders, including canceled orders. */
  readonly orderCount: number;
  /** Total amount of the orders that were not canceled, in minor units. */
  readonly totalSpent: number;
  /** Functions that create the data of each order's page, newest order first. */
  readonly newestOrders: readonly (() => OrderPage)[];
}
