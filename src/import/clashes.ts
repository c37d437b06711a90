import type { Kind } from "../catalog/catalog.ts";
import { derivedArticleId } from "../catalog/rows/identity.ts";
import { readRow } from "../catalog/rows/parse-row.ts";
import { referringKinds, rowKeys, rowName, rowReferences } from "../catalog/rows/row-keys.ts";
import { readCatalogRows } from "../storage/catalog/catalog-store.ts";
import { type FoundRow, findByVariant, findRows, readRowsById, readRowsOfKind } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import type { CatalogCheck } from "./check-catalog.ts";
import type { LocatedRow } from "./read-catalog.ts";
import type { RowError } from "./row-errors.ts";

export interface Removal {
  readonly kind: Kind;
  readonly id: string;
  readonly position: number;
}

/**
 * Checks rows of files against the stored rows that stay. Reads only affected rows, so a small change of a large
 * catalog is cheap.
 */
export interface ClashCheck {
  /** Reports handles and variant ids that are already used by stored rows that stay. */
  look(placed: readonly LocatedRow[]): Promise<void>;
  /** Reports references to missing rows. Must be called last.  @returns the rows to remove */
  finish(): Promise<readonly Removal[]>;
}

export interface ClashOptions {
  readonly database: Database;
  /** Revision of the store's catalog. */
  readonly revision: number;
  /** Check that contains all rows of the files. */
  readonly check: CatalogCheck;
  /** Kinds whose stored rows are removed if the files lack them. */
  readonly pruned: ReadonlySet<Kind>;
  /** Ids of other rows to remove, by kind. */
  readonly deleted: ReadonlyMap<Kind, ReadonlySet<string>>;
  readonly onError: (error: RowError) => void;
}

