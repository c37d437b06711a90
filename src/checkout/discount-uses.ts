import type { Cart } from "../cart/cart.ts";
import { spelling } from "../cart/edits/given-codes.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Discount } from "../pricing/discount.ts";

/** Uses of discounts with a limit, by checkout (implemented in `storage/`). A checkout holds one use until half an hour after its page was
 *  last opened, and at least as long as it reserves stock (`Checkouts.open`); an order takes it for good. Methods throw `DatabaseUnavailable`. */
export interface DiscountUses {
  /** True where other checkouts hold as many as there may be. @param checkoutId absent: the cart was never made */
  isUsedUp(discount: Discount, checkoutId: string | undefined, now: number): Promise<boolean>;
  /** Holds a use for this checkout, or goes on holding it. @returns false where others hold all */
  hold(discount: Discount, checkoutId: string, now: number): Promise<boolean>;
  /** Leaves what the checkout holds to others. */
  release(discount: Discount, checkoutId: string): Promise<void>;
}

/** Ids of those that this checkout cannot use now. */
export async function findUsedUp(
  uses: DiscountUses,
  discounts: readonly Discount[],
  checkoutId: string | undefined,
  now: number,
): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(discounts.map((discount) => uses.isUsedUp(discount, checkoutId, now)));
  return new Set(discounts.filter((_, index) => answers[index]).map(({ id }) => id));
}

/** Holds what a checkout uses, at the moment it is opened.
 *  @returns false where others took one meanwhile: the checkout costs more than it was priced at */
export async function holdUses(
  uses: DiscountUses,
  discounts: readonly Discount[],
  checkoutId: string,
  now: number,
): Promise<boolean> {
  const held = await Promise.all(discounts.map((discount) => uses.hold(discount, checkoutId, now)));
  return held.every(Boolean);
}

/** Discounts with a limit whose codes a write has taken off the cart: the cart's checkout may hold a use of them. */
export function takenOff(before: Cart, after: Cart, catalog: Pick<Catalog, "discount">): readonly Discount[] {
  const left = new Set(after.discountCodes.map(spelling));
  const gone = before.discountCodes.filter((code) => !left.has(spelling(code)));
  return gone.flatMap((code) => catalog.discount(code) ?? []).filter(({ usageLimit }) => usageLimit !== undefined);
}
