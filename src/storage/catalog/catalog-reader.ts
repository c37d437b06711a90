import type { Kind } from "../../catalog/catalog.ts";
import type { CatalogState, StoredRow } from "./catalog-store.ts";

/** Where a thread finds the catalogue: an SQLite file, or the address of a PostgreSQL database. */
export type CatalogSource = { readonly file: string } | { readonly url: string };

/** The catalogue at one moment, for a thread that may block: rows one by one, never all in memory. */
export interface CatalogReader {
  readonly state: CatalogState;
  /** What tells the revision from every other content (see `nameRevision`); undefined where nobody named it. */
  readonly token: string | undefined;
  /** How many rows of all kinds there are at most, deleted ones with them, and the bytes of their JSON. */
  size(): { readonly rows: number; readonly bytes: number };
  /** In static order, deleted rows in their places. */
  rows(kinds: readonly Kind[]): Iterable<StoredRow>;
  /** What is otherwise than at an earlier revision, deleted rows with it. */
  changedSince(revision: number): ChangedRows;
  /** Units of a variant that can be sold, of those whose stock has moved since the catalogue told it. */
  left(variantId: string): number | undefined;
  close(): void;
}

export interface ChangedRows {
  /** How many rows there are at most, and the bytes of their JSON. */
  size(): { readonly rows: number; readonly bytes: number };
  /** In static order. @param after position, and all up to it are left out  @param upTo the last position wanted */
  rows(kinds: readonly Kind[], after: number, upTo: number): Iterable<StoredRow>;
}
