import { updateCart } from "../../../cart/edits/cart-edits.ts";
import { normalizeCode } from "../../../cart/edits/submitted-codes.ts";
import { parseSameStorePath } from "../../../security/same-store-path.ts";
import { MAX_CODES } from "../../cart/cart-bodies.ts";
import type { WriteShop } from "../../cart/cart-write.ts";
import { editByLink, linkedCode } from "../../cart/edit-by-link.ts";
import { isFollowed } from "../../cart/write-links.ts";
import { cartCookie, readCartId } from "../../sessions/cart-session.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";

/**
 * `GET /discount/<code>`: applies the code to the shopper's cart, which is created if missing, and redirects to
 * `?redirect=`, a path of this store. Default: the home page. Links in emails lead here, from any site: another site
 * can only lower a price.
 */
export async function discountLink(shop: WriteShop, request: StoreRequest): Promise<Reply> {
  const prefix = localePrefix(request.locale, shop.config.locales);
  const next = parseSameStorePath(request.query.get("redirect") ?? "") ?? `${prefix}/`;
  const code = linkedCode(request.params.code ?? "");
  if (code === undefined || !isFollowed(request)) return redirect(303, next);
  const { id } = await editByLink(shop, request, readCartId(shop, request), (cart, at) => {
    const otherCodes = cart.discountCodes.filter((one) => normalizeCode(one) !== normalizeCode(code));
    return updateCart(cart, { discountCodes: [...otherCodes, code].slice(-MAX_CODES) }, at);
  });
  return redirect(303, next, { "set-cookie": cartCookie(shop, request, "cart", { id }) });
}
