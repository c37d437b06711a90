import type { Product, Variant } from "./product.ts";

/** How many of a variant can be sold now; Infinity where stock is not tracked or may run below zero. */
export function sellable(variant: Variant): number {
  if (variant.inventoryQuantity === undefined || variant.inventoryPolicy === "continue")
    return Number.POSITIVE_INFINITY;
  return Math.max(0, variant.inventoryQuantity);
}

export function isAvailable(variant: Variant): boolean {
  return sellable(variant) >= variant.quantityRule.min;
}

export function isProductAvailable(product: Product): boolean {
  return product.variants.some(isAvailable);
}
