import { computeLineAmount } from "../../cart/cart-taxes.ts";
import { localize } from "../../catalog/localize.ts";
import { toCheckoutPath } from "../../checkout/checkout.ts";
import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import type { CompletionResult } from "../../checkout/order.ts";
import type { PayableCheckout, PaymentEvent, PaymentHook, PaymentStart } from "../../hooks/payment-hook.ts";
import { readPaymentEvent, startPayment } from "../../hooks/payments.ts";
import { sumAddedTax } from "../../pricing/taxes.ts";
import { Problem } from "../../problem.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import type { Shop } from "../../shop.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import { formatLocalePrefix, type StoreRequest } from "../wire/request.ts";

/** Path to which the payment provider sends notifications. */
export const PAYMENT_EVENTS_PATH = "/api/payments/events";

/** Time for which the return URL of a payment is valid, in milliseconds. */
const RETURN_LINK_LIFETIME_MS = 60 * DAY_MS;

/** Starts the payment of a checkout at the merchant's provider.  @throws HookError */
export function beginPayment(
  shop: Pick<Shop, "config" | "keys" | "process">,
  hook: PaymentHook,
  { origin }: Pick<StoreRequest, "origin">,
  checkout: CheckoutSnapshot,
): Promise<PaymentStart> {
  const prefix = formatLocalePrefix(checkout.content.locale, shop.config.locales);
  return startPayment(hook, shop.process.log, toPayableCheckout(checkout), {
    returnUrl: origin + formatReturnPath(shop, prefix, checkout),
    cancelUrl: origin + toCheckoutPath(prefix, checkout.cartCheckoutId),
    notifyUrl: origin + PAYMENT_EVENTS_PATH,
  });
}

/**
 * Returns the path to which the shopper returns after a payment. It is always the same for a checkout.
 * @param prefix path prefix of the language: "" or "/fr"
 */
export function formatReturnPath(
  { keys }: Pick<Shop, "keys">,
  prefix: string,
  { id, createdAt }: Pick<CheckoutSnapshot, "id" | "createdAt">,
): string {
  return `${prefix}/checkout/return/${keys.sign("payment return", id, createdAt + RETURN_LINK_LIFETIME_MS)}`;
}

/** Returns the checkout id in a return path, or undefined if the token is invalid. */
export function readReturnToken({ keys }: Pick<Shop, "keys">, token: string, now: number): string | undefined {
  return keys.verify("payment return", token, now)?.value;
}

/**
 * Passes a request of the payment provider to the merchant's payment hook, and records the payment that the hook
 * reports.
 * @throws HookError
 * @throws DatabaseUnavailableError
 * @throws Problem `rate_limited`, `payload_too_large`, `overloaded`
 */
export async function handlePaymentEvent(
  shop: Pick<Shop, "checkouts" | "process" | "limits">,
  hook: PaymentHook,
  request: StoreRequest,
  from: { readonly kind: "notification" } | { readonly kind: "return"; readonly checkoutId: string },
): Promise<Exclude<PaymentEvent["outcome"], "completed"> | CompletionResult> {
  const { kind } = from;
  const signatureHeader = kind === "notification" ? hook.signatureHeader?.toLowerCase() : undefined;
  if (signatureHeader !== undefined && request.headers[signatureHeader] === undefined) return "refused";
  const [limit, key] =
    kind === "return"
      ? (["checkout attempt", `return ${from.checkoutId}`] as const)
      : (["unsigned notification by address", findAddressBlock(request.client.address)] as const);
  // A signed request can be verified without calling the provider. Requests without a signature are rate-limited,
  // because the hook may call the provider to verify them.
  if (signatureHeader === undefined && !shop.limits.allows(limit, key, request.now))
    throw new Problem("rate_limited", "Too many notifications without a valid signature. Send it again in a minute.");
  const event = await readPaymentEvent(hook, shop.process.log, await toFetchRequest(request), kind).catch(
    (error: unknown) => {
      shop.limits.countFailure(limit, key, request.now);
      throw error;
    },
  );
  // Count failed verifications for the rate limit. A notification that the hook ignores is genuine and is not counted.
  // A shopper who returns without proof of a payment is counted, because anyone can send such a request.
  if (event.outcome === "refused" || (kind === "return" && event.outcome === "ignored"))
    shop.limits.countFailure(limit, key, request.now);
  if (event.outcome !== "completed") return event.outcome;
  const { checkoutId, amount, currency, reference } = event;
  const completion = await shop.checkouts.complete(checkoutId, { amount, currency, reference }, request.now);
  if (completion.outcome !== "ordered" && completion.outcome !== "refund_due")
    shop.process.log.warn(
      { code: completion.outcome, route: PAYMENT_EVENTS_PATH },
      "a payment matches no checkout: check it at the provider",
    );
  return completion;
}

/** Maximum body size of a provider's request, in bytes. It is several times the usual size. */
const MAX_EVENT_BYTES = 256 * 1_024;

async function toFetchRequest(request: StoreRequest): Promise<Request> {
  const { method, origin, prefix, path, search } = request;
  const headers = new Headers();
  for (const name of Object.keys(request.headers)) {
    const value = request.headers[name];
    // The payment hook must not receive the shopper's cookies.
    if (value !== undefined && !/^(cookie|:.*)$/.test(name)) headers.set(name, value);
  }
  const body = method === "POST" ? await request.readBody(MAX_EVENT_BYTES) : undefined;
  return new Request(origin + prefix + path + search, {
    method,
    headers,
    ...(body === undefined ? {} : { body: Uint8Array.from(body) }),
  });
}

function toPayableCheckout({ id, reservedUntil: heldUntil, content }: CheckoutSnapshot): PayableCheckout {
  const { priced, amount, locale, customerId, delivery, taxes } = content;
  return {
    id,
    amount,
    currency: priced.currency,
    locale,
    ...(customerId === undefined ? {} : { customerId }),
    ...(delivery === undefined ? {} : { delivery }),
    lines: priced.lines.map(({ line, product, ...amounts }) => ({
      title: localize(product, locale).title,
      quantity: line.quantity,
      amount: computeLineAmount(amounts),
    })),
    addedTax: sumAddedTax(taxes),
    heldUntil,
  };
}
