import type { StoredCart } from "../../../cart/cart-store.ts";
import { checkoutPath } from "../../../checkout/checkout.ts";
import { amountWith, type SealedCheckout } from "../../../checkout/sealed-checkout.ts";
import { HookFailed } from "../../../hooks/call-hook.ts";
import type { PaymentHook } from "../../../hooks/payment-hook.ts";
import { Problem, type ProblemCode } from "../../../problem.ts";
import { orderPath } from "../../../security/order-link.ts";
import type { Shop } from "../../../shop.ts";
import { formOf } from "../../bodies/form-posts.ts";
import { deliveryId, openForCart, openWithDelivery, supplyOf } from "../../checkout/open-checkout.ts";
import { readDelivery, readSent, type SentForm } from "../../checkout/order-form.ts";
import { withBegun } from "../../checkout/own-holds.ts";
import { beginPayment } from "../../checkout/payment.ts";
import { withDeadline } from "../../deadline.ts";
import { refusedPage } from "../../refusals.ts";
import { checkWrite } from "../../sessions/csrf-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { addressBlock } from "../../wire/address-block.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";
import { type CheckoutShop, renderCheckout, showCheckout, showEnded, termsFor } from "./checkout.ts";

/** `POST /checkout/<id>`: the form of the checkout's page, sent by its button "order" or "pay", or by "update" to see what delivery to another country
 *  costs. An order by invoice is placed once, however often the form is sent; what is missing is asked for on the page again. */
export async function placeOrder(
  shop: CheckoutShop & Pick<Shop, "ordersByAddress">,
  request: StoreRequest,
): Promise<Reply> {
  await checkWrite(shop, request, true);
  const form = await formOf(request);
  if (form === undefined) throw new Problem("bad_request", "Send a form, as the page's does.");
  const { id = "" } = request.params;
  const { locale, now } = request;
  const prefix = localePrefix(locale, shop.config.locales);
  const sent = readSent(form);
  const cart = await withDeadline(shop.carts.findByCheckout(id));
  if (cart === undefined) throw new Problem("not_found", "There is no checkout at this address.");
  const base = await withDeadline(shop.checkouts.find(sent.checkout ?? ""));
  if (base === undefined || base.cartCheckoutId !== id) {
    if (cart.lines.length === 0) return redirect(303, `${prefix}/cart`);
    return showCheckout(shop, request, cart, { sent, notice: "changed" });
  }
  if (base.orderId !== undefined) return showEnded(shop, request, base);
  const terms = await termsFor(shop, request, base, sent);
  const delivery = readDelivery(shop, base.content.priced, sent, terms);
  if (!("errors" in delivery)) {
    // Sent before: the answer was lost, or the button was pressed twice.
    const placed = await withDeadline(shop.checkouts.find(deliveryId(shop, base, delivery)));
    if (placed?.orderId !== undefined) return showEnded(shop, request, placed);
  }
  if (cart.lines.length === 0) return redirect(303, `${prefix}/cart`);
  if (cart.revision !== base.revision) return showCheckout(shop, request, cart, { sent, notice: "changed" });
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
  if (base.state !== "open" || base.heldUntil <= now) {
    const opened = await openForCart(shop, request, cart, { snapshot, customer }, "look");
    if (!("checkout" in opened) || !isSamePicture(opened.checkout, base))
      return showCheckout(shop, request, cart, { sent, notice: "changed" });
  }
  const address = addressBlock(request.client.address);
  if (!shop.ordersByAddress.take(address, now))
    throw new Problem("rate_limited", "Many orders came from here just now: please try again in a minute.");
  const taxes = terms.taxes(delivery.rate?.price ?? 0);
  const opened = await openWithDelivery(shop, request, { base, cart }, { delivery, taxes }, snapshot);
  if (opened.short !== undefined) return showCheckout(shop, request, cart, { sent, notice: "changed" });
  const sealed = payment === undefined ? undefined : await withDeadline(shop.checkouts.find(opened.id));
  // What gift cards pay for needs no provider.
  if (payment !== undefined && sealed !== undefined && sealed.content.amount > 0)
    return goOnToPayment(shop, request, { sealed, cart, sent }, payment);
  const completion = await shop.checkouts.complete(opened.id, undefined, () => supplyOf(shop.snapshot()), now);
  if (completion.outcome === "ordered")
    return redirect(303, `${orderPath(shop, prefix, completion.order)}?thank_you=true`);
  if (completion.outcome === "refund_due") return showCheckout(shop, request, cart, { sent, notice: "changed" });
  return redirect(303, checkoutPath(prefix, id));
}

/** Whether nothing is wrong but that what was chosen costs something else for the address as it is now. */
function isQuotedAnew({ shipping = "" }: SentForm, errors: readonly string[]): boolean {
  return shipping !== "" && errors.length === 1 && errors[0] === "shipping";
}

/** Whether two checkouts of a cart show the same of it, whatever was said of the delivery: who comes back from a payment may go on from the page
 *  that they had before. */
function isSamePicture(one: SealedCheckout, other: SealedCheckout): boolean {
  return JSON.stringify(one.content.priced) === JSON.stringify(other.content.priced);
}

/** A page that says what is refused, with its status; where the shopper is led elsewhere instead, that. */
function refusedHere(page: Reply, code: ProblemCode): Reply {
  return page.headers.location === undefined ? refusedPage(page, code) : page;
}

/** On to where the merchant's provider takes the payment; where that is not to be had now, the page again as it was filled in. */
async function goOnToPayment(
  shop: CheckoutShop,
  request: StoreRequest,
  of: { readonly sealed: SealedCheckout; readonly cart: StoredCart; readonly sent: SentForm },
  payment: PaymentHook,
): Promise<Reply> {
  const { sealed, cart, sent } = of;
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
