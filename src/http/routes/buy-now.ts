import { addItems } from "../../cart/cart-edits.ts";
import { editCart, type StoredCart } from "../../cart/cart-store.ts";
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
  const discountCodes = discountCode === undefined ? [] : [discountCode];

  const ids = { id: cookieId ?? shop.newId(), checkoutId: shop.newId() };
  const edit = editCart(shop.carts, ids, request.now, (cart: StoredCart) => {
    const { note: _, ...unnoted } = cart;
    return addItems({ ...unnoted, lines: [], discountCodes }, [item], at);
  });
  const { cart } = await withDeadline(edit);
  const url = `${localePrefix(request.locale, shop.config.locales)}/checkout/${cart.checkoutId}`;
  return json(200, { checkout_url: url }, { "set-cookie": [cartCookie(shop, request, "buy_now", cart)] });
}
