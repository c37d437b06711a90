import type { Kind } from "../../catalog/catalog.ts";
import type { Database, SqlRow } from "../database.ts";

/** Where the catalogue stands. */
export interface CatalogState {
  /** What shoppers see; 0: nothing was imported yet. */
  readonly revision: number;
  /** Changes since this revision or a later one can be told from the rows; removals before it have left no trace. */
  readonly completeSince: number;
  /** Up to this revision, rows that were replaced are deleted. */
  readonly tidied: number;
}

/** A row of the catalogue as it is kept. */
export interface StoredRow {
  readonly kind: Kind;
  readonly id: string;
  /** Place in the static order, unique, and the same for as long as the row lives. */
  readonly position: number;
  readonly deleted: boolean;
  readonly handle: string;
  readonly variantIds: readonly string[];
  /** As `formatRow` wrote it; "" for a deleted row, or where it was not asked for. */
  readonly json: string;
}

export async function readCatalogState(database: Database): Promise<CatalogState> {
  return toCatalogState((await database.read(catalogStateSql))[0]);
}

/** The rows of the catalogue at a revision, in static order. Only an import replaces rows, so one who holds the lease sees all of
 *  a revision.
 *  @param hasJson whether their JSON is read, which is most of the work */
export async function* readCatalogRows(
  database: Database,
  revision: number,
  hasJson = true,
): AsyncGenerator<StoredRow> {
  for await (const page of readCatalogPages(database, revision, { hasJson })) yield* page;
}

/** The same rows, as many at once as are read at once.
 *  @param withDeleted traces of deleted rows too, in their places  @param beforePage done before each page is read */
export async function* readCatalogPages(
  database: Database,
  revision: number,
  { hasJson = true, withDeleted = false, beforePage }: PageOptions = {},
): AsyncGenerator<readonly StoredRow[]> {
  const rowsSql = withDeleted ? placedRowsSql : catalogRowsSql;
  const sql = hasJson ? rowsSql : rowsSql.replace("r.data", "'' AS data");
  let after = 0;
  for (;;) {
    await beforePage?.();
    const rows = await database.read(`${sql} AND r.position > $2 ORDER BY r.position LIMIT ${PAGE}`, [revision, after]);
    yield rows.map(toStoredRow);
    if (rows.length < PAGE) return;
    after = Number(rows.at(-1)?.position);
  }
}

interface PageOptions {
  readonly hasJson?: boolean;
  readonly withDeleted?: boolean;
  readonly beforePage?: () => Promise<unknown>;
}

/** How many rows changed since a revision, counted up to `max`; an upper bound: one that changed twice may count twice. */
export async function countChangedRows(database: Database, since: number, max: number): Promise<number> {
  const [row] = await database.read(
    "SELECT COUNT(*) AS rows FROM (SELECT 1 FROM catalog_rows r, catalog_state s WHERE r.revision > $1 AND r.revision <= s.revision LIMIT $2) AS found",
    [since, max],
  );
  return Number(row?.rows);
}

/** The highest place in the static order: about how many rows there are, and found at once. */
export async function lastPosition(database: Database): Promise<number> {
  const [last] = await database.read("SELECT COALESCE(MAX(position), 0) AS position FROM catalog_rows");
  return Number(last?.position);
}

export const catalogStateSql = "SELECT revision, complete_since, tidied FROM catalog_state";

/** Of a row `r`; see `toStoredRow`. */
export const storedColumnsSql = "r.kind, r.id, r.position, r.deleted, r.handle, r.variant_ids, r.data";
/** True of a row `r` that none replaces up to revision $1. */
export const isNewestSql =
  "NOT EXISTS (SELECT 1 FROM catalog_rows n WHERE n.kind = r.kind AND n.id = r.id AND n.revision > r.revision AND n.revision <= $1)";

/** Rows up to revision $1, traces of deleted ones and rows that newer ones replace with them; to be ordered by position. Where the catalogue is tidied up
 *  to that revision, none is replaced, and nobody need look. */
export const writtenRowsSql = `SELECT ${storedColumnsSql} FROM catalog_rows r WHERE r.revision <= $1`;
/** Rows of the catalogue at revision $1, and traces of deleted ones; to be ordered by position. */
export const placedRowsSql = `${writtenRowsSql} AND ${isNewestSql}`;
const catalogRowsSql = `${placedRowsSql} AND r.deleted = 0`;

/** Rows that were written between revision $2 and $1, deleted ones and those that newer ones replace with them; to be ordered by position. */
export const writtenSinceSql = `SELECT ${storedColumnsSql} FROM catalog_rows r WHERE r.revision > $2 AND r.revision <= $1`;
/** Rows that are otherwise at revision $1 than at $2, deleted ones with them; to be ordered by position. */
export const changedRowsSql = `${writtenSinceSql} AND ${isNewestSql}`;

export function toCatalogState(row: SqlRow | undefined): CatalogState {
  return {
    revision: Number(row?.revision),
    completeSince: Number(row?.complete_since),
    tidied: Number(row?.tidied),
  };
}

export function toStoredRow(row: SqlRow): StoredRow {
  return {
    kind: String(row.kind) as Kind,
    id: String(row.id),
    position: Number(row.position),
    deleted: row.deleted === 1,
    handle: String(row.handle),
    variantIds: row.variant_ids === "" ? [] : String(row.variant_ids).split("\n"),
    json: String(row.data),
  };
}

/** Rows read at once: some hundred kilobytes. */
const PAGE = 1_000;
