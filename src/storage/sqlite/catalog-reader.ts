import type { CatalogReader } from "../catalog/catalog-reader.ts";
import {
  catalogStateSql,
  changedRowsSql,
  placedRowsSql,
  toCatalogState,
  toStoredRow,
  writtenRowsSql,
  writtenSinceSql,
} from "../catalog/catalog-store.ts";
import { revisionTokenSql } from "../catalog/revisions.ts";
import type { SqlRow } from "../database.ts";
import { openReadOnly } from "./files.ts";

/** Opens an SQLite file beside its other users; what they write meanwhile is not seen. */
export function openSqliteCatalog(file: string): CatalogReader {
  const { database } = openReadOnly(file, 1_000);
  const prepare = (sql: string) => database.prepare(sql.replace(/\$(\d+)/g, "?$1"));
  // One transaction: all that is read is of one moment.
  database.exec("BEGIN");
  const state = toCatalogState(prepare(catalogStateSql).get() as SqlRow | undefined);
  const named = prepare(revisionTokenSql).get(state.revision) as SqlRow | undefined;
  const isTidy = state.tidied >= state.revision;
  const sizeOf = (sql: string, ...params: readonly number[]) => {
    const sum = `SELECT COUNT(*) AS rows, COALESCE(SUM(OCTET_LENGTH(data)), 0) AS bytes FROM (${sql}) AS found`;
    const row = prepare(sum).get(...params) as SqlRow | undefined;
    return { rows: Number(row?.rows), bytes: Number(row?.bytes) };
  };
  const hasLevels = prepare("SELECT 1 AS one FROM stock_levels LIMIT 1").get() !== undefined;
  const level = prepare("SELECT quantity - held AS units FROM stock_levels WHERE variant_id = $1");
  return {
    left(variantId) {
      const found = hasLevels ? (level.get(variantId) as SqlRow | undefined) : undefined;
      return found === undefined ? undefined : Number(found.units);
    },
    state,
    token: named === undefined ? undefined : String(named.token),
    size: () => sizeOf(writtenRowsSql, state.revision),
    *rows(kinds) {
      const list = kinds.map((_, index) => `$${index + 2}`).join(", ");
      // "+": rows are walked over in their order, rather than found by kind and sorted, which would take their size in room.
      const kind = kinds.includes("product") ? "+r.kind" : "r.kind";
      const sql = isTidy ? writtenRowsSql : placedRowsSql;
      const statement = prepare(`${sql} AND ${kind} IN (${list}) ORDER BY r.position`);
      for (const row of statement.iterate(state.revision, ...kinds)) yield toStoredRow(row as SqlRow);
    },
    changedSince: (since) => ({
      size: () => sizeOf(writtenSinceSql, state.revision, since),
      *rows(kinds, after, upTo) {
        const list = kinds.map((_, index) => `$${index + 5}`).join(", ");
        // "+": they are found by revision, however many other rows lie between.
        const written = isTidy ? writtenSinceSql : changedRowsSql;
        const sql = `${written} AND +r.position > $3 AND +r.position <= $4 AND +r.kind IN (${list}) ORDER BY +r.position`;
        const found = prepare(sql).iterate(state.revision, since, after, upTo, ...kinds);
        for (const row of found) yield toStoredRow(row as SqlRow);
      },
    }),
    close: () => database.close(),
  };
}
