import type { BatchKey } from "./catalog-changes.ts";
import type { ChangeActor, StockLogLine } from "./catalog-log.ts";
import type { Product, Variant } from "./product.ts";

/** Stock level of a variant whose stock changed after the import. */
export interface StockLevel {
  readonly variantId: string;
  /** Units on hand: the imported quantity minus sold units, plus corrections. */
  readonly quantity: number;
  /** Units reserved for open checkouts. The units that can be sold are `quantity - reserved`. */
  readonly reserved: number;
  /** Sequence number of the last change: unique per transaction, in the order of commits. */
  readonly changeNumber: number;
}

/** Returns the units of a variant that can be sold now; Infinity if stock is not tracked or may become negative. */
export function countUnitsInStock(variant: Variant): number {
  if (variant.inventoryQuantity === undefined || variant.inventoryPolicy === "continue")
    return Number.POSITIVE_INFINITY;
  return Math.max(0, variant.inventoryQuantity);
}

export function isAvailable(variant: Variant): boolean {
  return countUnitsInStock(variant) >= variant.quantityRule.min;
}

export function isProductAvailable(product: Product): boolean {
  return product.variants.some(isAvailable);
}

/** Stock changes that another system sends together. A variant occurs at most once. */
export interface StockBatch {
  readonly absolute: readonly { readonly variantId: string; readonly quantity: number }[];
  /**
   * Quantities that variants must have before the change. `catalogQuantity` is the quantity in the catalog; undefined
   * if the variant's stock changed after the import.
   */
  readonly expected: readonly {
    readonly variantId: string;
    readonly quantity: number;
    readonly catalogQuantity?: number;
  }[];
  /**
   * Relative changes: the number of units to add or, if negative, to subtract. `quantity` is the quantity in the
   * catalog; undefined if the variant's stock changed after the import.
   */
  readonly relative: readonly { readonly variantId: string; readonly units: number; readonly quantity?: number }[];
  /** Catalog revision from which the quantities in the catalog were read. */
  readonly revision: number;
}

/** Outcome of a batch: the remaining stock of the changed variants, or the reason why nothing changed. */
export type StockOutcome =
  | { readonly levels: readonly StockLevel[]; readonly isRepeated: boolean }
  | "key used"
  | "catalog changed"
  /** Variants whose quantity is not the expected one. */
  | { readonly changedVariants: readonly string[] }
  | "too late";

export interface StockChanges {
  /**
   * Applies all changes of a batch, or none of them.
   * @param log entry for the log. Undefined for stock that the merchant's hook reports, which is not logged
   * @throws DatabaseUnavailableError
   */
  change(
    batch: StockBatch,
    key: BatchKey,
    now: number,
    log?: { readonly by: ChangeActor; readonly lines: readonly StockLogLine[] },
  ): Promise<StockOutcome>;
}
