import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Catalog } from "../catalog.ts";
import { formatRow } from "../rows/format-row.ts";
import { parseRow } from "../rows/parse-row.ts";
import { type CatalogRow, packCatalog } from "./pack-base.ts";
import { type CatalogChanges, packChangeSet } from "./pack-delta.ts";
import { openCatalog, type PackedBase, type PackedDelta } from "./packed-catalog.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Number of random catalogs. Each catalog is small and has many conflicts: eight products, three collections of each
 * kind, articles, and discounts.
 */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 30);
const change = fc.record({
  productIndex: fc.nat(18),
  published: fc.boolean(),
  deleted: fc.boolean(),
  handle: fc.nat(9),
  type: fc.constantFrom("Coats", "Hats", "coats"),
  tags: fc.subarray(["wet", "dry"]),
  products: fc.uniqueArray(fc.nat(9), { maxLength: 4 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

test("deltas over a base show the same catalog as a full build, separate or merged", () => {
  const changes = fc.array(change, { maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 30 }),
      fc.array(changes, { maxLength: 4 }),
      (firstChanges, laterChanges) => {
        const revisions = [applyChanges(new Map(), firstChanges, 0)];
        for (const [at, nextRows] of laterChanges.entries())
          revisions.push(applyChanges(revisions[at] ?? new Map(), nextRows, 1_000 * (at + 1)));
        const base = pack(revisions[0] ?? new Map(), 1);
        const packChanges = (deltasBelow: readonly PackedDelta[], since: number, revision: number): PackedDelta =>
          packChangeSet(base, deltasBelow, changesBetween(revisions, since, revision), () => {}, settings);
        const deltas: PackedDelta[] = [];
        for (let revision = 2; revision <= revisions.length; revision += 1) {
          deltas.push(packChanges(deltas, revision - 1, revision));
          const expected = visibleContent(openCatalog(pack(revisions[revision - 1] ?? new Map(), revision)));
          assert.deepEqual(visibleContent(openCatalog(base, deltas)), expected);
          for (let from = 0; from + 1 < deltas.length; from += 1) {
            const deltasBelow = deltas.slice(0, from);
            assert.deepEqual(
              visibleContent(openCatalog(base, [...deltasBelow, packChanges(deltasBelow, from + 1, revision)])),
              expected,
            );
          }
        }
        // Merge older deltas into one, and keep the newest delta separate.
        if (deltas.length > 2) {
          const mergedDeltas = [
            ...deltas.slice(0, -3),
            packChanges(deltas.slice(0, -3), revisions.length - 3, revisions.length - 1),
          ];
          assert.deepEqual(
            visibleContent(openCatalog(base, [...mergedDeltas, deltas.at(-1) as PackedDelta])),
            visibleContent(openCatalog(base, deltas)),
          );
        }
      },
    ),
    {
      numRuns: rounds,
      // A collection that was deleted before the base catalog was packed returns, and gets its old position.
      examples: [
        [[list(8), list(9), { ...list(8), deleted: true }], [[list(8)]]],
        // Another product takes over the handle of a deleted product.
        [[list(1), { ...list(0), handle: 1 }], [[{ ...list(0), deleted: true }, list(0)]]],
      ],
    },
  );
});

/** Returns the rows that differ between two revisions. */
function changesBetween(
  revisions: readonly ReadonlyMap<string, KeyedRow>[],
  since: number,
  revision: number,
): CatalogChanges {
  const [previousRows, currentRows] = [revisions[since - 1], revisions[revision - 1]];
  const changedRows = [...(currentRows?.values() ?? [])]
    .filter((row) => previousRows?.get(row.key) !== row)
    .sort((a, b) => a.position - b.position);
  const bytes = changedRows.reduce((sum, row) => sum + Buffer.byteLength(row.json), 0);
  return {
    since,
    revision,
    size: { rows: changedRows.length, bytes },
    rows: (kinds, lastPosition, upTo) =>
      changedRows.filter(({ kind, position }) => kinds.includes(kind) && position > lastPosition && position <= upTo),
  };
}

function list(productIndex: number): Change {
  return { productIndex, published: true, deleted: false, handle: 0, type: "Coats", tags: [], products: [0] };
}

interface KeyedRow extends CatalogRow {
  readonly key: string;
}

/**
 * Applies changes in order. If a row changed several times, the last change applies. A row keeps its position even
 * while it is deleted.
 */
function applyChanges(
  rowsByKey: ReadonlyMap<string, KeyedRow>,
  changes: readonly Change[],
  from: number,
): Map<string, KeyedRow> {
  const nextRows = new Map(rowsByKey);
  const usedHandles = new Set([...nextRows.values()].filter((row) => !row.isDeleted).map((row) => handleOf(row)));
  for (const [index, change] of changes.entries()) {
    const row = parseRow(toJson(change), undefined, (field, message) => assert.fail(`${field}: ${message}`));
    assert.ok(row !== undefined);
    const key = `${row.kind} ${row.id}`;
    const existingRow = nextRows.get(key);
    if (change.deleted && existingRow === undefined) continue;
    const position = existingRow?.position ?? from + index + 1;
    const newRow: KeyedRow = { key, kind: row.kind, position, json: formatRow(row), isDeleted: change.deleted };
    // Handles are unique among the rows, as in an import.
    const previousHandle = existingRow?.isDeleted === false ? handleOf(existingRow) : undefined;
    if (!change.deleted && usedHandles.has(handleOf(newRow)) && previousHandle !== handleOf(newRow)) continue;
    if (previousHandle !== undefined) usedHandles.delete(previousHandle);
    if (!change.deleted) usedHandles.add(handleOf(newRow));
    nextRows.set(key, newRow);
  }
  return nextRows;
}

function handleOf({ kind, json }: KeyedRow): string {
  const { handle, id } = JSON.parse(json) as { handle?: string; id: unknown };
  return `${kind} ${handle ?? id}`;
}

function toJson({ productIndex, published, handle, type, tags, products }: Change): Json {
  const handles = products.map((product) => `p${product}`);
  if (productIndex < 8) {
    const variants = [{ id: 100 + productIndex, price: handle }];
    return {
      kind: "product",
      id: productIndex + 1,
      handle: `p${handle}`,
      title: type,
      product_type: type,
      tags,
      published,
      variants,
    };
  }
  const id = productIndex + 1;
  if (productIndex < 11)
    return { kind: "collection", id, handle: `c${productIndex}`, title: "List", published, products: handles };
  if (productIndex < 14) {
    const rules = products.length === 0 ? { product_type: type } : { product_type: type, tag: tags[0] ?? "wet" };
    return { kind: "collection", id, handle: `c${productIndex}`, title: "Rules", published, rules };
  }
  if (productIndex < 16)
    return { kind: "article", id, handle: `a${handle}`, title: "News", blog: `blog${handle % 3}`, published };
  if (productIndex === 18)
    return { kind: "metaobject", id, type, handle: `m${handle}`, fields: { n: handle }, published };
  if (productIndex === 16) return { kind: "discount", id, title: "Auto", value_type: "percentage", value: handle };
  return { kind: "discount", id, code: `CODE${handle}`, value_type: "percentage", value: handle };
}

function pack(rowsByKey: ReadonlyMap<string, KeyedRow>, revision: number): PackedBase {
  const rows = [...rowsByKey.values()].sort((a, b) => a.position - b.position);
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.json), 0);
  return packCatalog(
    { revision, size: { rows: rows.length, bytes }, rows: (kinds) => rows.filter((row) => kinds.includes(row.kind)) },
    () => {},
    settings,
  );
}

