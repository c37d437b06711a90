import type { Discount } from "./discount.ts";

/** Data of a cart line that determine to which of its units a discount "buy X, get Y" applies. */
export interface PromotionLine {
  readonly quantity: number;
  /** Unit price before discounts, in minor units. */
  readonly price: number;
  /** Whether the discount targets the product. */
  readonly isTarget: boolean;
  /** Whether the product is one of those that the customer must buy. */
  readonly isBought: boolean;
}

/**
 * Returns the number of units of each line that a discount "buy X, get Y" reduces: the cheapest ones first. If the
 * discount names no products to buy, each group of X + Y targeted units contains Y reduced ones. Otherwise, targeted
 * products that also count as bought are not reduced.
 */
export function selectRewardUnits(
  { buy, get }: Pick<Discount, "buy" | "get">,
  lines: readonly PromotionLine[],
): readonly number[] {
  if (buy === undefined || get === undefined) return lines.map(() => 0);
  const hasBuyTargets = buy.products.length > 0 || buy.collections.length > 0;
  const countUnits = (isCountedLine: (line: PromotionLine) => boolean): number =>
    lines.reduce((sum, line) => sum + (isCountedLine(line) ? line.quantity : 0), 0);
  const groupCount = hasBuyTargets
    ? Math.floor(countUnits(({ isBought }) => isBought) / buy.quantity)
    : Math.floor(countUnits(({ isTarget }) => isTarget) / (buy.quantity + get.quantity));
  let remainingUnits = groupCount * get.quantity;
  const units = lines.map(() => 0);
  const rewardedLines = lines
    .map((line, index) => ({ ...line, index }))
    .filter(({ isTarget, isBought }) => isTarget && !(hasBuyTargets && isBought))
    .sort((a, b) => a.price - b.price || a.index - b.index);
  for (const { index, quantity } of rewardedLines) {
    units[index] = Math.min(quantity, remainingUnits);
    remainingUnits -= units[index] ?? 0;
  }
  return units;
}

/**
 * Returns the discount with its value for a number of targeted units. A discount without quantity breaks is returned
 * unchanged.
 * @returns undefined if the units are too few for the first quantity break
 */
export function applyQuantityBreak(discount: Discount, units: number): Discount | undefined {
  if (discount.quantityBreaks === undefined) return discount;
  const quantityBreak = discount.quantityBreaks.findLast(({ quantity }) => quantity <= units);
  return quantityBreak === undefined ? undefined : { ...discount, value: quantityBreak.value };
}

/**
 * Selects the discounts that apply together. A discount that does not combine with others applies alone, if it takes
 * off more than all other discounts.
 * @param computeDiscountAmount returns the amount in minor units that discounts take off together
 */
export function selectDiscounts(
  discounts: readonly Discount[],
  computeDiscountAmount: (discounts: readonly Discount[]) => number,
): readonly Discount[] {
  const exclusiveDiscounts = discounts.filter(({ combines }) => combines === false);
  if (exclusiveDiscounts.length === 0) return discounts;
  const combinableDiscounts = discounts.filter(({ combines }) => combines !== false);
  const alternatives = [combinableDiscounts, ...exclusiveDiscounts.map((discount) => [discount])].map(
    (alternative) => ({ alternative, reduction: computeDiscountAmount(alternative) }),
  );
  // Free shipping takes nothing off the items, but is better than no discount.
  alternatives.sort((a, b) => b.reduction - a.reduction || b.alternative.length - a.alternative.length);
  return alternatives[0]?.alternative ?? [];
}
