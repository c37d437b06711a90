import type { Product, Variant } from "./product.ts";

/** What is left of a variant whose stock moved since the catalogue told it. */
export interface StockLevel {
  readonly variantId: string;
  /** On hand: what the catalogue said, less what was sold, with corrections. */
  readonly quantity: number;
  /** Units of it that are set apart for checkouts under way. What can be sold is `quantity - held`. */
  readonly held: number;
  /** The number of the change that made it so: another for each transaction, and committed in their order. */
  readonly changed: number;
}

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
