import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Catalog } from "../catalog.ts";
import { formatRow } from "../rows/format-row.ts";
import { parseRow } from "../rows/parse-row.ts";
import { type CatalogRow, packBase } from "./pack-base.ts";
import { type CatalogChanges, packDelta } from "./pack-delta.ts";
import { openCatalog, type PackedBase, type PackedDelta } from "./packed-catalog.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Number of random catalogs. Each is small and has many conflicts: eight products, three collections of each sort,
 * articles, and discounts.
 */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 60);
const change = fc.record({
  what: fc.nat(18),
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
    fc.property(fc.array(change, { maxLength: 30 }), fc.array(changes, { maxLength: 4 }), (first, then) => {
      const worlds = [applyAll(new Map(), first, 0)];
      for (const [at, next] of then.entries()) worlds.push(applyAll(worlds[at] ?? new Map(), next, 1_000 * (at + 1)));
      const base = pack(worlds[0] ?? new Map(), 1);
      const lay = (below: readonly PackedDelta[], since: number, revision: number): PackedDelta =>
        packDelta(base, below, changesBetween(worlds, since, revision), () => {}, settings);
      const deltas: PackedDelta[] = [];
      for (let revision = 2; revision <= worlds.length; revision += 1) {
        deltas.push(lay(deltas, revision - 1, revision));
        const whole = view(openCatalog(pack(worlds[revision - 1] ?? new Map(), revision)));
        assert.deepEqual(view(openCatalog(base, deltas)), whole);
        for (let from = 0; from + 1 < deltas.length; from += 1) {
          const below = deltas.slice(0, from);
          assert.deepEqual(view(openCatalog(base, [...below, lay(below, from + 1, revision)])), whole);
        }
      }
      // Merge older deltas below the newest delta.
      if (deltas.length > 2) {
        const merged = [...deltas.slice(0, -3), lay(deltas.slice(0, -3), worlds.length - 3, worlds.length - 1)];
        assert.deepEqual(
          view(openCatalog(base, [...merged, deltas.at(-1) as PackedDelta])),
          view(openCatalog(base, deltas)),
        );
      }
    }),
    {
      numRuns: rounds,
      // A collection that was deleted before the base was packed returns, and gets its old position.
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
  worlds: readonly ReadonlyMap<string, World>[],
  since: number,
  revision: number,
): CatalogChanges {
  const [before, after] = [worlds[since - 1], worlds[revision - 1]];
  const changed = [...(after?.values() ?? [])]
    .filter((row) => before?.get(row.key) !== row)
    .sort((a, b) => a.position - b.position);
  const bytes = changed.reduce((sum, row) => sum + Buffer.byteLength(row.json), 0);
  return {
    since,
    revision,
    size: { rows: changed.length, bytes },
    rows: (kinds, last, upTo) =>
      changed.filter(({ kind, position }) => kinds.includes(kind) && position > last && position <= upTo),
  };
}

function list(what: number): Change {
  return { what, published: true, deleted: false, handle: 0, type: "Coats", tags: [], products: [0] };
}

interface World extends CatalogRow {
  readonly key: string;
}

/** Applies changes in order; later changes of a row win. A row keeps its position even while it is deleted. */
function applyAll(world: ReadonlyMap<string, World>, changes: readonly Change[], from: number): Map<string, World> {
  const next = new Map(world);
  const taken = new Set([...next.values()].filter((row) => !row.deleted).map((row) => handleOf(row)));
  for (const [index, one] of changes.entries()) {
    const row = parseRow(toJson(one), undefined, (field, message) => assert.fail(`${field}: ${message}`));
    assert.ok(row !== undefined);
    const key = `${row.kind} ${row.id}`;
    const known = next.get(key);
    if (one.deleted && known === undefined) continue;
    const position = known?.position ?? from + index + 1;
    const made: World = { key, kind: row.kind, position, json: formatRow(row), deleted: one.deleted };
    // Handles are unique among the rows, as in an import.
    const own = known?.deleted === false ? handleOf(known) : undefined;
    if (!one.deleted && taken.has(handleOf(made)) && own !== handleOf(made)) continue;
    if (own !== undefined) taken.delete(own);
    if (!one.deleted) taken.add(handleOf(made));
    next.set(key, made);
  }
  return next;
}

function handleOf({ kind, json }: World): string {
  const { handle, id } = JSON.parse(json) as { handle?: string; id: unknown };
  return `${kind} ${handle ?? id}`;
}

function toJson({ what, published, handle, type, tags, products }: Change): Json {
  const handles = products.map((product) => `p${product}`);
  if (what < 8) {
    const variants = [{ id: 100 + what, price: handle }];
    return {
      kind: "product",
      id: what + 1,
      handle: `p${handle}`,
      title: type,
      product_type: type,
      tags,
      published,
      variants,
    };
  }
  const id = what + 1;
  if (what < 11) return { kind: "collection", id, handle: `c${what}`, title: "List", published, products: handles };
  if (what < 14) {
    const rules = products.length === 0 ? { product_type: type } : { product_type: type, tag: tags[0] ?? "wet" };
    return { kind: "collection", id, handle: `c${what}`, title: "Rules", published, rules };
  }
  if (what < 16)
    return { kind: "article", id, handle: `a${handle}`, title: "News", blog: `blog${handle % 3}`, published };
  if (what === 18) return { kind: "metaobject", id, type, handle: `m${handle}`, fields: { n: handle }, published };
  if (what === 16) return { kind: "discount", id, title: "Auto", value_type: "percentage", value: handle };
  return { kind: "discount", id, code: `CODE${handle}`, value_type: "percentage", value: handle };
}

function pack(world: ReadonlyMap<string, World>, revision: number): PackedBase {
  const rows = [...world.values()].sort((a, b) => a.position - b.position);
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.json), 0);
  return packBase(
    { revision, size: { rows: rows.length, bytes }, rows: (kinds) => rows.filter((row) => kinds.includes(row.kind)) },
    () => {},
    settings,
  );
}

const settings = { locales: ["en", "fr"], metafields: [] };

/** Returns everything that a catalog shows, without document numbers, which are internal. */
function view(catalog: Catalog): unknown {
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
