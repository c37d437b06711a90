import type { Kind } from "../catalog/catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { findRows, readRowsById } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import type { NamedRow } from "./patch-rows.ts";
import { type CatalogFile, type ReadOptions, readCatalog } from "./read-catalog.ts";

/** Finds stored rows by handle.  @returns rows as written by `formatRow`, by handle */
export function storedRows(
  database: Database,
): (kind: Kind, handles: readonly string[]) => Promise<ReadonlyMap<string, string>> {
  return async (kind, handles) => {
    const { revision } = await readCatalogState(database);
    const found = new Map<string, string>();
    for (let at = 0; at < handles.length; at += BATCH) {
      const keys = await findRows(database, revision, kind, "handle", handles.slice(at, at + BATCH));
      const handleOf = new Map(keys.map(({ id, key }) => [id, key]));
      for (const { id, json } of await readRowsById(database, revision, kind, [...handleOf.keys()]))
        found.set(handleOf.get(id) ?? "", json);
    }
    return found;
  };
}

/** Returns the ids of rows in the files that are stored unchanged, by kind. */
export async function unchangedRows(
  database: Database,
  files: readonly CatalogFile[],
  reading: Pick<ReadOptions, "currency" | "timezone">,
): Promise<ReadonlyMap<Kind, ReadonlySet<string>>> {
  const { revision } = await readCatalogState(database);
  const unchanged = new Map<Kind, Set<string>>();
  for await (const { row } of readCatalog(files, { ...reading, onError: () => {} })) {
    const [stored] = await readRowsById(database, revision, row.kind, [row.id]);
    if (stored?.json !== formatRow(row)) continue;
    unchanged.set(row.kind, (unchanged.get(row.kind) ?? new Set()).add(row.id));
  }
  return unchanged;
}

/** Returns the rows that the store contains. */
export async function findStored<R extends { readonly kind: Kind; readonly id: string }>(
  database: Database,
  rows: readonly R[],
): Promise<readonly R[]> {
  const { revision } = await readCatalogState(database);
  const stored: R[] = [];
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind)) {
    const rowIds = some.map(({ id }) => id);
    const ids = new Set((await findRows(database, revision, kind, "id", rowIds)).map(({ id }) => id));
    stored.push(...some.filter(({ id }) => ids.has(id)));
  }
  return stored;
}

/** Finds the ids of identified rows, by kind. */
export async function findNamed(
  database: Database,
  rows: readonly NamedRow[],
): Promise<ReadonlyMap<Kind, ReadonlySet<string>>> {
  const { revision } = await readCatalogState(database);
  const ids = new Map<Kind, ReadonlySet<string>>();
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind)) {
    const handles = some.flatMap(({ handle }) => handle ?? []);
    const found = await findRows(database, revision, kind, "handle", handles);
    ids.set(kind, new Set([...some.flatMap(({ id }) => id ?? []), ...found.map(({ id }) => id)]));
  }
  return ids;
}

/** Number of rows per database query. */
const BATCH = 500;
