import type { Line } from "../../../cart/cart.ts";
import { addItems, type ItemToAdd } from "../../../cart/edits/add-items.ts";
import { updateCart } from "../../../cart/edits/cart-edits.ts";
import type { Body } from "../../bodies/body.ts";
import { parseAddItems } from "../../cart/add-bodies.ts";
import { parseUpdate } from "../../cart/cart-bodies.ts";
import { type CartEndpoint, type CartWriteServices, writeCart } from "../../cart/cart-write.ts";
import { trackItems } from "../../track.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `POST /cart`, the form of the cart page. If the form has a field `id`, it adds an item. Otherwise it changes
 * quantities (`updates[]`), the note, or the discount code, or removes a line.
 */
export async function postCartForm(shop: CartWriteServices, request: StoreRequest): Promise<Reply> {
  const { maxQuantity } = shop.config.cart;
  let addedItems: readonly ItemToAdd[] = [];
  const reply = await writeCart(shop, request, {
    acceptsForms: true,
    parse(body) {
      if (body.id === undefined && body.items === undefined) return parseChanges(body);
      const items = parseAddItems(body, maxQuantity);
      addedItems = items;
      return (cart, context) => addItems(cart, items, context);
    },
  });
  trackItems(shop, request, "added", addedItems);
  return reply;
}

function parseChanges(body: Body): ReturnType<CartEndpoint["parse"]> {
  const normalizedBody = typeof body.remove === "string" ? { ...body, updates: { [body.remove]: "0" } } : body;
  const changes = parseUpdate({ updates: {}, ...normalizedBody });
  const { updates } = changes;
  if (updates === undefined || updates instanceof Map) return (cart, context) => updateCart(cart, changes, context);
  const quantities = updates as readonly number[];
  return (cart, context) => updateCart(cart, { ...changes, updates: mergeQuantities(quantities, cart.lines) }, context);
}

/**
 * Merges duplicate quantity fields. A page may contain each cart line twice, for narrow and for wide screens. The two
 * fields of a line are adjacent, or the page lists all lines twice. If their values differ, the one that the shopper
 * changed applies.
 */
function mergeQuantities(quantities: readonly number[], lines: readonly Line[]): readonly number[] {
  const fieldsPerLine = quantities.length / lines.length;
  if (!Number.isInteger(fieldsPerLine) || fieldsPerLine < 2) return quantities;
  const currentQuantities = lines.map(({ quantity }) => quantity);
  const countChanges = (getLineIndex: (index: number) => number): number =>
    quantities.filter((quantity, index) => quantity !== currentQuantities[getLineIndex(index)]).length;
  const getLineOfAdjacentFields = (index: number): number => Math.floor(index / fieldsPerLine);
  const getLineOfRepeatedLists = (index: number): number => index % lines.length;
  const getLineIndex =
    countChanges(getLineOfRepeatedLists) < countChanges(getLineOfAdjacentFields)
      ? getLineOfRepeatedLists
      : getLineOfAdjacentFields;
  const updates = [...currentQuantities];
  for (const [index, quantity] of quantities.entries())
    if (updates[getLineIndex(index)] === currentQuantities[getLineIndex(index)])
      updates[getLineIndex(index)] = quantity;
  return updates;
}
