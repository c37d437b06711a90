import { checkoutPath } from "../../../checkout/checkout.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { formOf } from "../../bodies/form-posts.ts";
import { deliveryId, openForCart, openWithDelivery, supplyOf } from "../../checkout/open-checkout.ts";
import { readDelivery, readSent } from "../../checkout/order-form.ts";
import { orderPath } from "../../checkout/order-link.ts";
import { withDeadline } from "../../deadline.ts";
import { refusedPage } from "../../refusals.ts";
import { checkWrite } from "../../sessions/csrf-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { addressBlock } from "../../wire/address-block.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";
import { type CheckoutShop, showCheckout, showEnded } from "./checkout.ts";

/** `POST /checkout/<id>`: the form of the checkout's page, sent by its button "order", or by "update" to see what delivery to another country
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
  const delivery = readDelivery(shop.config, base.content.priced, sent, locale);
  if (!("errors" in delivery)) {
    // Sent before: the answer was lost, or the button was pressed twice.
    const placed = await withDeadline(shop.checkouts.find(deliveryId(shop, base, delivery)));
    if (placed?.orderId !== undefined) return showEnded(shop, request, placed);
  }
  if (cart.lines.length === 0) return redirect(303, `${prefix}/cart`);
  if (cart.revision !== base.revision) return showCheckout(shop, request, cart, { sent, notice: "changed" });
  if (form.update !== undefined || sent.country !== sent.quoted_country)
    return showCheckout(shop, request, cart, {
      sent,
      ...(form.update === undefined ? { notice: "delivery_changed" } : {}),
    });
  if ("errors" in delivery) {
    const page = await showCheckout(shop, request, cart, { sent, errors: delivery.errors, notice: "check_fields" });
    return page.headers.location === undefined ? refusedPage(page, "validation_failed") : page;
  }
  if (!shop.config.checkout.invoice) throw new Problem("not_found", "This shop takes no orders by invoice.");
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  if (base.state !== "open" || base.heldUntil <= now) {
    const opened = await openForCart(shop, request, cart, { snapshot, customer }, "look");
    if (!("checkout" in opened) || opened.checkout.id !== base.id)
      return showCheckout(shop, request, cart, { sent, notice: "changed" });
  }
  const address = addressBlock(request.client.address, { ipv4: 32, ipv6: 64 });
  if (!shop.ordersByAddress.take(address, now))
    throw new Problem("rate_limited", "Many orders came from here just now: please try again in a minute.");
  const opened = await openWithDelivery(shop, request, { base, cart }, delivery, snapshot);
  if (opened.short !== undefined) return showCheckout(shop, request, cart, { sent, notice: "changed" });
  const completion = await shop.checkouts.complete(opened.id, undefined, () => supplyOf(shop.snapshot()), now);
  if (completion.outcome === "ordered")
    return redirect(303, `${orderPath(shop, prefix, completion.order)}?thank_you=true`);
  if (completion.outcome === "refund_due") return showCheckout(shop, request, cart, { sent, notice: "changed" });
  return redirect(303, checkoutPath(prefix, id));
}
