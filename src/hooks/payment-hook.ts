import type { ShippingDetails } from "../checkout/checkout-snapshot.ts";
import type { HookCall } from "./hook-call.ts";

/** Connects the shop to a payment provider. */
export interface PaymentHook {
  /**
   * Name of the payment method at a checkout that offers several, such as "Card or PayPal". Default: "Online payment" in
   * the shopper's language.
   */
  readonly name?: string;
  /**
   * Origins to which shoppers are sent, such as "https://checkout.stripe.com". The shop's forms may submit only to
   * these origins.
   */
  readonly origins: readonly string[];
  /**
   * Name of the header with the signature of a notification, such as "stripe-signature". A request without this header
   * is rejected before its body is read.
   */
  readonly signatureHeader?: string;
  /**
   * Starts a payment and returns the URL to which the shopper is sent. It may be called again for the same checkout,
   * and should then return the same payment.
   */
  start(checkout: PayableCheckout, paymentCall: PaymentCall): Promise<PaymentStart> | PaymentStart;
  /**
   * Parses and verifies a notification of the provider, or a shopper's return from the provider.
   * @param request the unchanged request with its body, but without cookies
   */
  event(request: Request, paymentCall: PaymentEventCall): Promise<PaymentEvent> | PaymentEvent;
}

export interface PaymentCall extends HookCall {
  /** URL to which the provider sends the shopper after the payment or a failed attempt. */
  readonly returnUrl: string;
  /** URL of the checkout page, for shoppers who cancel the payment. */
  readonly cancelUrl: string;
  /** URL to which the provider posts notifications. */
  readonly notifyUrl: string;
}

export interface PaymentEventCall extends HookCall {
  /**
   * Kind of request: "notification" from a server at `notifyUrl`, or "return" from a shopper's browser at `returnUrl`.
   */
  readonly kind: "notification" | "return";
}

/** The checkout to be paid. Amounts are in minor units of `currency`. */
export interface PayableCheckout {
  /** Id of the payment, suitable as an idempotency key. Pass it to the provider, because `event` must return it. */
  readonly id: string;
  readonly amount: number;
  /** Currency code (ISO 4217). */
  readonly currency: string;
  readonly locale: string;
  readonly customerId?: string;
  readonly delivery?: ShippingDetails;
  /**
   * Ordered items. Together with shipping and `addedTax`, they sum up to `amount` plus the parts paid by gift cards and
   * store credit.
   */
  readonly lines: readonly PayableLine[];
  /** Tax that is not included in the prices. */
  readonly addedTax: number;
  /** Time until which stock is reserved, in milliseconds since 1970. A later payment may have to be refunded. */
  readonly heldUntil: number;
}

export interface PayableLine {
  readonly title: string;
  readonly quantity: number;
  /** Amount of the line after all discounts. */
  readonly amount: number;
}

/** Next step of a payment: a URL to open, or a form that the shopper's browser submits. */
export type PaymentStart =
  | { readonly redirect: string }
  | { readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> } };

/** Result that a request from the payment provider reports, such as a completed or failed payment. */
export type PaymentEvent =
  | {
      readonly outcome: "completed";
      readonly checkoutId: string;
      /** Amount in minor units that the provider received. */
      readonly amount: number;
      readonly currency: string;
      /** Id of the payment at the provider, equal in all its notifications. */
      readonly reference: string;
    }
  /** Outcome of a failed payment. The shopper may try again. */
  | { readonly outcome: "failed" }
  /** Outcome of a request that does not concern a payment of the shop, or that reports a state that is not final. */
  | { readonly outcome: "ignored" }
  /** Outcome of a request with an invalid signature. */
  | { readonly outcome: "refused" };
