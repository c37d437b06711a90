import type { Discount } from "../pricing/discount.ts";

/** How often discounts with a limit have been used (implemented in `storage/`). A checkout uses a discount once, however often
 *  it is opened. Methods throw `DatabaseUnavailable`. */
export interface DiscountUses {
  /** True where other checkouts have used it as often as it may be. @param checkoutId absent: the cart was never made */
  isUsedUp(discount: Discount, checkoutId: string | undefined): Promise<boolean>;
  /** Counts one use by this checkout. @returns false where others have used it up */
  count(discount: Discount, checkoutId: string, now: number): Promise<boolean>;
}

/** Ids of those that this checkout cannot use any more. */
export async function findUsedUp(
  uses: DiscountUses,
  discounts: readonly Discount[],
  checkoutId: string | undefined,
): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(discounts.map((discount) => uses.isUsedUp(discount, checkoutId)));
  return new Set(discounts.filter((_, index) => answers[index]).map(({ id }) => id));
}

/** Counts what a checkout uses, at the moment it is handed over.
 *  @returns false where one was used up meanwhile: the checkout costs more than it was priced at */
export async function countUses(
  uses: DiscountUses,
  discounts: readonly Discount[],
  checkoutId: string,
  now: number,
): Promise<boolean> {
  const counted = await Promise.all(discounts.map((discount) => uses.count(discount, checkoutId, now)));
  return counted.every(Boolean);
}
