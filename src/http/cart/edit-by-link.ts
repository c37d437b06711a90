import { newCartIds } from "../../cart/cart-ids.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import type { Edit, EditContext } from "../../cart/edits/edit-context.ts";
import { readCustomer } from "../sessions/customer-session.ts";
import type { StoreRequest } from "../wire/request.ts";
import { parseCodes } from "./cart-bodies.ts";
import { editContext, type WriteShop } from "./cart-write.ts";
import { codeAttempts } from "./code-attempts.ts";
import { priceWritten } from "./load-cart.ts";

/**
 * Edits a cart for a link, which may be on any site, and counts its wrong codes.
 * @param cookieId the shopper's cart. Default: a new one
 * @returns the edited cart
 */
export async function editByLink(
  shop: WriteShop,
  request: StoreRequest,
  cookieId: string | undefined,
  edit: (cart: StoredCart, at: EditContext) => Edit<StoredCart>,
): Promise<StoredCart> {
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const tries = codeAttempts(shop, request, cookieId);
  const at = editContext(shop, request, snapshot, { customer, tries });
  const ids = newCartIds(shop.process.newId, request.now, cookieId);
  const time = { now: request.now, beginBy: shop.carts.beginBy() };
  const { cart } = await shop.carts.edit(ids, time, (before) => edit(before, at));
  if (cart.discountCodes.length > 0)
    tries.countWrong((await priceWritten(shop, cart, snapshot, customer, request)).inapplicable);
  return cart;
}

/** The code in a link; undefined if it is not a valid code. */
export function linkedCode(text: string): string | undefined {
  try {
    return parseCodes({ discount: [text] }).discountCodes?.[0];
  } catch {
    return undefined;
  }
}
