import type { RowKind } from "../catalog/catalog.ts";
import { deriveArticleId } from "../catalog/rows/identity.ts";
import { readRow } from "../catalog/rows/parse-row.ts";
import { formatRowName, getRowKeys, listRowReferences, referrerKinds } from "../catalog/rows/row-keys.ts";
import { readCatalogRows } from "../storage/catalog/catalog-store.ts";
import { findRows, findVariantRows, type RowMatch, readRowsById, readRowsOfKind } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import type { CatalogChecker } from "./check-catalog.ts";
import type { LocatedRow } from "./read-catalog.ts";
import type { RowError } from "./row-errors.ts";

export type RowRemoval = Omit<RowMatch, "key">;

/**
 * Checks imported rows for conflicts with stored rows that the import does not replace. Reads only affected rows, so a
 * small change of a large catalog is cheap.
 */
export interface ConflictCheck {
  /**
   * Reports handles and variant ids that are already used by stored rows that the import neither replaces nor removes.
   */
  checkRows(rows: readonly LocatedRow[]): Promise<void>;
  /** Reports references to missing rows. Must be called last.  @returns the rows to remove */
  finish(): Promise<readonly RowRemoval[]>;
}

export interface ConflictCheckOptions {
  readonly database: Database;
  /** Revision of the store's catalog. */
  readonly revision: number;
  /** Check of the files without the store. It already contains all rows of the files. */
  readonly check: CatalogChecker;
  /** Kinds of rows, such as products, that are removed from the store if the files do not contain them. */
  readonly prunedKinds: ReadonlySet<RowKind>;
  /** Ids of rows to remove independently of the files, by kind. */
  readonly deletedIds: ReadonlyMap<RowKind, ReadonlySet<string>>;
  readonly onError: (error: RowError) => void;
}

