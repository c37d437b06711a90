import type { Delivery } from "../checkout/checkout-snapshot.ts";
import type { HookCall } from "./hook-call.ts";

/** A payment provider. */
export interface PaymentHook {
  /**
   * Origins to which shoppers are sent, such as "https://checkout.stripe.com": forms of the shop may only lead there.
   */
  readonly origins: readonly string[];
  /**
   * Header with the signature of a notification, such as "stripe-signature": without it, a request is rejected unread.
   */
  readonly signatureHeader?: string;
  /**
   * Starts a payment; the shopper is sent to the returned URL. It may be called again for the same checkout, and should
   * return the same payment.
   */
  start(checkout: PayableCheckout, call: PaymentCall): Promise<PaymentStart> | PaymentStart;
  /**
   * Parses and verifies a notification of the provider, or a shopper's return from it.
   * @param request unchanged, with its body in bytes, without cookies
   */
  event(request: Request, call: PaymentEventCall): Promise<PaymentEvent> | PaymentEvent;
}

export interface PaymentCall extends HookCall {
  /** URL to which the provider sends the shopper after a payment or a failed attempt. */
  readonly returnUrl: string;
  /** URL for shoppers who cancel the payment: the checkout's page. */
  readonly cancelUrl: string;
  /** URL for notifications: POST. */
  readonly notifyUrl: string;
}

export interface PaymentEventCall extends HookCall {
  /** "notification": from a server, at `notifyUrl`; "return": from a shopper's browser, at `returnUrl`. */
  readonly kind: "notification" | "return";
}

/** The checkout to be paid. Money in minor units of `currency`. */
export interface PayableCheckout {
  /**
   * Pass it to the provider: `event` must return it. The same for the same payment, so it can be an idempotency key.
   */
  readonly id: string;
  readonly amount: number;
  /** ISO 4217 */
  readonly currency: string;
  readonly locale: string;
  readonly customerId?: string;
  readonly delivery?: Delivery;
  /**
   * Ordered items. With shipping and `addedTax`, they sum up to `amount` plus the parts paid by gift cards and store
   * credit.
   */
  readonly lines: readonly PayableLine[];
  /** Tax that is added to the prices. */
  readonly addedTax: number;
  /** Milliseconds since 1970 until which stock is reserved; a later payment may have to be refunded. */
  readonly heldUntil: number;
}

export interface PayableLine {
  readonly title: string;
  readonly quantity: number;
  /** After all discounts. */
  readonly amount: number;
}

/** Location where a payment continues: a URL, or a form that the shopper posts there. */
export type PaymentStart =
  | { readonly redirect: string }
  | { readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> } };

/** The meaning of a request. */
export type PaymentEvent =
  | {
      readonly outcome: "completed";
      readonly checkoutId: string;
      /** Minor units that the provider received. */
      readonly amount: number;
      readonly currency: string;
      /** The provider's id of the payment, the same in each notification. */
      readonly reference: string;
    }
  /** The payment failed; the shopper may try again. */
  | { readonly outcome: "failed" }
  /** The request is about something else, or the result is not final. */
  | { readonly outcome: "ignored" }
  /** The signature is invalid. */
  | { readonly outcome: "refused" };
