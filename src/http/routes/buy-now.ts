import { editCart } from "../../cart/cart-store.ts";
import { buyNow as buyNowEdit } from "../../checkout/buy-now.ts";
import { checkoutPath } from "../../checkout/checkout.ts";
import { readWriteBody } from "../body.ts";
import { parseBuyNow } from "../cart-bodies.ts";
import { cartCookie, requireCartId } from "../cart-session.ts";
import { editContext, type WriteShop } from "../cart-write.ts";
import { checkWrite } from "../csrf-session.ts";
import { readCustomer } from "../customer-session.ts";
import { withDeadline } from "../deadline.ts";
import { json, type Reply } from "../reply.ts";
import { localePrefix, type StoreRequest } from "../request.ts";

/** `POST /api/cart/buyNowCheckout`: one line in a cart of its own; the main cart is neither read nor changed. @see spec 4.7 */
export async function buyNow(shop: WriteShop, request: StoreRequest): Promise<Reply> {
  checkWrite(shop, request);
  const cookieId = requireCartId(shop, request, "buy_now");
  const body = await readWriteBody(request, shop.config.compat);
  const { item, discountCode } = parseBuyNow(body, shop.config.cart.maxQuantity);
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const at = editContext(shop, request, snapshot, customer);
  const ids = { id: cookieId ?? shop.newId(), checkoutId: shop.newId() };
  const edit = editCart(shop.carts, ids, request.now, (cart) => buyNowEdit(cart, item, discountCode, at));
  const { cart } = await withDeadline(edit);
  const url = checkoutPath(localePrefix(request.locale, shop.config.locales), cart.checkoutId);
  return json(200, { checkout_url: url }, { "set-cookie": [cartCookie(shop, request, "buy_now", cart)] });
}
