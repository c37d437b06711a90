import type { Product, Variant } from "./product.ts";

/** Stock of a variant that changed since the import. */
export interface StockLevel {
  readonly variantId: string;
  /** On hand: the imported quantity minus sold units, plus corrections. */
  readonly quantity: number;
  /** Units reserved for open checkouts. `quantity - held` can be sold. */
  readonly held: number;
  /** Sequence number of its last change: unique per transaction, in the order of commits. */
  readonly changed: number;
}

/** Units of a variant that can be sold now; Infinity if stock is not tracked or may become negative. */
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
