import type { CatalogReader } from "../catalog/catalog-reader.ts";
import {
  catalogStateSql,
  changedRowsSql,
  currentRowsSql,
  rowsSinceSql,
  toCatalogState,
  toStoredRow,
  writtenRowsSql,
} from "../catalog/catalog-store.ts";
import { revisionTokenSql } from "../catalog/revisions.ts";
import { formatPlaceholders, type SqlRow } from "../database.ts";
import { openReadOnlyFile } from "./files.ts";

/** Opens a snapshot of an SQLite file that other connections use. Later writes of those connections are invisible. */
export function openSqliteCatalog(file: string): CatalogReader {
  const { database } = openReadOnlyFile(file, 1_000);
  const prepareSql = (sql: string) => database.prepare(sql.replace(/\$(\d+)/g, "?$1"));
  // Start a transaction, so that all reads see the same snapshot.
  database.exec("BEGIN");
  const state = toCatalogState(prepareSql(catalogStateSql).get() as SqlRow | undefined);
  const tokenRow = prepareSql(revisionTokenSql).get(state.revision) as SqlRow | undefined;
  const isCompacted = state.compactedRevision >= state.revision;
  const measureRows = (sql: string, ...params: readonly number[]) => {
    const totalsSql = `SELECT COUNT(*) AS rows, COALESCE(SUM(OCTET_LENGTH(data)), 0) AS bytes FROM (${sql}) AS found`;
    const row = prepareSql(totalsSql).get(...params) as SqlRow | undefined;
    return { rows: Number(row?.rows), bytes: Number(row?.bytes) };
  };
  const hasStockLevels = prepareSql("SELECT 1 AS one FROM stock_levels LIMIT 1").get() !== undefined;
  const stockStatement = prepareSql("SELECT quantity - held AS units FROM stock_levels WHERE variant_id = $1");
  return {
    remainingStock(variantId) {
      const stockRow = hasStockLevels ? (stockStatement.get(variantId) as SqlRow | undefined) : undefined;
      return stockRow === undefined ? undefined : Number(stockRow.units);
    },
    state,
    token: tokenRow === undefined ? undefined : String(tokenRow.token),
    size: () => measureRows(writtenRowsSql, state.revision),
    *rows(kinds) {
      // The "+" makes SQLite read the rows in order of position. Sorting them would need as much memory as the rows
      // themselves.
      const kindColumn = kinds.includes("product") ? "+r.kind" : "r.kind";
      const sql = isCompacted ? writtenRowsSql : currentRowsSql;
      const statement = prepareSql(
        `${sql} AND ${kindColumn} IN (${formatPlaceholders(kinds.length, 2)}) ORDER BY r.position`,
      );
      for (const row of statement.iterate(state.revision, ...kinds)) yield toStoredRow(row as SqlRow);
    },
    readChangesSince: (sinceRevision) => ({
      size: () => measureRows(rowsSinceSql, state.revision, sinceRevision),
      *rows(kinds, start, lastPosition) {
        // Each "+" prevents SQLite from using the index of another column. It then uses the index of revisions and
        // reads only changed rows.
        const changedRowsQuery = isCompacted ? rowsSinceSql : changedRowsSql;
        const sql = `${changedRowsQuery} AND +r.position > $3 AND +r.position <= $4 AND +r.kind IN (${formatPlaceholders(kinds.length, 5)}) ORDER BY +r.position`;
        const iterator = prepareSql(sql).iterate(state.revision, sinceRevision, start, lastPosition, ...kinds);
        for (const row of iterator) yield toStoredRow(row as SqlRow);
      },
    }),
    [Symbol.dispose]: () => database.close(),
  };
}
