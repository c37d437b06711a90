import type { RowKind } from "../../catalog/catalog.ts";
import type { CatalogReader } from "../catalog/catalog-reader.ts";
import {
  type CatalogState,
  changedRowsSql,
  readCatalogPages,
  readCatalogState,
  type StoredRow,
  toStoredRow,
} from "../catalog/catalog-store.ts";
import { readRevisionToken } from "../catalog/revisions.ts";
import type { Database } from "../database.ts";
import { readStockLevels } from "../stock-store.ts";
import { openPostgres } from "./postgres.ts";

/**
 * Maximum milliseconds of a statement. The slowest statement reads the changes of an import, and no shopper waits for
 * it.
 */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Reads a snapshot of the catalog into the memory of this thread.
 * @param sinceRevision if set, reads only the changes since this revision
 * @throws DatabaseUnavailableError
 */
export async function openPostgresCatalog(url: string, sinceRevision?: number): Promise<CatalogReader> {
  const database = await openPostgres(url, { connections: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    for (;;) {
      const state = await readCatalogState(database);
      const token = await readRevisionToken(database, state.revision);
      const changedRows =
        sinceRevision === undefined || sinceRevision < state.oldestKeptRevision
          ? []
          : (await database.read(`${changedRowsSql} ORDER BY r.position`, [state.revision, sinceRevision])).map(
              toStoredRow,
            );
      const pages =
        sinceRevision === undefined ? readCatalogPages(database, state.revision, { includesDeleted: true }) : [];
      const allRows = (await Array.fromAsync(pages)).flat();
      // Read again if the revision changed during the read: some rows may have been replaced and deleted.
      if ((await readCatalogState(database)).revision === state.revision)
        return createSqlReader(
          state,
          token,
          { allRows, changedRows },
          await readStockUnits(database, [...allRows, ...changedRows]),
        );
    }
  } finally {
    await database.close();
  }
}

/** Reads the remaining units of variants whose stock changed since the import. */
async function readStockUnits(database: Database, rows: readonly StoredRow[]): Promise<ReadonlyMap<string, number>> {
  const [stockRow] = await database.read("SELECT 1 AS one FROM stock_levels LIMIT 1");
  if (stockRow === undefined) return new Map();
  const ids = rows.flatMap(({ variantIds }) => variantIds);
  return new Map(
    (await readStockLevels(database, ids)).map((level) => [level.variantId, level.quantity - level.reserved]),
  );
}

function createSqlReader(
  state: CatalogState,
  token: string | undefined,
  { allRows, changedRows }: { readonly allRows: readonly StoredRow[]; readonly changedRows: readonly StoredRow[] },
  levels: ReadonlyMap<string, number>,
): CatalogReader {
  return {
    remainingStock: (variantId) => levels.get(variantId),
    state,
    token,
    size: () => measureRows(allRows),
    rows: (kinds: readonly RowKind[]) => allRows.filter(({ kind }) => kinds.includes(kind)),
    readChangesSince: () => ({
      size: () => measureRows(changedRows),
      rows: (kinds, start, lastPosition) =>
        changedRows.filter(
          ({ kind, position }) => kinds.includes(kind) && position > start && position <= lastPosition,
        ),
    }),
    [Symbol.dispose]: () => {},
  };
}

function measureRows(rows: readonly StoredRow[]): { readonly rows: number; readonly bytes: number } {
  return { rows: rows.length, bytes: rows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0) };
}
