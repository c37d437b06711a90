import type { QuantityRule, Variant } from "../catalog/product.ts";
import { sellable } from "../catalog/stock.ts";

/**
 * Applies a rule to a requested quantity. Increases are rounded up to the next allowed quantity, or to the maximum;
 * decreases are rounded down, and below the minimum to 0. The current quantity of a line stays valid.
 * @param requested 1 or more
 * @param current units of the line so far; 0 for a new one
 */
export function byRule(requested: number, rule: QuantityRule, current: number): number {
  if (requested === current) return requested;
  if (requested < current) {
    const lower = largestWithin(requested, rule);
    return lower === 0 && current > rule.min ? rule.min : lower;
  }
  if (requested <= rule.min) return rule.min;
  const quantity = rule.min + Math.ceil((requested - rule.min) / rule.increment) * rule.increment;
  return rule.max === undefined ? quantity : Math.min(quantity, largestWithin(rule.max, rule));
}

/** The largest allowed quantity of at most `limit`, or 0. */
export function largestWithin(limit: number, rule: QuantityRule): number {
  const top = Math.min(limit, rule.max ?? limit);
  if (top < rule.min) return 0;
  if (top === Number.POSITIVE_INFINITY) return top;
  return rule.min + Math.floor((top - rule.min) / rule.increment) * rule.increment;
}

/** Units of a variant that one more line may have.  @param elsewhere units of it in other lines of the cart */
export function sellableHere(variant: Variant, elsewhere: number): number {
  return largestWithin(remainingStock(variant, elsewhere), variant.quantityRule);
}

/** Like {@link sellableHere}, without the variant's rule. */
export function remainingStock(variant: Variant, elsewhere: number): number {
  return Math.max(0, sellable(variant) - elsewhere);
}
