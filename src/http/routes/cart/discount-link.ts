import { newCartIds } from "../../../cart/cart-ids.ts";
import type { StoredCart } from "../../../cart/cart-store.ts";
import { updateCart } from "../../../cart/edits/cart-edits.ts";
import type { Edit } from "../../../cart/edits/edit-context.ts";
import { spelling } from "../../../cart/edits/given-codes.ts";
import { parseSameStorePath } from "../../../security/same-store-path.ts";
import { MAX_CODES, parseCodes } from "../../cart/cart-bodies.ts";
import { editContext, type WriteShop } from "../../cart/cart-write.ts";
import { codeTries } from "../../cart/code-tries.ts";
import { isFollowed } from "../../cart/followed-links.ts";
import { priceWritten } from "../../cart/load-cart.ts";
import { cartCookie, readCartId } from "../../sessions/cart-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";

/** `GET /discount/<code>`: puts the code on the shopper's cart, which is made where there is none, and leads to `?redirect=`, a path of this
 *  store, else home. Links in mails lead here, from any site: all that another site can do by it is to lower a price. */
export async function discountLink(shop: WriteShop, request: StoreRequest): Promise<Reply> {
  const prefix = localePrefix(request.locale, shop.config.locales);
  const next = parseSameStorePath(request.query.get("redirect") ?? "") ?? `${prefix}/`;
  const [code] = codesOf(request.params.code ?? "");
  if (code === undefined || !isFollowed(request)) return redirect(303, next);
  const cookieId = readCartId(shop, request);
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const tries = codeTries(shop, request, cookieId);
  const at = editContext(shop, request, snapshot, { customer, tries });
  const ids = newCartIds(shop.newId, request.now, cookieId);
  const time = { now: request.now, beginBy: shop.cartWriter.beginBy() };
  const edited = await shop.cartWriter.edit(ids, time, (cart): Edit<StoredCart> => {
    const others = cart.discountCodes.filter((one) => spelling(one) !== spelling(code));
    return updateCart(cart, { discountCodes: [...others, code].slice(-MAX_CODES) }, at);
  });
  tries.settle((await priceWritten(shop, edited.cart, snapshot, customer, request.now)).inapplicable);
  return redirect(303, next, { "set-cookie": cartCookie(shop, request, "cart", { id: edited.cart.id }) });
}

/** None where the text cannot be a code. */
function codesOf(text: string): readonly string[] {
  try {
    return parseCodes({ discount: [text] }).discountCodes ?? [];
  } catch {
    return [];
  }
}
