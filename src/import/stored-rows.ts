import type { RowKind } from "../catalog/catalog.ts";
import type { ChangeLine } from "../catalog/catalog-changes.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { findRows, readRowsById, readRowVersions } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import type { DroppedFields } from "./dropped-fields.ts";
import { type NamedRow, parseNamedRow } from "./patch-rows.ts";
import { type CatalogFile, type LocatedRow, type ReadOptions, readCatalog } from "./read-catalog.ts";
import type { RowErrors } from "./row-errors.ts";

/** Finds stored rows by handle.  @returns rows as written by `formatRow`, by handle */
export function createRowFinder(
  database: Database,
): (kind: RowKind, handles: readonly string[]) => Promise<ReadonlyMap<string, string>> {
  return async (kind, handles) => {
    const { revision } = await readCatalogState(database);
    const rows = await readRowVersions(database, revision, kind, "handle", handles);
    return new Map(rows.map(({ handle, json }) => [handle, json]));
  };
}

/**
 * Checks that stored rows still have the revisions that the lines of a batch expect (`if_match`), and reports an error
 * for each line whose row does not. Must be called while no other import can change the rows.
 */
export async function checkRevisions(
  database: Database,
  lines: readonly ChangeLine[],
  addError: RowErrors["add"],
): Promise<void> {
  const conditions = lines.flatMap(({ line, value, revisions }) => {
    if (revisions === undefined) return [];
    const row = parseNamedRow(value.patch ?? value.delete ?? value, undefined);
    if (row === undefined)
      addError({ file: "body", line, field: "if_match", message: "needs the id, handle, or code of a row" });
    return row === undefined ? [] : [{ line, row, revisions }];
  });
  const { revision } = await readCatalogState(database);
  for (const [kind, group] of Map.groupBy(conditions, ({ row }) => row.kind))
    for (const column of ["id", "handle"] as const) {
      const rowsWithKeys = group.flatMap((condition) => {
        const key = column === "handle" && condition.row.id !== undefined ? undefined : condition.row[column];
        return key === undefined ? [] : [{ ...condition, key }];
      });
      const keys = rowsWithKeys.map(({ key }) => key);
      const rows = await readRowVersions(database, revision, kind, column, keys);
      const revisionsByKey = new Map(rows.map((row) => [row[column], row.revision]));
      for (const { line, key, revisions } of rowsWithKeys) {
        const oldRevision = revisionsByKey.get(key) ?? 0;
        if (revisions.includes(oldRevision)) continue;
        const message = oldRevision === 0 ? "does not exist" : `has the revision ${oldRevision}`;
        addError({ file: "body", line, field: "if_match", message: `does not match: the ${kind} "${key}" ${message}` });
      }
    }
}

/** Returns the ids of rows that are stored exactly as in the files, by kind. */
export async function findUnchangedIds(
  database: Database,
  files: readonly CatalogFile[],
  readOptions: Pick<ReadOptions, "currency" | "timezone">,
): Promise<ReadonlyMap<RowKind, ReadonlySet<string>>> {
  const { revision } = await readCatalogState(database);
  const unchangedIds = new Map<RowKind, Set<string>>();
  for await (const { row } of readCatalog(files, { ...readOptions, onError: () => {} })) {
    const [storedRow] = await readRowsById(database, revision, row.kind, [row.id]);
    if (storedRow?.json !== formatRow(row)) continue;
    unchangedIds.set(row.kind, (unchangedIds.get(row.kind) ?? new Set()).add(row.id));
  }
  return unchangedIds;
}

/**
 * Finds the fields that would be lost if the imported rows replaced the stored rows.
 * @returns the number of rows that are new or differ from the stored ones
 */
export async function compareWithStored(
  database: Database,
  locatedRows: readonly LocatedRow[],
  droppedFields: DroppedFields,
): Promise<number> {
  const { revision } = await readCatalogState(database);
  let changedCount = locatedRows.length;
  for (const [kind, group] of Map.groupBy(locatedRows, ({ row }) => row.kind)) {
    const rowsById = new Map(group.map((locatedRow) => [locatedRow.row.id, locatedRow]));
    for (const { id, json } of await readRowsById(database, revision, kind, [...rowsById.keys()])) {
      const locatedRow = rowsById.get(id);
      if (locatedRow === undefined) continue;
      const newJson = formatRow(locatedRow.row);
      if (newJson === json) changedCount -= 1;
      droppedFields.compare(locatedRow, json, newJson);
    }
  }
  return changedCount;
}

/** Filters a list of rows: returns those whose id the store contains. */
export async function selectExistingRows<R extends { readonly kind: RowKind; readonly id: string }>(
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
export async function resolveRowIds(
  database: Database,
  rows: readonly NamedRow[],
): Promise<ReadonlyMap<RowKind, ReadonlySet<string>>> {
  const { revision } = await readCatalogState(database);
  const ids = new Map<RowKind, ReadonlySet<string>>();
  for (const [kind, rowsOfKind] of Map.groupBy(rows, (row) => row.kind)) {
    const handles = rowsOfKind.flatMap(({ handle }) => handle ?? []);
    const matches = await findRows(database, revision, kind, "handle", handles);
    ids.set(kind, new Set([...rowsOfKind.flatMap(({ id }) => id ?? []), ...matches.map(({ id }) => id)]));
  }
  return ids;
}
