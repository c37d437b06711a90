import type { Discount } from "./discount.ts";
import { formatMoney } from "./money.ts";

/** Why a discount does not apply, in words for the shopper; undefined where it does.
 *  @param subtotal minor units, the lines before any discount  @param hasTarget a line of the cart is one the discount is for
 *  @param isUsedUp other checkouts have used it as often as it may be */
export function whyNotApplicable(
  discount: Discount,
  at: {
    readonly now: number;
    readonly currency: string;
    readonly subtotal: number;
    readonly hasTarget: boolean;
    readonly isUsedUp: boolean;
  },
): string | undefined {
  if (discount.startsAt !== undefined && at.now < Date.parse(discount.startsAt)) return "has not started yet";
  if (discount.endsAt !== undefined && at.now >= Date.parse(discount.endsAt)) return "has ended";
  if (at.isUsedUp) return "has been used up";
  if (!at.hasTarget) return "is not for what is in the cart";
  if (at.subtotal < discount.minimumSubtotal)
    return `needs an order of ${formatMoney(discount.minimumSubtotal, at.currency, "en")} or more`;
  return undefined;
}

/** True where the discount is for the whole cart rather than for some of its lines. */
export function isForCart(discount: Discount): boolean {
  return discount.products.length === 0 && discount.collections.length === 0;
}
