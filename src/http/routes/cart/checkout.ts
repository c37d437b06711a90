import type { PricedCart } from "../../../cart/priced-cart.ts";
import { checkoutPath, handoffAddress } from "../../../checkout/checkout.ts";
import { holdUses } from "../../../checkout/discount-uses.ts";
import type { Shop } from "../../../shop.ts";
import { findCart, priceFor } from "../../cart/load-cart.ts";
import { withDeadline } from "../../deadline.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";
import { type PageShop, renderPage } from "../pages/page.ts";

/** `GET /checkout`: to the checkout of the caller's cart, or to the cart where there is nothing to pay for. */
export async function checkoutStart(
  shop: Pick<Shop, "config" | "carts" | "keyring">,
  request: StoreRequest,
): Promise<Reply> {
  const cart = await findCart(shop, request);
  const prefix = localePrefix(request.locale, shop.config.locales);
  const hasCheckout = cart.lines.length > 0 && cart.checkoutId !== undefined;
  return redirect(303, hasCheckout ? checkoutPath(prefix, cart.checkoutId) : `${prefix}/cart`);
}

/** `GET /checkout/<id>`: the summary of the cart that has this unguessable id, or on to where the merchant takes payments.
 *  Who opens it holds a use of its discounts for a while. */
export async function checkout(shop: PageShop, request: StoreRequest): Promise<Reply> {
  const cart = await withDeadline(shop.carts.findByCheckout(request.params.id ?? ""));
  if (cart === undefined) return renderPage(shop, request, { target: NOTHING });
  const { handoffUrl } = shop.config.checkout;
  if (cart.lines.length === 0) return redirect(303, `${localePrefix(request.locale, shop.config.locales)}/cart`);
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const price = (): Promise<PricedCart> => priceFor(shop, cart, snapshot, customer, request);
  let priced = await price();
  if (!request.isHead) {
    const holding = holdUses(shop.discountUses, priced.limitedDiscounts, cart.checkoutId, request.now);
    if (!(await withDeadline(holding))) priced = await price();
  }
  if (handoffUrl !== undefined) return redirect(303, handoffAddress(handoffUrl, cart.checkoutId));
  return renderPage(shop, request, { checkout: priced, snapshot });
}

/** A path that names no page: the theme shows its 404. */
const NOTHING = "/checkout/";
