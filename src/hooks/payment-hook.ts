import type { Delivery } from "../checkout/sealed-checkout.ts";
import type { HookCall } from "./hook-call.ts";

/** A payment provider. */
export interface PaymentHook {
  /** Origins that shoppers are sent to, as "https://checkout.stripe.com": the pages of the shop let forms lead to these alone. */
  readonly origins: readonly string[];
  /** Name of the header in which each notification is signed, as "stripe-signature": what comes without it is refused before it is read. */
  readonly signatureHeader?: string;
  /** Begins a payment: the shopper is sent to the answer. It may be asked again for the same checkout, which should give the same payment. */
  start(checkout: PayableCheckout, call: PaymentCall): Promise<PaymentStart> | PaymentStart;
  /** Reads what came from the provider, or with a shopper who comes back from there, and checks that it is theirs.
   *  @param request as it came, its body in bytes, without cookies */
  event(request: Request, call: PaymentEventCall): Promise<PaymentEvent> | PaymentEvent;
}

export interface PaymentCall extends HookCall {
  /** Where the provider sends the shopper once they have paid, or tried to. */
  readonly returnUrl: string;
  /** Where it sends those who do not want to pay after all: the page of the checkout. */
  readonly cancelUrl: string;
  /** Where it notifies the shop: POST. */
  readonly notifyUrl: string;
}

export interface PaymentEventCall extends HookCall {
  /** "notification": a server's, at `notifyUrl`; "return": a shopper's browser, at `returnUrl`. */
  readonly kind: "notification" | "return";
}

/** What is to be paid for. Money in minor units of `currency`. */
export interface PayableCheckout {
  /** Give it to the provider: `event` has to name it. The same for the same payment, so it may serve as an idempotency key. */
  readonly id: string;
  readonly amount: number;
  /** ISO 4217 */
  readonly currency: string;
  readonly locale: string;
  readonly customerId?: string;
  readonly delivery?: Delivery;
  /** What it is for. With delivery and `addedTax` they sum up to `amount` and what gift cards and credit pay. */
  readonly lines: readonly PayableLine[];
  /** Tax that comes on top of prices. */
  readonly addedTax: number;
  /** Milliseconds since 1970 until which stock is held; a payment that comes later may have to go back. */
  readonly heldUntil: number;
}

export interface PayableLine {
  readonly title: string;
  readonly quantity: number;
  /** After all discounts. */
  readonly amount: number;
}

/** Where a payment goes on: an address, or a form that the shopper posts there. */
export type PaymentStart =
  | { readonly redirect: string }
  | { readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> } };

/** What a request meant. */
export type PaymentEvent =
  | {
      readonly outcome: "completed";
      readonly checkoutId: string;
      /** Minor units, as the provider got them. */
      readonly amount: number;
      readonly currency: string;
      /** The provider's own name of the payment, the same each time it tells of it. */
      readonly reference: string;
    }
  /** The payment will not come; the shopper may try again. */
  | { readonly outcome: "failed" }
  /** It is about something else, or nothing is certain yet. */
  | { readonly outcome: "ignored" }
  /** It is not from the provider, as its signature is wrong. */
  | { readonly outcome: "refused" };
