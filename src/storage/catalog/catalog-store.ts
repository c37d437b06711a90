import type { RowKind } from "../../catalog/catalog.ts";
import type { CatalogRow } from "../../catalog/packed/pack-base.ts";
import type { RowKeys } from "../../catalog/rows/row-keys.ts";
import type { Database, SqlRow } from "../database.ts";

/** Revisions of the stored catalog. */
export interface CatalogState {
  /** The published revision; 0 before the first import. */
  readonly revision: number;
  /**
   * All changes after this revision are stored. Records of rows that were removed in earlier revisions may be missing.
   */
  readonly oldestKeptRevision: number;
  /** Revision up to which compaction has deleted all replaced rows. */
  readonly compactedRevision: number;
}

/** A stored row of the catalog. Its JSON is "" if it was deleted or not requested. */
export type StoredRow = CatalogRow & RowKeys;

export async function readCatalogState(database: Database): Promise<CatalogState> {
  return toCatalogState((await database.read(catalogStateSql))[0]);
}

/**
 * Yields the rows of the catalog at a revision, in catalog order. If the caller holds the catalog lease, no import can
 * delete rows during the read.
 * @param includesJson whether to read the JSON, which takes most of the time
 */
export async function* readCatalogRows(
  database: Database,
  revision: number,
  includesJson = true,
): AsyncGenerator<StoredRow> {
  for await (const page of readCatalogPages(database, revision, { includesJson })) yield* page;
}

/**
 * Yields the rows of the catalog at a revision in pages, in catalog order.
 * @param includesDeleted whether to include records of deleted rows
 * @param waitBeforePage called before each page is read
 */
export async function* readCatalogPages(
  database: Database,
  revision: number,
  { includesJson = true, includesDeleted = false, waitBeforePage }: PageOptions,
): AsyncGenerator<readonly StoredRow[]> {
  const rowsSql = includesDeleted ? currentRowsSql : undeletedRowsSql;
  const sql = includesJson ? rowsSql : rowsSql.replace("r.data", "'' AS data");
  let afterPosition = 0;
  for (;;) {
    await waitBeforePage?.();
    const rows = await database.read(`${sql} AND r.position > $2 ORDER BY r.position LIMIT ${PAGE_SIZE}`, [
      revision,
      afterPosition,
    ]);
    yield rows.map(toStoredRow);
    if (rows.length < PAGE_SIZE) return;
    afterPosition = Number(rows.at(-1)?.position);
  }
}

interface PageOptions {
  readonly includesJson?: boolean;
  readonly includesDeleted?: boolean;
  readonly waitBeforePage?: () => Promise<unknown>;
}

/**
 * Counts the rows that changed since a revision, at most `max`. The result is an upper bound, because a row that
 * changed twice may be counted twice.
 */
export async function countChangedRows(database: Database, sinceRevision: number, max: number): Promise<number> {
  const [row] = await database.read(
    "SELECT COUNT(*) AS rows FROM (SELECT 1 FROM catalog_rows r, catalog_state s WHERE r.revision > $1 AND r.revision <= s.revision LIMIT $2) AS found",
    [sinceRevision, max],
  );
  return Number(row?.rows);
}

/** Returns the highest position of a catalog row. This is about the number of rows, and cheap to read. */
export async function readLastPosition(database: Database): Promise<number> {
  const [row] = await database.read("SELECT COALESCE(MAX(position), 0) AS position FROM catalog_rows");
  return Number(row?.position);
}

/** Returns whether the stored rows of the catalog are within a limit. Reads no JSON, and no row beyond the limit. */
export async function isCatalogSmall(
  database: Database,
  { rows: maxRows, bytes: maxBytes }: { readonly rows: number; readonly bytes: number },
): Promise<boolean> {
  const [row] = await database.read(
    "SELECT COUNT(*) AS rows, COALESCE(SUM(OCTET_LENGTH(data)), 0) AS bytes FROM (SELECT data FROM catalog_rows LIMIT $1) AS found",
    [maxRows + 1],
  );
  return Number(row?.rows) <= maxRows && Number(row?.bytes) <= maxBytes;
}

export const catalogStateSql = "SELECT revision, complete_since, tidied FROM catalog_state";

/** SQL columns of a catalog row. The table needs the alias `r`. */
export const storedColumnsSql = "r.kind, r.id, r.position, r.deleted, r.handle, r.variant_ids, r.data";
/** SQL condition that row `r` was not replaced by another row up to revision $1. */
export const newestRowSql =
  "NOT EXISTS (SELECT 1 FROM catalog_rows n WHERE n.kind = r.kind AND n.id = r.id AND n.revision > r.revision AND n.revision <= $1)";

/**
 * Selects rows up to revision $1, including records of deletions and replaced rows. If compaction has deleted the
 * replaced rows up to that revision, the condition `newestRowSql` is unnecessary.
 */
export const writtenRowsSql = `SELECT ${storedColumnsSql} FROM catalog_rows r WHERE r.revision <= $1`;
/** Selects the rows of the catalog at revision $1, including records of deletions. */
export const currentRowsSql = `${writtenRowsSql} AND ${newestRowSql}`;
const undeletedRowsSql = `${currentRowsSql} AND r.deleted = 0`;

/** Selects rows written after revision $2 and up to $1, including records of deletions and replaced rows. */
export const rowsSinceSql = `SELECT ${storedColumnsSql} FROM catalog_rows r WHERE r.revision > $2 AND r.revision <= $1`;
/** Selects rows that differ between revisions $2 and $1, including records of deletions. */
export const changedRowsSql = `${rowsSinceSql} AND ${newestRowSql}`;

export function toCatalogState(row: SqlRow | undefined): CatalogState {
  return {
    revision: Number(row?.revision),
    oldestKeptRevision: Number(row?.complete_since),
    compactedRevision: Number(row?.tidied),
  };
}

export function toStoredRow(row: SqlRow): StoredRow {
  return {
    kind: String(row.kind) as RowKind,
    id: String(row.id),
    position: Number(row.position),
    isDeleted: row.deleted === 1,
    handle: String(row.handle),
    variantIds: row.variant_ids === "" ? [] : String(row.variant_ids).split("\n"),
    json: String(row.data),
  };
}

/** Rows per query. The rows of a query take a few hundred kilobytes. */
const PAGE_SIZE = 1_000;
