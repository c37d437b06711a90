import type { RowKind } from "../../catalog/catalog.ts";
import type { CatalogState, StoredRow } from "./catalog-store.ts";

/** Location of the catalog for a thread: an SQLite file, or the URL of a PostgreSQL database. */
export type CatalogDatabase = { readonly file: string } | { readonly url: string };

/**
 * A snapshot of the catalog, which `using` closes. Its methods are synchronous, so only a thread that may block should
 * use it.
 */
export interface CatalogReader extends Disposable {
  readonly state: CatalogState;
  /** Random name that identifies the content of this revision; undefined for a revision without a name. */
  readonly token: string | undefined;
  /** Returns an upper bound of the number of rows of all kinds, including deleted rows, and the bytes of their JSON. */
  size(): { readonly rows: number; readonly bytes: number };
  /** Yields rows in catalog order, including deleted rows. */
  rows(kinds: readonly RowKind[]): Iterable<StoredRow>;
  /** Returns the changes since an earlier revision, including deletions. */
  readChangesSince(revision: number): ChangedRows;
  /** Returns the remaining units of a variant. Undefined if its stock has not changed since the import. */
  remainingStock(variantId: string): number | undefined;
}

export interface ChangedRows {
  /** Returns an upper bound of the number of rows, and the bytes of their JSON. */
  size(): { readonly rows: number; readonly bytes: number };
  /**
   * Yields rows in catalog order.
   * @param start position before the first row
   * @param lastPosition position of the last row
   */
  rows(kinds: readonly RowKind[], start: number, lastPosition: number): Iterable<StoredRow>;
}
