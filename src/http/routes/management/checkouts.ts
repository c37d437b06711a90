import type { CheckoutSnapshot } from "../../../checkout/checkout-snapshot.ts";
import type { CompletionResult, Order, Payment, RefundReason } from "../../../checkout/order.ts";
import { HookError } from "../../../hooks/call-hook.ts";
import { createFieldsProblem, type FieldError, Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { readRequestBody } from "../../bodies/body.ts";
import { handlePaymentEvent } from "../../checkout/payment.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { formatCheckout } from "../../json/checkout-json.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";

type CheckoutApiServices = BearerServices & Pick<Shop, "config" | "checkouts" | "keys">;

/**
 * Handles `GET /api/checkouts/<id>`: returns the state and content of a checkout. It also returns the content as a
 * signed document (JWS), which other systems can verify.
 */
export async function readCheckout(shop: CheckoutApiServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "checkouts:read");
  const checkout = await awaitWithDeadline(shop.checkouts.find(request.params.id ?? ""));
  if (checkout === undefined) throw createNotFoundProblem();
  const order =
    checkout.orderId === undefined ? undefined : await awaitWithDeadline(shop.checkouts.orders.find(checkout.orderId));
  const document = formatCheckout(checkout, formatLocalePrefix(checkout.content.locale, shop.config.locales));
  const claims = { issuer: request.origin, subject: checkout.id, issuedAt: checkout.createdAt };
  const signedDocument = await shop.keys.documents.sign({ checkout: document }, claims);
  return createJsonReply(200, {
    ...serializeCheckout(checkout, request.now),
    order: order === undefined ? null : serializeOrderSummary(order),
    document,
    signed: signedDocument,
  });
}

/**
 * Handles `POST /api/checkouts/<id>/complete`: records a payment for a checkout. Repeated requests with the same
 * payment get the same response.
 * @throws Problem `refund_due` if the payment is recorded but no order can be placed
 */
export async function completeCheckout(shop: CheckoutApiServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "checkouts:complete");
  const payment = parsePayment(await readRequestBody(request, { forms: false }));
  const completion = await shop.checkouts.complete(request.params.id ?? "", payment, request.now);
  if (completion.outcome !== "ordered") throw errorOf(completion);
  return createJsonReply(200, { order: serializeOrderSummary(completion.order) });
}

/** Handles `GET /.well-known/jwks.json`: returns the public keys for signed documents. */
export async function servePublicKeys(shop: Pick<Shop, "keys">): Promise<Reply> {
  return createJsonReply(200, await shop.keys.documents.publicKeys(), { "cache-control": "public, max-age=300" });
}

function serializeCheckout({ id, state, reservedUntil, createdAt }: CheckoutSnapshot, now: number): object {
  return {
    id,
    // The stored state may still be "open" after the checkout has expired.
    state: state === "open" && reservedUntil <= now ? "lapsed" : state,
    held_until: new Date(reservedUntil).toISOString(),
    created_at: new Date(createdAt).toISOString(),
  };
}

function serializeOrderSummary({ id, number, state, payment, reference, content }: Order): object {
  const { amount, priced } = content;
  return { id, number, state, payment_state: payment, reference: reference ?? null, amount, currency: priced.currency };
}

function parsePayment({ amount, currency, reference }: Readonly<Record<string, unknown>>): Payment {
  const errors: FieldError[] = [];
  const addError = (field: string, rule: string, message: string): void => void errors.push({ field, rule, message });
  if (!Number.isSafeInteger(amount) || Number(amount) < 0)
    addError("amount", "integer", "amount must be a whole number of minor units, for example 1999 for 19.99.");
  if (typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency))
    addError("currency", "format", 'currency must be an ISO 4217 code, for example "EUR".');
  if (typeof reference !== "string" || !/^[\x21-\x7e]{1,255}$/.test(reference))
    addError(
      "reference",
      "format",
      "reference is the payment's own name: 1 to 255 visible ASCII characters, without blanks.",
    );
  if (errors.length > 0) throw createFieldsProblem(errors);
  return { amount: Number(amount), currency: String(currency), reference: String(reference) };
}

export function errorOf(completion: Exclude<CompletionResult, { readonly outcome: "ordered" }>): Problem {
  switch (completion.outcome) {
    case "unknown":
      return createNotFoundProblem();
    case "amount_differs":
      return new Problem("amount_differs", "The checkout costs another amount: nothing was completed.", [
        { field: "amount", rule: "equals", message: "It must be the amount of the checkout's document." },
      ]);
    case "currency_differs":
      return new Problem("amount_differs", "The checkout is in another currency: nothing was completed.", [
        { field: "currency", rule: "equals", message: "It must be the currency of the checkout's document." },
      ]);
    case "reference_taken":
      return new Problem("reference_taken", "A payment of this reference came for another checkout or amount.", [
        { field: "reference", rule: "unique", message: "Each payment needs a unique reference." },
      ]);
    case "refund_due":
      return new Problem("refund_due", refundMessages[completion.reason], [], { reason: completion.reason });
  }
}

/** Messages for the payment provider when a payment must be refunded, by reason. */
const refundMessages: Readonly<Record<RefundReason, string>> = {
  out_of_stock:
    "The payment came late, and others have bought what it was for: it is stored without an order and must be refunded.",
  discount_used_up:
    "The payment came late, and others have used the discount up: it is stored without an order and must be refunded.",
  balance_used_up:
    "The payment came late, and the gift card or credit was used meanwhile: it is stored without an order and must be refunded.",
  paid_twice: "The order was paid for before: this payment is stored separately and must be refunded.",
  order_cancelled: "The order was cancelled: the payment is stored separately and must be refunded.",
  already_ordered: "The cart was already ordered for another amount. Refund this payment.",
};

function createNotFoundProblem(): Problem {
  return new Problem("not_found", "There is no checkout with this id.");
}

/**
 * Handles `POST /api/payments/events`: receives a notification of the payment provider, which the merchant's hook
 * verifies. The status is 200 if the provider must not send it again.
 * @throws Problem if the provider should send it again
 */
export async function handlePaymentEvents(
  shop: Pick<Shop, "hooks" | "checkouts" | "process" | "limits">,
  request: StoreRequest,
): Promise<Reply> {
  const hook = shop.hooks.payment;
  if (hook === undefined) throw new Problem("not_found", "This shop has no payment provider.");
  const result = await handlePaymentEvent(shop, hook, request, { kind: "notification" }).catch((error: unknown) => {
    if (!(error instanceof HookError)) throw error;
    throw new Problem("payment_unavailable", "The notification could not be processed. Send it again.");
  });
  if (result === "refused")
    throw new Problem("bad_request", "The signature of the notification is missing or invalid.");
  if (typeof result === "string") return createJsonReply(200, { outcome: result });
  // The refund is recorded and the merchant is notified, so the provider need not send the notification again.
  if (result.outcome === "refund_due") return createJsonReply(200, { outcome: result.outcome, reason: result.reason });
  if (result.outcome !== "ordered") throw errorOf(result);
  return createJsonReply(200, { outcome: result.outcome, order_number: result.order.number });
}
