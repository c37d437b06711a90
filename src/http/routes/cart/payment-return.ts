import { toCheckoutPath } from "../../../checkout/checkout.ts";
import type { CheckoutSnapshot } from "../../../checkout/checkout-snapshot.ts";
import { HookError } from "../../../hooks/call-hook.ts";
import { formatOrderPath } from "../../../security/order-link.ts";
import { formatReturnPath, handlePaymentEvent, readReturnToken } from "../../checkout/payment.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { errorCodeOf } from "../../error-responses.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";
import { secretUrlHeaders } from "../../wire/security-headers.ts";
import { renderNotFound } from "../pages/page.ts";
import { type CheckoutServices, renderCheckout } from "./checkout.ts";

/**
 * Handles `GET` and `POST /checkout/return/<token>`, to which the payment provider sends the shopper back. If the
 * payment is not confirmed yet, the page waits for the provider's notification and then redirects to the order.
 */
export async function handlePaymentReturn(shop: CheckoutServices, request: StoreRequest): Promise<Reply> {
  const id = readReturnToken(shop, request.params.token ?? "", request.now);
  const storedCheckout = id === undefined ? undefined : await awaitWithDeadline(shop.checkouts.find(id));
  if (storedCheckout === undefined) return renderNotFound(shop, request);
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  const path = formatReturnPath(shop, prefix, storedCheckout);
  if (storedCheckout.orderId === undefined && hasProviderData(request)) {
    const hasFailed = await savePaymentResult(shop, request, storedCheckout.id);
    if (hasFailed) return redirect(303, `${toCheckoutPath(prefix, storedCheckout.cartCheckoutId)}?payment=failed`);
    // The redirect removes the provider's parameters from the URL.
    return redirect(303, path);
  }
  if (request.method === "POST") return redirect(303, path);
  if (storedCheckout.orderId !== undefined) return redirectToOrder(shop, prefix, storedCheckout.orderId);
  return renderWaitingPage(shop, request, storedCheckout, path);
}

/** Records the payment result that the provider added to the request.  @returns true if the payment has failed */
async function savePaymentResult(shop: CheckoutServices, request: StoreRequest, checkoutId: string): Promise<boolean> {
  const hook = shop.hooks.payment;
  if (hook === undefined) return false;
  try {
    return (await handlePaymentEvent(shop, hook, request, { kind: "return", checkoutId })) === "failed";
  } catch (error) {
    // The provider also notifies the shop directly, so this failure is harmless.
    if (error instanceof HookError || errorCodeOf(error) === "rate_limited") return false;
    throw error;
  }
}

/** The waiting page reloads itself at this interval, in seconds, at most `MAX_RELOADS` times. */
const POLL_INTERVAL_SECONDS = 5;
const MAX_RELOADS = 60;

async function renderWaitingPage(
  shop: CheckoutServices,
  request: StoreRequest,
  storedCheckout: CheckoutSnapshot,
  path: string,
): Promise<Reply> {
  const earlierPollCount = readPollCount(request);
  const refund = await awaitWithDeadline(shop.checkouts.findRefundReason(storedCheckout.id));
  const notice =
    refund !== undefined ? "payment_refund" : earlierPollCount < MAX_RELOADS ? "payment_pending" : "payment_late";
  const page = await renderCheckout(shop, request, { storedCheckout, notice, returnPath: path });
  const refreshHeader = { refresh: `${POLL_INTERVAL_SECONDS}; url=${path}?polls=${earlierPollCount + 1}` };
  return {
    ...page,
    headers: { ...page.headers, ...secretUrlHeaders, ...(notice === "payment_pending" ? refreshHeader : {}) },
  };
}

async function redirectToOrder(shop: CheckoutServices, prefix: string, orderId: string): Promise<Reply> {
  const order = await awaitWithDeadline(shop.checkouts.orders.find(orderId));
  if (order === undefined) throw new Error("the order of a checkout is missing");
  return redirect(303, `${formatOrderPath(shop.keys, prefix, order)}?thank_you=true`);
}

/** Reports whether a request contains data of the payment provider. Reloads of the waiting page contain none. */
function hasProviderData({ method, query }: StoreRequest): boolean {
  return method === "POST" || [...query.keys()].some((name) => name !== "polls");
}

function readPollCount({ query }: StoreRequest): number {
  const pollCountText = query.get("polls") ?? "";
  return /^\d{1,4}$/.test(pollCountText) ? Number(pollCountText) : 0;
}
