import type { Variant } from "../catalog/product.ts";
import { sellable } from "../catalog/stock.ts";
import type { Line } from "./cart.ts";
import type { PricedLine } from "./priced-cart.ts";
import { largestWithin, remainingStock } from "./quantity.ts";

/**
 * Returns the quantity limits of each line by stock and rules, in the order of the lines. All lines of a variant share
 * its stock.
 * @param maxQuantity the shop's limit for one line
 */
export function stockOfLines(
  lines: readonly { readonly line: Line; readonly variant: Variant }[],
  maxQuantity: number,
): readonly Pick<PricedLine, "available" | "maxQuantity">[] {
  const all = new Map<string, number>();
  for (const { line, variant } of lines) all.set(variant.id, (all.get(variant.id) ?? 0) + line.quantity);
  const before = new Map<string, number>();
  return lines.map(({ line, variant }) => {
    const upToThis = (before.get(variant.id) ?? 0) + line.quantity;
    before.set(variant.id, upToThis);
    const elsewhere = (all.get(variant.id) ?? 0) - line.quantity;
    return {
      available: upToThis <= sellable(variant),
      maxQuantity: largestWithin(Math.min(remainingStock(variant, elsewhere), maxQuantity), variant.quantityRule),
    };
  });
}
