import { updateCart } from "../../../cart/edits/cart-edits.ts";
import { parseUpdate } from "../../cart/cart-bodies.ts";
import { type CartWriteShop, writeCart } from "../../cart/cart-write.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** `POST /cart/update.js`, `POST /cart/update`. @see spec 4.5 */
export function cartUpdate(shop: CartWriteShop, request: StoreRequest): Promise<Reply> {
  return writeCart(shop, request, {
    parse: (body) => {
      const changes = parseUpdate(body);
      return (cart, at) => updateCart(cart, changes, at);
    },
  });
}
