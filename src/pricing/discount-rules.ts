import type { Discount } from "./discount.ts";

/**
 * Returns whether a discount applies now. Does not return the reason, so that a visitor cannot find out which codes
 * exist.
 * @param subtotal subtotal of the lines before discounts, in minor units
 * @param hasTarget whether the discount targets a line of the cart
 * @param isUsedUp whether other checkouts have used up the discount
 */
export function isUsableDiscount(
  discount: Discount,
  context: {
    readonly now: number;
    readonly subtotal: number;
    readonly hasTarget: boolean;
    readonly isUsedUp: boolean;
  },
): boolean {
  return (
    isWithinDates(discount, context.now) &&
    !context.isUsedUp &&
    context.hasTarget &&
    context.subtotal >= discount.minimumSubtotal
  );
}

/** Returns whether a discount or bundle is valid at a time. */
export function isWithinDates({ startsAt, endsAt }: Pick<Discount, "startsAt" | "endsAt">, now: number): boolean {
  return (startsAt === undefined || now >= Date.parse(startsAt)) && (endsAt === undefined || now < Date.parse(endsAt));
}

/** Returns whether a discount applies to the entire cart instead of certain lines. */
export function isCartDiscount(discount: Discount): boolean {
  return discount.products.length === 0 && discount.collections.length === 0;
}

/** Returns whether the number of uses of a discount is limited, so that its uses must be counted. */
export function hasUsageLimit({ usageLimit, customerLimit }: Discount): boolean {
  return usageLimit !== undefined || customerLimit !== undefined;
}
