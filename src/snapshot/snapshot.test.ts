import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { Catalog } from "../catalog/catalog.ts";
import { type KeptRow, packBase } from "../catalog/packed/pack-base.ts";
import { packDelta } from "../catalog/packed/pack-delta.ts";
import { openCatalog, type PackedBase } from "../catalog/packed/packed-catalog.ts";
import type { Product } from "../catalog/product.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { parseRow } from "../catalog/rows/parse-row.ts";
import { importFiles } from "../import/import-files.ts";
import type { Database } from "../storage/database.ts";
import { migrate } from "../storage/migrate.ts";
import { openSqlite } from "../storage/sqlite/sqlite.ts";
import { system } from "../system.ts";
import { openSnapshots, type Snapshots } from "./snapshot.ts";

type Json = Readonly<Record<string, unknown>>;

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-snapshot-"));
});
after(() => rm(dir, { recursive: true, force: true }));

/** A small world in which rows often clash: eight products, three collections of each sort, articles, discounts. */
const change = fc.record({
  what: fc.nat(17),
  published: fc.boolean(),
  deleted: fc.boolean(),
  handle: fc.nat(9),
  type: fc.constantFrom("Coats", "Hats", "coats"),
  tags: fc.subarray(["wet", "dry"]),
  products: fc.uniqueArray(fc.nat(9), { maxLength: 4 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

test("a delta over a base shows the same catalogue as one that is built whole", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), fc.array(change, { maxLength: 15 }), (first, then) => {
      const before = applyAll(new Map(), first, 0);
      const after = applyAll(before, then, 1_000);
      const base = pack(before, 1);
      const changed = [...after.values()].filter((row) => before.get(row.key) !== row);
      const delta = packDelta(
        base,
        2,
        changed.sort((a, b) => a.position - b.position),
        () => {},
      );
      assert.deepEqual(view(openCatalog(base, delta)), view(openCatalog(pack(after, 2))));
    }),
    {
      numRuns: 300,
      // A collection that was deleted before the base and comes back takes its old place.
      examples: [
        [[list(8), list(9), { ...list(8), deleted: true }], [list(8)]],
        // The handle of a deleted product is another's.
        [
          [list(1), { ...list(0), handle: 1 }],
          [{ ...list(0), deleted: true }, list(0)],
        ],
      ],
    },
  );
});

function list(what: number): Change {
  return { what, published: true, deleted: false, handle: 0, type: "Coats", tags: [], products: [0] };
}

interface World extends KeptRow {
  readonly key: string;
}

/** Later changes to one row win; a row keeps its position for as long as it is known, deleted or not. */
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
    // Handles are unique, as an import sees to.
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
  if (what === 16) return { kind: "discount", id, title: "Auto", value_type: "percentage", value: handle };
  return { kind: "discount", id, code: `CODE${handle}`, value_type: "percentage", value: handle };
}

function pack(world: ReadonlyMap<string, World>, revision: number): PackedBase {
  const rows = [...world.values()].sort((a, b) => a.position - b.position);
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.json), 0);
  return packBase(
    { revision, size: { rows: rows.length, bytes }, rows: (kinds) => rows.filter((row) => kinds.includes(row.kind)) },
    () => {},
  );
}

/** All that a catalogue shows, without document numbers, which are its own affair. */
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
    codes: handles.map((n) => catalog.discount(` code${n} `)),
  };
}

