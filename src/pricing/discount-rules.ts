import type { Discount } from "./discount.ts";

/** Whether a discount applies now. Why it does not is nobody's business: a stranger who tries codes would learn which ones there are.
 *  @param subtotal minor units, the lines before any discount  @param hasTarget a line of the cart is one the discount is for
 *  @param isUsedUp other checkouts have used it as often as it may be */
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

/** Whether a discount has begun and not ended. */
export function isInTime({ startsAt, endsAt }: Pick<Discount, "startsAt" | "endsAt">, now: number): boolean {
  return (startsAt === undefined || now >= Date.parse(startsAt)) && (endsAt === undefined || now < Date.parse(endsAt));
}

/** True where the discount is for the whole cart rather than for some of its lines. */
export function isForCart(discount: Discount): boolean {
  return discount.products.length === 0 && discount.collections.length === 0;
}
