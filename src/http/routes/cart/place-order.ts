import type { StoredCart } from "../../../cart/cart-store.ts";
import { checkoutPath } from "../../../checkout/checkout.ts";
import { amountWith, type CheckoutContent, type CheckoutSnapshot } from "../../../checkout/checkout-snapshot.ts";
import type { NewCheckout } from "../../../checkout/checkouts.ts";
import { HookFailed } from "../../../hooks/call-hook.ts";
import type { PaymentHook } from "../../../hooks/payment-hook.ts";
import { Problem, type ProblemCode } from "../../../problem.ts";
import { orderPath } from "../../../security/order-link.ts";
import type { Shop } from "../../../shop.ts";
import { formOf } from "../../bodies/form-posts.ts";
import { priceCheckout, reserve, withChosenDelivery } from "../../checkout/open-checkout.ts";
import { readDelivery, readSent, type SentForm } from "../../checkout/order-form.ts";
import { withBegun } from "../../checkout/own-holds.ts";
import { beginPayment } from "../../checkout/payment.ts";
import { withDeadline } from "../../deadline.ts";
import { withErrorStatus } from "../../error-responses.ts";
import { checkWrite } from "../../sessions/csrf-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { addressBlock } from "../../wire/address-block.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";
import { type CheckoutShop, renderCheckout, showCheckout, showEnded, termsFor } from "./checkout.ts";

/** `POST /checkout/<id>`: the form of the checkout's page, sent by its button "order" or "pay", or by "update" to see what delivery to another country
 *  costs. An order by invoice is placed once, however often the form is sent; what is missing is asked for on the page again. */
export async function placeOrder(shop: CheckoutShop & Pick<Shop, "limits">, request: StoreRequest): Promise<Reply> {
  await checkWrite(shop, request, true);
  const form = await formOf(request);
  if (form === undefined) throw new Problem("bad_request", "Send a form, as the page's does.");
  const { id = "" } = request.params;
  const { locale, now } = request;
  const prefix = localePrefix(locale, shop.config.locales);
  const sent = readSent(form);
  const base = await withDeadline(shop.checkouts.find(sent.checkout ?? ""));
  if (base === undefined || base.cartCheckoutId !== id) return showCurrent(shop, request, sent);
  if (base.orderId !== undefined) return showEnded(shop, request, base);
  const terms = await termsFor(shop, request, base, sent);
  const delivery = readDelivery(shop, base.content.priced, sent, terms);
  // Read after the hooks, which take seconds: the same cart may have been ordered meanwhile.
  const [ordered, cart] = await withDeadline(
    Promise.all([shop.checkouts.findOrdered(base), shop.carts.findByCheckout(id)]),
  );
  if (ordered !== undefined) return showEnded(shop, request, ordered);
  if (cart?.revision !== base.revision || cart.lines.length === 0) return showCurrent(shop, request, sent);
  if (terms.isUnknown) {
    const page = await showCheckout(shop, request, cart, { sent, terms, notice: "cost_unknown" });
    return refusedHere(page, "quote_unavailable");
  }
  if (form.update !== undefined || sent.country !== sent.quoted_country)
    return showCheckout(shop, request, cart, {
      sent,
      terms,
      ...(form.update === undefined ? { notice: "delivery_changed" } : {}),
    });
  if ("errors" in delivery) {
    const { errors } = delivery;
    const notice = isQuotedAnew(sent, errors) ? "delivery_changed" : "check_fields";
    const page = await showCheckout(shop, request, cart, { sent, terms, errors, notice });
    return refusedHere(page, "validation_failed");
  }
  // With no way of sending to choose, nothing else says what the shopper was told that it costs.
  const told = sent.quoted_amount ?? "";
  if (terms.rates.length === 0 && told !== "" && told !== String(amountWith(base.content.priced, 0, terms.taxes(0))))
    return showCheckout(shop, request, cart, { sent, terms, notice: "delivery_changed" });
  const payment = form.pay === undefined ? undefined : shop.hooks.payment;
  if (form.pay !== undefined && payment === undefined)
    throw new Problem("not_found", "This shop has no payment provider here.");
  if (payment === undefined && !shop.config.checkout.invoice)
    throw new Problem("not_found", "This shop takes no orders by invoice.");
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  // Its prices and store credit are those of one customer, who may have signed out since.
  if (base.content.customerId !== customer?.id) return showCheckout(shop, request, cart, { sent, notice: "changed" });
  if (base.state !== "open" || base.reservedUntil <= now) {
    const { content } = await priceCheckout(shop, request, cart, { snapshot, customer });
    if (content === undefined || !isSamePicture(content, base.content))
      return showChanged(shop, request, { base, cart, sent });
  }
  const address = addressBlock(request.client.address);
  if (
    !shop.limits.consume("checkout attempt", `pay ${id}`, now) ||
    !shop.limits.consume("order by address", address, now)
  )
    throw new Problem("rate_limited", "Too many attempts to order. Try again in a minute.");
  const taxes = terms.taxes(delivery.rate?.price ?? 0);
  const checkout = withChosenDelivery(shop, request, { base, cart }, { delivery, taxes });
  // What gift cards pay for needs no provider.
  if (payment !== undefined && checkout.content.amount > 0)
    return goOnToPayment(shop, request, { checkout, base, cart, sent }, payment);
  // The order itself takes the stock: a reservation before it would only be released again.
  const completion = await shop.checkouts.complete(checkout, undefined, now);
  if (completion.outcome === "ordered")
    return redirect(303, `${orderPath(shop.keys, prefix, completion.order)}?thank_you=true`);
  if (completion.outcome === "refund_due") return showChanged(shop, request, { base, cart, sent });
  return redirect(303, checkoutPath(prefix, id));
}

