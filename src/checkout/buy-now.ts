import type { Cart } from "../cart/cart.ts";
import { addItems, type ItemToAdd } from "../cart/edits/add-items.ts";
import type { Edit, EditContext } from "../cart/edits/edit-context.ts";
import { limitNewCodes } from "../cart/edits/submitted-codes.ts";

/**
 * Replaces the content of an express checkout's cart, which is separate from the main cart.
 * @param discountCode an unknown or rate-limited code does not prevent the purchase
 * @throws Problem as `addItems`
 * @see spec 4.7
 */
export function buyNow<C extends Cart>(
  cart: C,
  items: readonly ItemToAdd[],
  discountCode: string | undefined,
  context: EditContext,
): Edit<C> {
  const discountCodes = limitNewCodes(
    cart,
    "discount",
    discountCode === undefined ? [] : [discountCode],
    context,
  ).codes;
  return addItems({ ...cart, lines: [], discountCodes }, items, context);
}
