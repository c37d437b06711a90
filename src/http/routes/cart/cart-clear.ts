import { clearCart } from "../../../cart/edits/cart-edits.ts";
import { type CartWriteShop, writeCart } from "../../cart/cart-write.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** `POST /cart/clear.js`, `POST /cart/clear`; the note and the codes remain.  @see spec 4.6 */
export function cartClear(shop: CartWriteShop, request: StoreRequest): Promise<Reply> {
  return writeCart(shop, request, { mayLackBody: true, parse: () => (cart) => clearCart(cart) });
}
