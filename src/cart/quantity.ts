import type { QuantityRule, Variant } from "../catalog/product.ts";
import { countUnitsInStock } from "../catalog/stock.ts";

/**
 * Applies a quantity rule to a requested quantity. Rounds an increase up to the next allowed quantity, or down to the
 * maximum. Rounds a decrease down. A decrease below the minimum results in the minimum, or in 0 if the line had at most
 * the minimum. The current quantity always stays valid.
 * @param requestedQuantity at least 1
 * @param oldQuantity current units of the line; 0 for a new line
 */
export function applyQuantityRule(requestedQuantity: number, rule: QuantityRule, oldQuantity: number): number {
  if (requestedQuantity === oldQuantity) return requestedQuantity;
  if (requestedQuantity < oldQuantity) {
    const allowedQuantity = computeLargestAllowedQuantity(requestedQuantity, rule);
    return allowedQuantity === 0 && oldQuantity > rule.min ? rule.min : allowedQuantity;
  }
  if (requestedQuantity <= rule.min) return rule.min;
  const quantity = rule.min + Math.ceil((requestedQuantity - rule.min) / rule.increment) * rule.increment;
  return rule.max === undefined ? quantity : Math.min(quantity, computeLargestAllowedQuantity(rule.max, rule));
}

/** Returns the largest allowed quantity up to `limit`, or 0. */
export function computeLargestAllowedQuantity(limit: number, rule: QuantityRule): number {
  const maxQuantity = Math.min(limit, rule.max ?? limit);
  if (maxQuantity < rule.min) return 0;
  if (maxQuantity === Number.POSITIVE_INFINITY) return maxQuantity;
  return rule.min + Math.floor((maxQuantity - rule.min) / rule.increment) * rule.increment;
}

/**
 * Returns the units of a variant that one line may contain.
 * @param otherLineUnits units of the variant in other lines of the cart
 */
export function countSellableUnits(variant: Variant, otherLineUnits: number): number {
  return computeLargestAllowedQuantity(countRemainingStock(variant, otherLineUnits), variant.quantityRule);
}

/** Returns the stock that other lines leave, without regard to the variant's quantity rule. */
export function countRemainingStock(variant: Variant, otherLineUnits: number): number {
  return Math.max(0, countUnitsInStock(variant) - otherLineUnits);
}
