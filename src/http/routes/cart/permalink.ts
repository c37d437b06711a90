import { buyNow } from "../../../checkout/buy-now.ts";
import { checkoutPath } from "../../../checkout/checkout.ts";
import { parseAdd } from "../../cart/cart-bodies.ts";
import type { WriteShop } from "../../cart/cart-write.ts";
import { editByLink, linkedCode } from "../../cart/edit-by-link.ts";
import { isFollowed } from "../../cart/write-links.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";

/**
 * `GET /cart/<variant>:<quantity>,…`, with `?discount=<code>`: a new checkout of these items at each request. Links in
 * emails lead here, from any site: the shopper's own cart is neither read nor changed, and no cookie is set.
 */
export async function permalink(shop: WriteShop, request: StoreRequest): Promise<Reply> {
  const prefix = localePrefix(request.locale, shop.config.locales);
  if (!isFollowed(request)) return redirect(303, `${prefix}/cart`);
  const items = parseAdd({ items: itemsOf(request.params.items ?? "") }, shop.config.cart.maxQuantity);
  const code = linkedCode(request.query.get("discount") ?? "");
  const cart = await editByLink(shop, request, undefined, (empty, at) => buyNow(empty, items, code, at));
  return redirect(303, checkoutPath(prefix, cart.checkoutId));
}

/** "21:2,11:1" -> the `items` of an add; an id may contain colons, a quantity may not. */
function itemsOf(text: string): readonly unknown[] {
  return text.split(",").map((one) => {
    const colon = one.lastIndexOf(":");
    return { id: one.slice(0, colon), quantity: one.slice(colon + 1) };
  });
}