test("a running shop shows changes: small ones laid over, large ones built anew, none when the database is away", async () => {
  const file = join(dir, "vitrine.db");
  const database = await openSqlite(file);
  await migrate(database);
  const snapshots = await open(file, database);
  const first = snapshots.current();
  assert.equal(first.catalog.numbers("product").length, 0);
  await importProducts(database, 0, 40);
  await until(() => snapshots.current().catalog.numbers("product").length === 40);
  assert.equal(first.catalog.numbers("product").length, 0, "a request keeps the snapshot it began with");
  assert.deepEqual(titlesFound(snapshots, "lantern7"), ["Lantern7"]);

  const beacon = { kind: "product", id: 8, handle: "l7", title: "Beacon7", variants: [{ price: 5 }] };
  await writeRows([beacon]);
  await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows.jsonl" }], { ...system, currency: "USD" });
  await until(() => snapshots.current().catalog.product("l7")?.title === "Beacon7");
  assert.deepEqual(titlesFound(snapshots, "lantern7"), []);
  assert.deepEqual(titlesFound(snapshots, "beacon7"), ["Beacon7"]);

  await importProducts(database, 0, 5_100);
  await until(() => snapshots.current().catalog.numbers("product").length === 5_100, 20_000);
  assert.deepEqual(titlesFound(snapshots, "lantern5099"), ["Lantern5099"]);

  await writeRows([beacon]);
  await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows.jsonl" }], {
    ...system,
    currency: "USD",
    prune: true,
  });
  await until(() => snapshots.current().catalog.numbers("product").length === 1, 20_000);
  await database.close();
  await assert.rejects(snapshots.refresh());
  assert.equal(snapshots.current().catalog.product("l7")?.title, "Beacon7");
  await snapshots.close();
});

test("equals keep one order, whether a change was laid over or all was built anew", async () => {
  const file = join(dir, "equals.db");
  const database = await openSqlite(file);
  await migrate(database);
  const twins = [1, 2, 3, 4].map((id) => ({
    kind: "product",
    id,
    handle: `t${id}`,
    title: "Twin",
    variants: [{ price: 1 }],
  }));
  const change = async (rows: readonly Json[], snapshots?: Snapshots) => {
    const before = snapshots?.current().revision;
    await writeRows(rows);
    const options = { ...system, currency: "USD", prune: true };
    await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows.jsonl" }], options);
    if (snapshots !== undefined) await until(() => snapshots.current().revision !== before);
  };
  await change(twins);
  await change([...twins.slice(0, 1), ...twins.slice(2)]);
  const first = await open(file, database);
  assert.deepEqual(found(first, "twin"), ["t1", "t3", "t4"]);
  // The second comes back to its old place, and a new one goes to the end.
  await change([...twins, { kind: "product", id: 5, handle: "t5", title: "Twin", variants: [{ price: 1 }] }], first);
  const overlaid = [found(first, "twin"), found(first, "tw"), found(first, "twni")];
  await first.close();
  const second = await open(file, database);
  assert.deepEqual(overlaid, [found(second, "twin"), found(second, "tw"), found(second, "twni")]);
  assert.deepEqual(overlaid[0], ["t1", "t2", "t3", "t4", "t5"]);
  await second.close();
  await database.close();
});

function open(file: string, database: Database): Promise<Snapshots> {
  const log = { hasInfo: false, info() {}, warn() {}, error() {} };
  const config = { locales: { default: "en", others: [] } };
  const newId = randomUUID;
  return openSnapshots({ source: { file }, database, config, synonyms: () => [], log, now: () => 0, newId });
}

async function importProducts(database: Database, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, n) => ({
    kind: "product",
    id: from + n + 1,
    handle: `l${from + n}`,
    title: `Lantern${from + n}`,
    variants: [{ price: 1 }],
  }));
  await writeRows(rows);
  const { faults } = await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows" }], {
    ...system,
    currency: "USD",
  });
  assert.deepEqual(faults.first, []);
}

async function writeRows(rows: readonly Json[]): Promise<void> {
  await writeFile(join(dir, "rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
}

function titlesFound(snapshots: Snapshots, text: string): unknown[] {
  return productsFound(snapshots, text, false).map(({ title }) => title);
}

function found(snapshots: Snapshots, text: string): unknown[] {
  return productsFound(snapshots, text, true).map(({ handle }) => handle);
}

function productsFound(snapshots: Snapshots, text: string, typos: boolean): Product[] {
  const { catalog, index } = snapshots.current();
  const limits = new Map([[0, 5]]);
  const hits = index.search({ text, locale: "en", limits, typos, unavailable: "last" }).get(0) ?? [];
  return hits.map(({ externalId: number }) => catalog.entry(number)).filter((entry) => entry?.kind === "product");
}

async function until(isTrue: () => boolean, ms = 5_000): Promise<void> {
  const end = performance.now() + ms;
  while (!isTrue()) {
    assert.ok(performance.now() < end, "it did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
