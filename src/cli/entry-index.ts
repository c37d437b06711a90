import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "../catalog/catalog.ts";
import { readRow } from "../catalog/rows/parse-row.ts";
import { formatRowName } from "../catalog/rows/row-keys.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { findRows, readRowsOfKind } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import { locateDatabase, openDatabase } from "../storage/open-database.ts";
import type { NamedEntry } from "../theme/check/finding.ts";

/**
 * Collects the handles of products, pages, and other catalog entries of a store, from its catalog files and, on
 * request, from its database.
 */
export function createEntryIndex() {
  const names = new Set<string>();
  const kinds = new Set<string>();
  const addEntry = (kind: string, handle: string): void => {
    kinds.add(kind);
    names.add(`${kind} ${handle}`);
    if (kind === "article") names.add(`blog ${handle.split("/", 1)[0]}`);
  };
  const searchInDatabase = async (database: Database, entries: readonly NamedEntry[]): Promise<void> => {
    const { revision } = await readCatalogState(database);
    for (const kind of ["product", "page"] as const) {
      const handles = entries.filter((entry) => entry.kind === kind).map(({ handle }) => handle);
      for (const { key } of await findRows(database, revision, kind, "handle", handles)) addEntry(kind, key);
    }
    for (const kind of ["article", "collection"] as const)
      for (const { json } of await readRowsOfKind(database, revision, kind))
        addEntry(kind, formatRowName(readRow(kind, json)));
    if (revision > 0) kinds.add("product");
  };
  return {
    /** Adds a row of a catalog file. */
    add(row: Row) {
      addEntry(row.kind, formatRowName(row));
    },
    /**
     * Adds those of the given entries that the store's database contains, because catalog files may be incomplete.
     */
    async readDatabase(dir: string, entries: readonly NamedEntry[], databaseUrl: string | undefined) {
      const source = locateDatabase(join(dir, "data"), databaseUrl);
      if (entries.length === 0 || ("file" in source && !existsSync(source.file))) return;
      const database = await openDatabase(source, {});
      try {
        await searchInDatabase(database, entries);
      } finally {
        await database.close();
      }
    },
    /**
     * Returns whether an entry exists. If the catalog is empty, every entry counts as existing. If it contains no
     * collections, every collection counts as existing, because the shop then derives collections from the products.
     */
    has: ({ kind, handle }: NamedEntry) =>
      kinds.size === 0 || (kind === "collection" && !kinds.has("collection")) || names.has(`${kind} ${handle}`),
  };
}
