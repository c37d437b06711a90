import type { RowKind } from "../../catalog/catalog.ts";
import type { RowKeys } from "../../catalog/rows/row-keys.ts";
import type { Database } from "../database.ts";

/** Key of a row of the catalog. */
export type ChangedKey = Omit<RowKeys, "variantIds">;

/**
 * Reads the keys of the rows that changed between two revisions, with their earlier handles if those are still stored.
 * @param afterRevision the earlier revision
 * @param max maximum number of keys
 */
export async function readChangedKeys(
  database: Database,
  afterRevision: number,
  lastRevision: number,
  max: number,
): Promise<readonly ChangedKey[]> {
  const rows = await database.read(
    `SELECT DISTINCT r.kind, r.id, r.handle FROM catalog_rows r
      JOIN catalog_rows c ON c.kind = r.kind AND c.id = r.id
      WHERE c.revision > $1 AND c.revision <= $2 AND r.revision <= $2 LIMIT ${max}`,
    [afterRevision, lastRevision],
  );
  return rows.map(({ kind, id, handle }) => ({ kind: kind as RowKind, id: String(id), handle: String(handle) }));
}
