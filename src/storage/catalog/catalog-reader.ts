import type { Kind } from "../../catalog/catalog.ts";
import type { CatalogState, StoredRow } from "./catalog-store.ts";

/** Location of the catalog for a thread: an SQLite file, or the URL of a PostgreSQL database. */
export type CatalogSource = { readonly file: string } | { readonly url: string };

/** The catalog at one moment, for a thread that may block: rows one by one, never all in memory. */
export interface CatalogReader {
  readonly state: CatalogState;
  /** Unique name of the revision's content (see `nameRevision`); undefined without one. */
  readonly token: string | undefined;
  /** Upper bound of the number of rows of all kinds, including deleted ones, and the bytes of their JSON. */
  size(): { readonly rows: number; readonly bytes: number };
  /** In static order, including deleted rows. */
  rows(kinds: readonly Kind[]): Iterable<StoredRow>;
  /** Changes since an earlier revision, including deletions. */
  changedSince(revision: number): ChangedRows;
  /** Remaining pieces of a variant; undefined if its stock has not changed since the import. */
  left(variantId: string): number | undefined;
  close(): void;
}

export interface ChangedRows {
  /** Upper bound of the number of rows, and the bytes of their JSON. */
  size(): { readonly rows: number; readonly bytes: number };
  /** In static order. @param after position before the first row  @param upTo position of the last row */
  rows(kinds: readonly Kind[], after: number, upTo: number): Iterable<StoredRow>;
}
