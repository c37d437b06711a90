import type { QuantityRule, Variant } from "../catalog/product.ts";
import { sellable } from "../catalog/stock.ts";

/** What a rule makes of a wanted quantity. Raising goes to the next higher quantity that the rule allows, or its highest; lowering to the
 *  next lower, or its least, and from its least or below to 0. The quantity that a line has already is left as it is.
 *  @param wanted 1 or more  @param current units of the line so far; 0 for a new one */
export function byRule(wanted: number, rule: QuantityRule, current: number): number {
  if (wanted === current) return wanted;
  if (wanted < current) {
    const lower = largestWithin(wanted, rule);
    return lower === 0 && current > rule.min ? rule.min : lower;
  }
  if (wanted <= rule.min) return rule.min;
  const quantity = rule.min + Math.ceil((wanted - rule.min) / rule.increment) * rule.increment;
  return rule.max === undefined ? quantity : Math.min(quantity, largestWithin(rule.max, rule));
}

/** The largest quantity of at most `limit` that the rule allows; 0 where there is none. */
export function largestWithin(limit: number, rule: QuantityRule): number {
  const top = Math.min(limit, rule.max ?? limit);
  if (top < rule.min) return 0;
  if (top === Number.POSITIVE_INFINITY) return top;
  return rule.min + Math.floor((top - rule.min) / rule.increment) * rule.increment;
}

/** How many of a variant one more line may hold. @param elsewhere units of it in other lines of the cart */
export function sellableHere(variant: Variant, elsewhere: number): number {
  return largestWithin(leftFor(variant, elsewhere), variant.quantityRule);
}

/** As {@link sellableHere}, whatever the variant's rule. */
export function leftFor(variant: Variant, elsewhere: number): number {
  return Math.max(0, sellable(variant) - elsewhere);
}
