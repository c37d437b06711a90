import type { Line } from "../../../cart/cart.ts";
import { type AddItem, addItems, updateCart } from "../../../cart/edits/cart-edits.ts";
import type { Body } from "../../bodies/body.ts";
import { parseAdd, parseUpdate } from "../../cart/cart-bodies.ts";
import { type CartWrite, type CartWriteShop, writeCart } from "../../cart/cart-write.ts";
import { trackAddToCart } from "../../track.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `POST /cart`: the form of the cart page. A field `id` adds an item. Otherwise the form sets `updates[]`,
 * `note`, and `discount`, or removes the line in `remove`.
 */
export async function cartForm(shop: CartWriteShop, request: StoreRequest): Promise<Reply> {
  const { maxQuantity } = shop.config.cart;
  let added: readonly AddItem[] = [];
  const reply = await writeCart(shop, request, {
    takesForms: true,
    parse(body) {
      if (body.id === undefined && body.items === undefined) return parseChanges(body);
      const items = parseAdd(body, maxQuantity);
      added = items;
      return (cart, at) => addItems(cart, items, at);
    },
  });
  trackAddToCart(shop, request, added);
  return reply;
}

function parseChanges(body: Body): ReturnType<CartWrite["parse"]> {
  const named = typeof body.remove === "string" ? { ...body, updates: { [body.remove]: "0" } } : body;
  const changes = parseUpdate({ updates: {}, ...named });
  const { updates } = changes;
  if (updates === undefined || updates instanceof Map) return (cart, at) => updateCart(cart, changes, at);
  const quantities = updates as readonly number[];
  return (cart, at) => updateCart(cart, { ...changes, updates: oncePerLine(quantities, cart.lines) }, at);
}

/**
 * Merges duplicate quantity fields. A page may contain each line's field twice, for narrow and wide screens, next to
 * each other or in two lists. The order that matches the cart better is assumed, and a changed value wins.
 */
function oncePerLine(quantities: readonly number[], lines: readonly Line[]): readonly number[] {
  const times = quantities.length / lines.length;
  if (!Number.isInteger(times) || times < 2) return quantities;
  const current = lines.map(({ quantity }) => quantity);
  const changed = (place: (index: number) => number): number =>
    quantities.filter((quantity, index) => quantity !== current[place(index)]).length;
  const adjacent = (index: number): number => Math.floor(index / times);
  const separate = (index: number): number => index % lines.length;
  const place = changed(separate) < changed(adjacent) ? separate : adjacent;
  const updates = [...current];
  for (const [index, quantity] of quantities.entries())
    if (updates[place(index)] === current[place(index)]) updates[place(index)] = quantity;
  return updates;
}
