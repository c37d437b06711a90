import { addItems, updateCart } from "../../cart/cart-edits.ts";
import type { Body } from "../body.ts";
import { parseAdd, parseUpdate } from "../cart-bodies.ts";
import { type CartWrite, type WriteShop, writeCart } from "../cart-write.ts";
import type { Reply } from "../reply.ts";
import type { StoreRequest } from "../request.ts";

/** `POST /cart`: the cart page as a form. A form with an `id` adds; others set `updates[]`, `note` and `discount`, or take off the line
 *  that `remove` names by its key. The buttons of a theme (`update`, `checkout`) ask for no change by themselves. */
export function cartForm(shop: WriteShop, request: StoreRequest): Promise<Reply> {
  const { maxQuantity } = shop.config.cart;
  return writeCart(shop, request, { takesForms: true, parse: (body) => parse(body, maxQuantity) });
}

function parse(body: Body, maxQuantity: number): ReturnType<CartWrite["parse"]> {
  if (body.id !== undefined || body.items !== undefined) {
    const items = parseAdd(body, maxQuantity);
    return (cart, at) => addItems(cart, items, at);
  }
  const named = typeof body.remove === "string" ? { ...body, updates: { [body.remove]: "0" } } : body;
  const changes = parseUpdate({ updates: {}, ...named });
  return (cart, at) => updateCart(cart, changes, at);
}
