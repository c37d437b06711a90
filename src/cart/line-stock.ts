import type { Variant } from "../catalog/product.ts";
import { countUnitsInStock } from "../catalog/stock.ts";
import type { Line } from "./cart.ts";
import type { PricedLine } from "./priced-cart.ts";
import { computeLargestAllowedQuantity, countRemainingStock } from "./quantity.ts";

/**
 * Returns the quantity limits of each line by stock and rules, in the order of the lines. All lines of a variant share
 * its stock.
 * @param maxQuantity the shop's limit for one line
 */
export function computeLineStock(
  lines: readonly { readonly line: Line; readonly variant: Variant }[],
  maxQuantity: number,
): readonly Pick<PricedLine, "available" | "maxQuantity">[] {
  const unitsByVariant = new Map<string, number>();
  for (const { line, variant } of lines)
    unitsByVariant.set(variant.id, (unitsByVariant.get(variant.id) ?? 0) + line.quantity);
  const precedingUnits = new Map<string, number>();
  return lines.map(({ line, variant }) => {
    const totalUnits = (precedingUnits.get(variant.id) ?? 0) + line.quantity;
    precedingUnits.set(variant.id, totalUnits);
    const otherLineUnits = (unitsByVariant.get(variant.id) ?? 0) - line.quantity;
    return {
      available: totalUnits <= countUnitsInStock(variant),
      maxQuantity: computeLargestAllowedQuantity(
        Math.min(countRemainingStock(variant, otherLineUnits), maxQuantity),
        variant.quantityRule,
      ),
    };
  });
}
