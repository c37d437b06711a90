import type { Cart } from "../cart/cart.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { normalizeCode } from "../catalog/rows/parse-offers.ts";
import type { Discount } from "../pricing/discount.ts";
import { hasUsageLimit } from "../pricing/discount-rules.ts";

/** The checkout and the customer of a cart that uses a discount. */
export interface DiscountUser {
  /** Undefined for a cart that was never created. */
  readonly checkoutId: string | undefined;
  /** Undefined for a customer who is not signed in. */
  readonly customerId: string | undefined;
}

/**
 * Reserves and counts the uses of discounts with a usage limit. Implemented in `storage/`. A checkout reserves one use
 * until 30 minutes after its page was last opened, and at least as long as it reserves stock (`Checkouts.open`). An
 * order makes the use permanent. Methods throw `DatabaseUnavailableError`.
 */
export interface DiscountUses {
  /** Returns whether other checkouts, or other orders of the customer, have used up the discount. */
  isUsedUp(discount: Discount, user: DiscountUser, now: number): Promise<boolean>;
  /**
   * Reserves a use for this checkout, or extends its reservation.  @returns false if other checkouts have used up the
   * discount
   */
  reserve(discount: Discount, checkoutId: string, now: number): Promise<boolean>;
  /** Releases the checkout's reservation of a discount use. */
  release(discount: Discount, checkoutId: string): Promise<void>;
}

/** Returns the IDs of the discounts that other checkouts, or other orders of the customer, have used up. */
export async function findUsedUpDiscounts(
  discountUses: DiscountUses,
  discounts: readonly Discount[],
  user: DiscountUser,
  now: number,
): Promise<ReadonlySet<string>> {
  const usedUpFlags = await Promise.all(discounts.map((discount) => discountUses.isUsedUp(discount, user, now)));
  return new Set(discounts.filter((_, index) => usedUpFlags[index]).map(({ id }) => id));
}

/**
 * Reserves the discount uses of a checkout that is being opened.
 * @returns false if another checkout took the last use of a discount, so that the price is no longer valid
 */
export async function reserveDiscounts(
  discountUses: DiscountUses,
  discounts: readonly Discount[],
  checkoutId: string,
  now: number,
): Promise<boolean> {
  const results = await Promise.all(discounts.map((discount) => discountUses.reserve(discount, checkoutId, now)));
  return results.every(Boolean);
}

/**
 * Returns the limited discounts whose codes were removed from the cart. The cart's checkout may have reserved their
 * uses.
 */
export function findRemovedDiscounts(
  oldCart: Cart,
  newCart: Cart,
  catalog: Pick<Catalog, "discount">,
): readonly Discount[] {
  const remainingCodes = new Set(newCart.discountCodes.map(normalizeCode));
  const removedCodes = oldCart.discountCodes.filter((code) => !remainingCodes.has(normalizeCode(code)));
  return removedCodes.flatMap((code) => catalog.discount(code) ?? []).filter(hasUsageLimit);
}