const settings = { locales: ["en", "fr"], metafields: [] };

/** Returns everything that a catalog shows, without document numbers, which are internal. */
function visibleContent(catalog: Catalog): unknown {
  const titles = (numbers: Uint32Array) => [...numbers].map((number) => catalog.entry(number));
  const handles = Array.from({ length: 10 }, (_, index) => index);
  return {
    revision: catalog.revision,
    products: titles(catalog.numbers("product")),
    collections: titles(catalog.numbers("collection")),
    articles: titles(catalog.numbers("article")),
    byHandle: handles.map((n) => catalog.product(`p${n}`)),
    byId: handles.map((n) => catalog.productById(String(n + 1))),
    variants: handles.map((n) => catalog.variant(String(100 + n))),
    members: handles.map((n) => titles(catalog.collectionProducts(`c${n + 6}`))),
    membersOver9: handles.map((n) => titles(catalog.collectionProducts(`c${n}`))),
    of: handles.map((n) => catalog.collectionsOf(`p${n}`)),
    blogs: catalog.blogs(),
    articlesByHandle: handles.map((n) => catalog.article(`blog${n % 3}`, `a${n}`)),
    automatic: catalog.automaticDiscounts(),
    metaobjects: ["Coats", "Hats", "coats"].map((type) => catalog.metaobjects(type)),
    codes: handles.map((n) => catalog.discount(` code${n} `)),
  };
}
