import type { Kind } from "../../catalog/catalog.ts";
import type { CatalogReader } from "../catalog/catalog-reader.ts";
import {
  type CatalogState,
  changedRowsSql,
  readCatalogPages,
  readCatalogState,
  type StoredRow,
  toStoredRow,
} from "../catalog/catalog-store.ts";
import { revisionToken } from "../catalog/revisions.ts";
import { openPostgres } from "./postgres.ts";

/** A catalogue's largest statement is an import's change; shoppers do not wait for it. */
const STATEMENT_MS = 60_000;

/** Reads the catalogue as it is at one moment into this thread's memory.
 *  @param since read only what is otherwise than at that revision  @throws DatabaseUnavailable */
export async function openPostgresCatalog(url: string, since?: number): Promise<CatalogReader> {
  const database = await openPostgres(url, { connections: 1, statementMs: STATEMENT_MS });
  try {
    for (;;) {
      const state = await readCatalogState(database);
      const token = await revisionToken(database, state.revision);
      const changed =
        since === undefined || since < state.completeSince
          ? []
          : (await database.read(`${changedRowsSql} ORDER BY r.position`, [state.revision, since])).map(toStoredRow);
      const pages = since === undefined ? readCatalogPages(database, state.revision, { withDeleted: true }) : [];
      const all = (await Array.fromAsync(pages)).flat();
      // Rows of a revision that was replaced meanwhile may have been tidied away under our eyes.
      if ((await readCatalogState(database)).revision === state.revision)
        return createReader(state, token, all, changed);
    }
  } finally {
    await database.close();
  }
}

function createReader(
  state: CatalogState,
  token: string | undefined,
  all: readonly StoredRow[],
  changed: readonly StoredRow[],
): CatalogReader {
  return {
    state,
    token,
    size: () => sizeOf(all),
    rows: (kinds: readonly Kind[]) => all.filter(({ kind }) => kinds.includes(kind)),
    changedSince: () => ({
      size: () => sizeOf(changed),
      rows: (kinds, after, upTo) =>
        changed.filter(({ kind, position }) => kinds.includes(kind) && position > after && position <= upTo),
    }),
    close: () => {},
  };
}

function sizeOf(rows: readonly StoredRow[]): { readonly rows: number; readonly bytes: number } {
  return { rows: rows.length, bytes: rows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0) };
}