/** The checkout of the cart as it is now, for a form that is about another cart or an earlier revision. */
async function showCurrent(shop: CheckoutShop, request: StoreRequest, sent: SentForm): Promise<Reply> {
  const { id = "" } = request.params;
  const cart = await withDeadline(shop.carts.findByCheckout(id));
  if (cart === undefined) throw new Problem("not_found", "There is no checkout at this address.");
  if (cart.lines.length > 0) return showCheckout(shop, request, cart, { sent, notice: "changed" });
  const ended = await withDeadline(shop.checkouts.findCompleted(id));
  if (ended !== undefined) return showEnded(shop, request, ended);
  return redirect(303, `${localePrefix(request.locale, shop.config.locales)}/cart`);
}

/** What a form was about. */
interface Shown {
  readonly base: CheckoutSnapshot;
  readonly cart: StoredCart;
  readonly sent: SentForm;
}

/** The page again, as something of it changed; the order if that is the change. */
async function showChanged(shop: CheckoutShop, request: StoreRequest, { base, cart, sent }: Shown): Promise<Reply> {
  const ordered = await withDeadline(shop.checkouts.findOrdered(base));
  if (ordered !== undefined) return showEnded(shop, request, ordered);
  return showCheckout(shop, request, cart, { sent, notice: "changed" });
}

/** Whether nothing is wrong but that what was chosen costs something else for the address as it is now. */
function isQuotedAnew({ shipping = "" }: SentForm, errors: readonly string[]): boolean {
  return shipping !== "" && errors.length === 1 && errors[0] === "shipping";
}

/** Whether two checkouts of a cart show the same of it, whatever was said of the delivery: who comes back from a payment may go on from the page
 *  that they had before. */
function isSamePicture(one: CheckoutContent, other: CheckoutContent): boolean {
  return JSON.stringify(one.priced) === JSON.stringify(other.priced);
}

/** A page that says what is refused, with its status; where the shopper is led elsewhere instead, that. */
function refusedHere(page: Reply, code: ProblemCode): Reply {
  return page.headers.location === undefined ? withErrorStatus(page, code) : page;
}

/** On to where the merchant's provider takes the payment; where that is not to be had now, the page again as it was filled in. */
async function goOnToPayment(
  shop: CheckoutShop,
  request: StoreRequest,
  of: Shown & { readonly checkout: NewCheckout },
  payment: PaymentHook,
): Promise<Reply> {
  const { checkout, base, cart, sent } = of;
  const opening = await reserve(shop, request, checkout);
  if (opening.outcome === "ordered") return showEnded(shop, request, opening.checkout);
  if (opening.outcome === "short") return showChanged(shop, request, { base, cart, sent });
  const sealed = await withDeadline(shop.checkouts.find(checkout.id));
  if (sealed === undefined) throw new Error("a checkout that was opened is missing");
  try {
    const start = await beginPayment(shop, payment, request, sealed);
    const reply =
      "redirect" in start
        ? redirect(303, start.redirect)
        : await renderCheckout(shop, request, { sealed, payment: start.form });
    return withBegun(shop, request, reply, sealed);
  } catch (error) {
    if (!(error instanceof HookFailed)) throw error;
    const page = await showCheckout(shop, request, cart, { sent, notice: "payment_unavailable" });
    return refusedHere(page, "payment_unavailable");
  }
}
