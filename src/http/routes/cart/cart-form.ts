import type { Line } from "../../../cart/cart.ts";
import { addItems, type ItemToAdd } from "../../../cart/edits/add-items.ts";
import { updateCart } from "../../../cart/edits/cart-edits.ts";
import type { Body } from "../../bodies/body.ts";
import { parseAddItems } from "../../cart/add-bodies.ts";
import { parseUpdate } from "../../cart/cart-bodies.ts";
import { type CartEndpoint, type CartWriteShop, writeCart } from "../../cart/cart-write.ts";
import { trackAddToCart } from "../../track.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `POST /cart`, the form of the cart page. If the form has a field `id`, it adds an item. Otherwise it changes
 * quantities (`updates[]`), the note, or the discount code, or removes a line.
 */
export async function postCartForm(shop: CartWriteShop, request: StoreRequest): Promise<Reply> {
  const { maxQuantity } = shop.config.cart;
  let addedItems: readonly ItemToAdd[] = [];
  const reply = await writeCart(shop, request, {
    acceptsForms: true,
    parse(body) {
      if (body.id === undefined && body.items === undefined) return parseChanges(body);
      const items = parseAddItems(body, maxQuantity);
      addedItems = items;
      return (cart, at) => addItems(cart, items, at);
    },
  });
  trackAddToCart(shop, request, addedItems);
  return reply;
}

function parseChanges(body: Body): ReturnType<CartEndpoint["parse"]> {
  const normalizedBody = typeof body.remove === "string" ? { ...body, updates: { [body.remove]: "0" } } : body;
  const changes = parseUpdate({ updates: {}, ...normalizedBody });
  const { updates } = changes;
  if (updates === undefined || updates instanceof Map) return (cart, at) => updateCart(cart, changes, at);
  const quantities = updates as readonly number[];
  return (cart, at) => updateCart(cart, { ...changes, updates: mergeQuantities(quantities, cart.lines) }, at);
}

/**
 * Merges duplicate quantity fields. A page may contain each cart line twice, for narrow and for wide screens. The two
 * fields of a line are adjacent, or the page lists all lines twice. If their values differ, the one that the shopper
 * changed applies.
 */
function mergeQuantities(quantities: readonly number[], lines: readonly Line[]): readonly number[] {
  const copiesPerLine = quantities.length / lines.length;
  if (!Number.isInteger(copiesPerLine) || copiesPerLine < 2) return quantities;
  const currentQuantities = lines.map(({ quantity }) => quantity);
  const countChanges = (convertIndex: (index: number) => number): number =>
    quantities.filter((quantity, index) => quantity !== currentQuantities[convertIndex(index)]).length;
  const toAdjacentIndex = (index: number): number => Math.floor(index / copiesPerLine);
  const toSeparateIndex = (index: number): number => index % lines.length;
  const convertIndex =
    countChanges(toSeparateIndex) < countChanges(toAdjacentIndex) ? toSeparateIndex : toAdjacentIndex;
  const updates = [...currentQuantities];
  for (const [index, quantity] of quantities.entries())
    if (updates[convertIndex(index)] === currentQuantities[convertIndex(index)])
      updates[convertIndex(index)] = quantity;
  return updates;
}
