import type { BatchKey } from "./catalog-changes.ts";
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

/** Changes of stock that another system sends together. Each variant occurs once. */
export interface StockBatch {
  readonly absolute: readonly { readonly variantId: string; readonly quantity: number }[];
  /** `quantity` is the catalog's; undefined if the variant's stock has changed before. */
  readonly relative: readonly { readonly variantId: string; readonly units: number; readonly quantity?: number }[];
  /** Revision of the catalog. */
  readonly revision: number;
}

/** The remaining stock of the changed variants, or why nothing changed. */
export type StockOutcome =
  | { readonly levels: readonly StockLevel[]; readonly isRepeated: boolean }
  | "key used"
  | "catalog changed"
  | "too late";

export interface StockChanges {
  /** Applies all changes or none. @throws DatabaseUnavailable */
  change(batch: StockBatch, key: BatchKey, now: number): Promise<StockOutcome>;
}