export function createClashCheck({ database, revision, check, pruned, deleted, onError }: ClashOptions): ClashCheck {
  // Handles of stored products and collections that are removed or renamed.
  const vanished = new Set<string>();
  const stays = ({ kind, id }: { readonly kind: Kind; readonly id: string }): boolean =>
    !check.has(kind, id) && !pruned.has(kind) && deleted.get(kind)?.has(id) !== true;

  const findRemovals = async (): Promise<readonly Removal[]> => {
    const removals: Removal[] = [];
    for (const [kind, ids] of deleted) {
      if (pruned.has(kind)) continue;
      for (const { id, position, key } of await findRows(database, revision, kind, "id", [...ids])) {
        if (check.has(kind, id)) continue;
        removals.push({ kind, id, position });
        vanished.add(keyOf(kind, key));
      }
    }
    if (pruned.size === 0) return removals;
    for await (const { kind, id, position, handle } of readCatalogRows(database, revision, false)) {
      if (check.has(kind, id) || !pruned.has(kind)) continue;
      removals.push({ kind, id, position });
      vanished.add(keyOf(kind, handle));
    }
    return removals;
  };
  /** Reports stored rows that stay but refer to a removed row. */
  const checkReferrers = async (): Promise<void> => {
    const isDeleted = (kind: Kind, handle: string): boolean =>
      vanished.has(keyOf(kind, handle)) && !check.hasHandle(kind, handle);
    if (![...vanished].some((key) => isDeleted(...splitKey(key)))) return;
    for (const kind of referringKinds) {
      for (const stored of await readRowsOfKind(database, revision, kind)) {
        if (!stays(stored)) continue;
        const { products, collections } = rowReferences(readRow(kind, stored.json));
        const report = (wanted: Kind, field: string, handles: readonly string[]): void => {
          for (const [index, handle] of handles.entries()) {
            if (!isDeleted(wanted, handle)) continue;
            const at = `${kind} ${stored.handle || stored.id}: ${field}[${index}]`;
            onError({ file: "the store", line: 0, field: at, message: `there is no ${wanted} "${handle}"` });
          }
        };
        report("product", "products", products);
        report("collection", "collections", collections);
      }
    }
  };

  /** Returns the blogs of stored articles, by article id. */
  const blogsOf = async (articles: readonly FoundRow[]): Promise<ReadonlyMap<string, string>> => {
    const ids = articles.map(({ id }) => id);
    const stored = await readRowsById(database, revision, "article", ids);
    return new Map(stored.map(({ id, json }) => [id, (JSON.parse(json) as { readonly blog: string }).blog]));
  };

  /** Reports articles whose derived id belongs to an article of another blog. */
  const checkArticleIds = async (placed: readonly LocatedRow[], byId: ReadonlyMap<string, string>): Promise<void> => {
    for (const { id, json } of await readRowsById(database, revision, "article", [...byId.keys()])) {
      const { blog, handle } = JSON.parse(json) as { readonly blog: string; readonly handle: string };
      const at = placed.find(({ row }) => row.kind === "article" && row.id === id);
      if (at?.row.kind !== "article" || at.row.blog === blog || id !== derivedArticleId(at.row.handle)) continue;
      if (check.hasHandle("article", `${blog}/${handle}`)) continue;
      const message = `without an id it would replace ${blog}/${handle} of the store: give it an id, or write ${id} to move that one`;
      onError({ file: at.file, line: at.line, row: at, field: "id", message });
    }
  };

  return {
    async look(placed) {
      const report = (at: LocatedRow, field: string, what: string, { kind, id }: FoundRow): void => {
        const message = `${what} is taken by the ${kind} ${id} of the store: use that id, or remove that row first`;
        onError({ file: at.file, line: at.line, row: at, field, message });
      };
      const byVariant = new Map<string, LocatedRow>();
      for (const [kind, group] of Map.groupBy(placed, ({ row }) => row.kind)) {
        const byName = new Map<string, LocatedRow>();
        const handles = new Set<string>();
        const byId = new Map<string, string>();
        for (const one of group) {
          const { id, handle, variantIds } = rowKeys(one.row);
          if (handle !== "") byName.set(rowName(one.row), one);
          if (handle !== "") handles.add(handle);
          byId.set(id, handle);
          for (const variant of variantIds) byVariant.set(variant, one);
        }
        const existing = await findRows(database, revision, kind, "handle", [...handles]);
        const blogs = kind === "article" ? await blogsOf(existing) : undefined;
        for (const found of existing) {
          const at = byName.get(blogs === undefined ? found.key : `${blogs.get(found.id)}/${found.key}`);
          if (at !== undefined && stays(found))
            report(at, "code" in at.row ? "code" : "handle", `"${found.key}"`, found);
        }
        if (kind === "article") await checkArticleIds(group, byId);
        if (!namedKinds.has(kind)) continue;
        for (const { id, key } of await findRows(database, revision, kind, "id", [...byId.keys()])) {
          if (byId.get(id) !== key) vanished.add(keyOf(kind, key));
        }
      }
      for (const found of await findByVariant(database, revision, [...byVariant.keys()])) {
        const at = byVariant.get(found.key);
        if (at !== undefined && stays(found)) report(at, "variants", `variant id ${found.key}`, found);
      }
    },

    async finish() {
      const removals = await findRemovals();
      await checkReferrers();
      const stored = new Set<string>();
      for (const kind of namedKinds) {
        for (const found of await findRows(database, revision, kind, "handle", [...check.missing(kind)])) {
          if (stays(found)) stored.add(keyOf(kind, found.key));
        }
      }
      check.finish((kind, handle) => stored.has(keyOf(kind, handle)));
      return removals;
    },
  };
}

/** Kinds that other rows refer to. */
const namedKinds: ReadonlySet<Kind> = new Set<Kind>(["product", "collection"]);

function keyOf(kind: Kind, handle: string): string {
  return `${kind} ${handle}`;
}

function splitKey(key: string): [Kind, string] {
  const at = key.indexOf(" ");
  return [key.slice(0, at) as Kind, key.slice(at + 1)];
}
