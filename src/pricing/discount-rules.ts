import type { Discount } from "./discount.ts";

/**
 * Returns whether a discount applies now. The reason is not returned: a visitor who guesses codes would learn which
 * exist.
 * @param subtotal minor units of the lines before discounts
 * @param hasTarget whether the discount targets a line of the cart
 * @param isUsedUp whether other checkouts took all of its uses
 */
export function isApplicable(
  discount: Discount,
  at: {
    readonly now: number;
    readonly subtotal: number;
    readonly hasTarget: boolean;
    readonly isUsedUp: boolean;
  },
): boolean {
  return isInTime(discount, at.now) && !at.isUsedUp && at.hasTarget && at.subtotal >= discount.minimumSubtotal;
}

/** Returns whether a discount has started and not ended. */
export function isInTime({ startsAt, endsAt }: Pick<Discount, "startsAt" | "endsAt">, now: number): boolean {
  return (startsAt === undefined || now >= Date.parse(startsAt)) && (endsAt === undefined || now < Date.parse(endsAt));
}

/** Returns whether a discount applies to the entire cart instead of some lines. */
export function isForCart(discount: Discount): boolean {
  return discount.products.length === 0 && discount.collections.length === 0;
}
