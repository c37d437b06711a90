import type { Kind } from "../catalog/catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { findRows, readRowsById } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import type { NamedRow } from "./patch-rows.ts";
import { type CatalogFile, type ReadOptions, readCatalog } from "./read-catalog.ts";

/** Finds stored rows by handle.  @returns rows as written by `formatRow`, by handle */
export function createRowFinder(
  database: Database,
): (kind: Kind, handles: readonly string[]) => Promise<ReadonlyMap<string, string>> {
  return async (kind, handles) => {
    const { revision } = await readCatalogState(database);
    const rowsByHandle = new Map<string, string>();
    for (let index = 0; index < handles.length; index += BATCH_SIZE) {
      const keys = await findRows(database, revision, kind, "handle", handles.slice(index, index + BATCH_SIZE));
      const handlesById = new Map(keys.map(({ id, key }) => [id, key]));
      for (const { id, json } of await readRowsById(database, revision, kind, [...handlesById.keys()]))
        rowsByHandle.set(handlesById.get(id) ?? "", json);
    }
    return rowsByHandle;
  };
}

/** Returns the ids of rows that are stored exactly as in the files, by kind. */
export async function findUnchangedIds(
  database: Database,
  files: readonly CatalogFile[],
  readOptions: Pick<ReadOptions, "currency" | "timezone">,
): Promise<ReadonlyMap<Kind, ReadonlySet<string>>> {
  const { revision } = await readCatalogState(database);
  const unchangedIds = new Map<Kind, Set<string>>();
  for await (const { row } of readCatalog(files, { ...readOptions, onError: () => {} })) {
    const [storedRow] = await readRowsById(database, revision, row.kind, [row.id]);
    if (storedRow?.json !== formatRow(row)) continue;
    unchangedIds.set(row.kind, (unchangedIds.get(row.kind) ?? new Set()).add(row.id));
  }
  return unchangedIds;
}

/** Filters a list of rows: returns those whose id the store contains. */
export async function selectExistingRows<R extends { readonly kind: Kind; readonly id: string }>(
  database: Database,
  rows: readonly R[],
): Promise<readonly R[]> {
  const { revision } = await readCatalogState(database);
  const existingRows: R[] = [];
  for (const [kind, rowsOfKind] of Map.groupBy(rows, (row) => row.kind)) {
    const rowIds = rowsOfKind.map(({ id }) => id);
    const ids = new Set((await findRows(database, revision, kind, "id", rowIds)).map(({ id }) => id));
    existingRows.push(...rowsOfKind.filter(({ id }) => ids.has(id)));
  }
  return existingRows;
}

/** Resolves row references, which contain an id, a handle, or a code. Returns the row ids by kind. */
export async function findNamedIds(
  database: Database,
  rows: readonly NamedRow[],
): Promise<ReadonlyMap<Kind, ReadonlySet<string>>> {
  const { revision } = await readCatalogState(database);
  const ids = new Map<Kind, ReadonlySet<string>>();
  for (const [kind, rowsOfKind] of Map.groupBy(rows, (row) => row.kind)) {
    const handles = rowsOfKind.flatMap(({ handle }) => handle ?? []);
    const matches = await findRows(database, revision, kind, "handle", handles);
    ids.set(kind, new Set([...rowsOfKind.flatMap(({ id }) => id ?? []), ...matches.map(({ id }) => id)]));
  }
  return ids;
}

/** Number of rows per database query. */
const BATCH_SIZE = 500;
