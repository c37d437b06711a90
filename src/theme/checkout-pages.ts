import type { PricedCart } from "../cart/priced-cart.ts";
import type { QuotedRate } from "../pricing/shipping-rates.ts";
import type { Taxes } from "../pricing/taxes.ts";

/** Why a checkout's page is not as the shopper may think, or what has become of a payment. */
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

/** What the page of a checkout asks of the shopper. Money in minor units. */
export interface OrderForm {
  /** Path that it is sent to, with the prefix of its language. */
  readonly action: string;
  readonly locale: string;
  /** The checkout that is shown; empty: there is none that could be ordered. */
  readonly checkoutId: string;
  /** Minutes for which it is held from now on. */
  readonly heldMinutes: number;
  /** Why it is not as the shopper may think. */
  readonly notice?: CheckoutNotice;
  /** Where the picture that is shown is not of the cart any more: the path of the cart's checkout now. */
  readonly currentPath?: string;
  /** Something can be ordered here: by invoice, by a payment, or both. */
  readonly takesOrders: boolean;
  readonly hasInvoice: boolean;
  readonly hasPayment: boolean;
  /** The payment that the shopper has begun goes on at the provider, by this form. */
  readonly payment?: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
  /** While a payment is waited for: the path that tells what has become of it. */
  readonly returnPath?: string;
  /** Something is to be sent. */
  readonly requiresShipping: boolean;
  readonly countries: readonly { readonly code: string; readonly name: string }[];
  /** ISO 3166-1: the one for which the rates are. */
  readonly country: string;
  readonly rates: readonly FormRate[];
  /** What is to be paid without delivery. */
  readonly amount: number;
  /** Of the goods alone; absent: none are set for the country. */
  readonly taxes?: Taxes;
  /** What was sent, by field. */
  readonly values: Readonly<Record<string, string>>;
  /** Fields that are missing or wrong. */
  readonly errors: readonly string[];
}

/** A way of sending, with what the order then comes to. Money in minor units. */
export interface FormRate extends QuotedRate {
  /** Of goods, delivery and added taxes. */
  readonly total: number;
  /** The total less gift cards and store credit. */
  readonly amount: number;
  /** Of goods and delivery; undefined: none are set for the country. */
  readonly taxes?: Taxes;
}

/** An order, as the shopper sees it. Money in minor units. */
export interface OrderPage {
  readonly id: string;
  readonly number: number;
  /** Of its page among the orders of a customer; absent: nobody was signed in. Without the prefix of a language. */
  readonly accountPath?: string;
  /** Of the page that its signature opens to whoever has the address. */
  readonly statusPath: string;
  readonly createdAt: number;
  readonly state: "open" | "cancelled";
  readonly payment: "unpaid" | "paid";
  readonly priced: PricedCart;
  readonly amount: number;
  readonly cancelledAt?: number;
  /** Absent: it was not sent yet. */
  readonly shipment?: {
    readonly at: number;
    readonly carrier?: string;
    readonly trackingNumber?: string;
    readonly trackingUrl?: string;
  };
  readonly email: string;
  readonly name: string;
  /** Absent: whoever took the payment asked for it. */
  readonly shippingAddress?: OrderAddress;
  /** Lines of a letter's address. */
  readonly address: readonly string[];
  readonly rate?: QuotedRate;
  readonly taxes?: Taxes;
  /** It was placed a moment ago. */
  readonly isNew: boolean;
}

/** Fields that stayed empty are "". */
export type OrderAddress = Readonly<
  Record<"address1" | "address2" | "zip" | "city" | "province" | "country" | "phone", string>
>;

/** What the customer who is signed in has ordered. */
export interface CustomerOrderPages {
  /** Of all of them, cancelled ones too. */
  readonly count: number;
  /** Minor units. */
  readonly spent: number;
  /** The newest first, as many as are shown; each is made when it is called. */
  readonly newest: readonly (() => OrderPage)[];
}