export function createConflictCheck({
  database,
  revision,
  check,
  prunedKinds,
  deletedIds,
  onError,
}: ConflictCheckOptions): ConflictCheck {
  /** Handles of stored rows that are removed or renamed. */
  const removedHandles: { readonly kind: RowKind; readonly handle: string }[] = [];
  const isStillStored = ({ kind, id }: { readonly kind: RowKind; readonly id: string }): boolean =>
    !check.has(kind, id) && !prunedKinds.has(kind) && deletedIds.get(kind)?.has(id) !== true;

  const findRowRemovals = async (): Promise<readonly RowRemoval[]> => {
    const removals: RowRemoval[] = [];
    for (const [kind, ids] of deletedIds) {
      if (prunedKinds.has(kind)) continue;
      for (const { id, position, key } of await findRows(database, revision, kind, "id", [...ids])) {
        if (check.has(kind, id)) continue;
        removals.push({ kind, id, position });
        removedHandles.push({ kind, handle: key });
      }
    }
    if (prunedKinds.size === 0) return removals;
    for await (const { kind, id, position, handle } of readCatalogRows(database, revision, false)) {
      if (check.has(kind, id) || !prunedKinds.has(kind)) continue;
      removals.push({ kind, id, position });
      removedHandles.push({ kind, handle });
    }
    return removals;
  };
  /** Reports stored rows that would still refer to a row that the import removes. */
  const checkReferrers = async (): Promise<void> => {
    const deletedHandles = removedHandles.filter(({ kind, handle }) => !check.hasHandle(kind, handle));
    if (deletedHandles.length === 0) return;
    const deletedKeys = new Set(deletedHandles.map(({ kind, handle }) => handleKeyOf(kind, handle)));
    for (const kind of referrerKinds) {
      for (const storedRow of await readRowsOfKind(database, revision, kind)) {
        if (!isStillStored(storedRow)) continue;
        for (const { kind: targetKind, field, handles } of listRowReferences(readRow(kind, storedRow.json)))
          for (const [index, handle] of handles.entries()) {
            if (!deletedKeys.has(handleKeyOf(targetKind, handle))) continue;
            const fieldPath = `${kind} ${storedRow.handle || storedRow.id}: ${field}[${index}]`;
            onError({ file: "the store", line: 0, field: fieldPath, message: `there is no ${targetKind} "${handle}"` });
          }
      }
    }
  };

  /** Returns the blogs of stored articles, by article id. */
  const readArticleBlogs = async (articles: readonly RowMatch[]): Promise<ReadonlyMap<string, string>> => {
    const ids = articles.map(({ id }) => id);
    const storedArticles = await readRowsById(database, revision, "article", ids);
    return new Map(storedArticles.map(({ id, json }) => [id, (JSON.parse(json) as { readonly blog: string }).blog]));
  };

  /**
   * Reports articles whose id is derived from the handle, if the store already has an article with this id in another
   * blog.
   */
  const checkArticleIds = async (
    rows: readonly LocatedRow[],
    handlesById: ReadonlyMap<string, string>,
  ): Promise<void> => {
    for (const { id, json } of await readRowsById(database, revision, "article", [...handlesById.keys()])) {
      const { blog, handle } = JSON.parse(json) as { readonly blog: string; readonly handle: string };
      const locatedRow = rows.find(({ row }) => row.kind === "article" && row.id === id);
      if (
        locatedRow?.row.kind !== "article" ||
        locatedRow.row.blog === blog ||
        id !== deriveArticleId(locatedRow.row.handle)
      )
        continue;
      if (check.hasHandle("article", `${blog}/${handle}`)) continue;
      const message = `the derived id belongs to the article ${blog}/${handle} in the store: set another id, or set ${id} to move that article`;
      onError({ file: locatedRow.file, line: locatedRow.line, row: locatedRow, field: "id", message });
    }
  };

  return {
    async checkRows(rows) {
      const report = (locatedRow: LocatedRow, field: string, value: string, { kind, id }: RowMatch): void => {
        const message = `${value} is already used by the ${kind} ${id} in the store: use that id, or remove that row first`;
        onError({ file: locatedRow.file, line: locatedRow.line, row: locatedRow, field, message });
      };
      const rowsByVariant = new Map<string, LocatedRow>();
      for (const [kind, group] of Map.groupBy(rows, ({ row }) => row.kind)) {
        const rowsByName = new Map<string, LocatedRow>();
        const handles = new Set<string>();
        const handlesById = new Map<string, string>();
        for (const locatedRow of group) {
          const { id, handle, variantIds } = getRowKeys(locatedRow.row);
          if (handle !== "") rowsByName.set(formatRowName(locatedRow.row), locatedRow);
          if (handle !== "") handles.add(handle);
          handlesById.set(id, handle);
          for (const variant of variantIds) rowsByVariant.set(variant, locatedRow);
        }
        const rowsWithHandle = await findRows(database, revision, kind, "handle", [...handles]);
        const blogs = kind === "article" ? await readArticleBlogs(rowsWithHandle) : undefined;
        for (const storedRow of rowsWithHandle) {
          const locatedRow = rowsByName.get(
            blogs === undefined ? storedRow.key : `${blogs.get(storedRow.id)}/${storedRow.key}`,
          );
          if (locatedRow !== undefined && isStillStored(storedRow))
            report(locatedRow, "code" in locatedRow.row ? "code" : "handle", `"${storedRow.key}"`, storedRow);
        }
        if (kind === "article") await checkArticleIds(group, handlesById);
        if (!referencedKinds.has(kind)) continue;
        for (const { id, key } of await findRows(database, revision, kind, "id", [...handlesById.keys()])) {
          if (handlesById.get(id) !== key) removedHandles.push({ kind, handle: key });
        }
      }
      for (const storedRow of await findVariantRows(database, revision, [...rowsByVariant.keys()])) {
        const locatedRow = rowsByVariant.get(storedRow.key);
        if (locatedRow !== undefined && isStillStored(storedRow))
          report(locatedRow, "variants", `variant id ${storedRow.key}`, storedRow);
      }
    },

    async finish() {
      const removals = await findRowRemovals();
      await checkReferrers();
      const storedHandles = new Set<string>();
      for (const kind of referencedKinds) {
        for (const storedRow of await findRows(database, revision, kind, "handle", [
          ...check.listMissingHandles(kind),
        ])) {
          if (isStillStored(storedRow)) storedHandles.add(handleKeyOf(kind, storedRow.key));
        }
      }
      check.finish((kind, handle) => storedHandles.has(handleKeyOf(kind, handle)));
      return removals;
    },
  };
}

/** Kinds that other rows refer to. */
const referencedKinds: ReadonlySet<RowKind> = new Set<RowKind>(["product", "collection"]);

function handleKeyOf(kind: RowKind, handle: string): string {
  return `${kind} ${handle}`;
}
