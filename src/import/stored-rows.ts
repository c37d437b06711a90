import type { Kind } from "../catalog/catalog.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { findRows, readRowsById } from "../storage/catalog/look-ups.ts";
import type { Database } from "../storage/database.ts";

/** Finds rows of the store by their handles. @returns handle -> the row as it is written */
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

/** Rows asked for at once. */
const BATCH = 500;
