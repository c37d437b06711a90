import type { BatchKey } from "./catalog-changes.ts";
import type { StockLevel } from "./stock.ts";

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
  | "catalogue moved on"
  | "too late";

export interface StockChanges {
  /** Applies all changes or none. @throws DatabaseUnavailable */
  change(batch: StockBatch, key: BatchKey, now: number): Promise<StockOutcome>;
}
