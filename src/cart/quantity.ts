import type { QuantityRule, Variant } from "../catalog/product.ts";
import { sellable } from "../catalog/stock.ts";

/** The quantity nearest to the wanted one that the rule allows: upwards when raising, downwards when lowering, never below the rule's least.
 *  @param wanted 1 or more */
export function byRule(wanted: number, rule: QuantityRule, isRaise: boolean): number {
  if (wanted <= rule.min) return rule.min;
  const steps = (wanted - rule.min) / rule.increment;
  const quantity = rule.min + (isRaise ? Math.ceil(steps) : Math.floor(steps)) * rule.increment;
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
  return largestWithin(Math.max(0, sellable(variant) - elsewhere), variant.quantityRule);
}
