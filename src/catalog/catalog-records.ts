import type { RowKind } from "./catalog.ts";
import type { CatalogLogEntry } from "./catalog-log.ts";

/** A stored row, published or not. */
export interface VersionedRow {
  readonly id: string;
  readonly handle: string;
  /** Revision of the catalog that changed the row last. */
  readonly revision: number;
  /** Position in the catalog order. */
  readonly position: number;
  /** The row as a line of a catalog file. */
  readonly json: string;
}

export interface RecordFilter {
  /** Position of the last row of the previous page. Default: the first page. */
  readonly after?: number | undefined;
  readonly isPublished?: boolean;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** Units of a variant in stock. */
export interface StockOnHand {
  readonly quantity: number;
  readonly reserved: number;
}

/**
 * Stored rows of the catalog with their revisions, for programs that change them, and the log of these changes. Methods
 * throw `DatabaseUnavailableError`.
 */
export interface CatalogRecords {
  /** Finds rows by id, or by handle; the handle of a discount is its code in upper case. */
  find(kind: RowKind, column: "id" | "handle", keys: readonly string[]): Promise<readonly VersionedRow[]>;
  /** Lists rows in catalog order. */
  list(kind: RowKind, filter: RecordFilter): Promise<readonly VersionedRow[]>;
  /** Reads the stock of variants. Omits variants whose stock never changed: they have the quantity of their row. */
  readStock(variantIds: readonly string[]): Promise<ReadonlyMap<string, StockOnHand>>;
  /** Returns the log of changes of the catalog and of stock, newest first. */
  readLog(page: {
    readonly limit: number;
    readonly before?: LogPosition | undefined;
  }): Promise<readonly CatalogLogEntry[]>;
}

export type LogPosition = Pick<CatalogLogEntry, "at" | "id">;
