import { changeLine } from "../../../cart/edits/cart-edits.ts";
import { parseChange } from "../../cart/cart-bodies.ts";
import { type CartWriteShop, writeCart } from "../../cart/cart-write.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** `POST /cart/change.js`, `POST /cart/change`. @see spec 4.4 */
export function cartChange(shop: CartWriteShop, request: StoreRequest): Promise<Reply> {
  return writeCart(shop, request, {
    parse: (body) => {
      const { target, change } = parseChange(body);
      return (cart, at) => changeLine(cart, target, change, at);
    },
  });
}
