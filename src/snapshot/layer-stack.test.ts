import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { importFiles } from "../../test/support/import-files.ts";
import { until } from "../../test/support/until.ts";
import type { Database } from "../storage/database.ts";
import { migrate } from "../storage/migrate.ts";
import { openSqlite } from "../storage/sqlite/sqlite.ts";
import { system } from "../system.ts";
import type { BuildKind } from "./builder.ts";
import { countUnmergedDeltas, createCatalogLayers, findMergeStart, needsRebuild } from "./layers.ts";
import { openSnapshots, type Snapshots } from "./open-snapshots.ts";

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-layers-"));
});
after(() => rm(dir, { recursive: true, force: true }));

const products = 12_000;

test("changes of more than a thousand rows are layered, merged in the background and moved into a new base; results always equal a full build", async () => {
  const file = join(dir, "vitrine.db");
  const database = await openSqlite(file);
  await migrate(database);
  await importTitles(database, 1, products, "Lantern");
  const built: BuildKind[] = [];
  const snapshots = await openFeedSnapshots(file, database, built);
  const change = async (work: () => Promise<void>) => {
    await work();
    await snapshots.refresh();
  };
  await change(() => importTitles(database, 500, 400, "Beacon"));
  // Change some products again and add others.
  // These are too many rows to be merged with the next change, even if the merge in the background has not ended.
  await change(() => importTitles(database, products - 500, 1_000, "Beacon torch"));
  assert.deepEqual(built, ["whole", "changes", "changes"]);
  const count = snapshots.getFacts().documents;
  await until(() => built.includes("merge"));
  await snapshots.refresh();
  assert.equal(snapshots.getFacts().documents, count, "a merge does not change the number of documents");
  await change(() => importTitles(database, 600, 20, "Torch"));
  assert.equal(snapshots.getFacts().documents, count + 20);
  await change(() => importTitles(database, 610, 30, "Torch lantern"));
  assert.equal(snapshots.getFacts().documents, count + 40, "small changes share a layer");
  await assertEqualsFullBuild(snapshots, file, database);
  // After this change, the deltas are large enough for a new full build.
  await change(() => remove(database, 2_000, 300));
  assert.deepEqual(built.slice(0, 7), ["whole", "changes", "changes", "merge", "changes", "changes", "changes"]);
  await assertEqualsFullBuild(snapshots, file, database);
  await until(() => built.lastIndexOf("whole") > 0);
  await change(() => importTitles(database, 2_000, 5, "Torch"));
  assert.equal(snapshots.getFacts().documents, products + 499 - 300 + 5);
  await assertEqualsFullBuild(snapshots, file, database);
  await snapshots.close();
  await database.close();
});

test("a layer stays separate from newer ones while it has more than twice as many rows as all of them", () => {
  const deltas = (...rows: number[]) =>
    rows.map((count) => ({ delta: { replacedNumbers: new Uint32Array(count) } })) as unknown as Parameters<
      typeof findMergeStart
    >[0];
  assert.equal(findMergeStart(deltas()), undefined);
  assert.equal(findMergeStart(deltas(10)), undefined);
  assert.equal(findMergeStart(deltas(100_000, 30_000, 9_000)), undefined);
  assert.equal(findMergeStart(deltas(100_000, 30_000, 9_000, 6_000)), 1);
  assert.equal(findMergeStart(deltas(100_000, 30_000, 9_000, 12_000)), 0);
  assert.equal(countUnmergedDeltas(deltas(5_000, 400, 300), 200), 1);
  assert.equal(countUnmergedDeltas(deltas(5_000, 400, 300), 400), 2);
  assert.equal(countUnmergedDeltas(deltas(400, 300), 5_000), 2);
  const base = { base: { positions: new Float64Array(80_000) }, segment: { leaves: [] } } as never;
  assert.equal(needsRebuild({ ...createCatalogLayers(base), deltas: deltas(9_000, 999) }), false);
  assert.equal(needsRebuild({ ...createCatalogLayers(base), deltas: deltas(9_000, 1_000) }), true);
});

function openFeedSnapshots(file: string, database: Database, built?: BuildKind[]): Promise<Snapshots> {
  const log = { hasInfo: false, info() {}, warn() {}, recurring() {}, error() {} };
  const config = { locales: { default: "en", others: [] } };
  const onBuilt = (part: BuildKind) => built?.push(part);
  const options = { source: { file }, database, config, synonyms: () => [], log, newId: randomUUID };
  return openSnapshots({ ...options, onBuilt });
}

async function importTitles(database: Database, from: number, count: number, title: string): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    kind: "product",
    id: from + n,
    handle: `l${from + n}`,
    title: `${title} ${from + n}`,
    variants: [{ price: 1 }],
  }));
  await importRows(database, rows, false);
}

/** Removes products by importing a catalog without them. */
async function remove(database: Database, from: number, count: number): Promise<void> {
  const rows = (
    await database.read(
      "SELECT data, id FROM catalog_rows r WHERE deleted = 0 AND revision = (SELECT MAX(revision) FROM catalog_rows n WHERE n.kind = r.kind AND n.id = r.id)",
    )
  ).filter(({ id }) => Number(id) < from || Number(id) >= from + count);
  await importRows(
    database,
    rows.map(({ data }) => ({ kind: "product", ...JSON.parse(String(data)) })),
    true,
  );
}

async function importRows(database: Database, rows: readonly object[], prune: boolean): Promise<void> {
  const path = join(dir, "rows.jsonl");
  await writeFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  const options = { ...system, currency: "USD", prune };
  const { errors } = await importFiles(database, [{ path, name: "rows.jsonl" }], options);
  assert.deepEqual(errors.firstErrors, []);
}

async function assertEqualsFullBuild(snapshots: Snapshots, file: string, database: Database): Promise<void> {
  const fullBuild = await openFeedSnapshots(file, database);
  for (const text of ["lantern", "beacon", "torch", "tor", "lantren", "700", "l", "2600"])
    assert.deepEqual(searchTitles(snapshots, text), searchTitles(fullBuild, text), text);
  const handles = ({ catalog }: ReturnType<Snapshots["currentSnapshot"]>) =>
    Array.from(catalog.numbers("product"), (number) => {
      const entry = catalog.entry(number);
      return entry?.kind === "product" ? `${entry.handle} ${entry.title}` : "";
    });
  assert.deepEqual(handles(snapshots.currentSnapshot()), handles(fullBuild.currentSnapshot()));
  await fullBuild.close();
}

function searchTitles(snapshots: Snapshots, text: string): unknown[] {
  const { catalog, index } = snapshots.currentSnapshot();
  const query = { text, locale: "en", limits: new Map([[0, 30]]), typos: true, unavailable: "last" } as const;
  return (index.search(query).get(0) ?? []).map(({ externalId, score }) => {
    const entry = catalog.entry(externalId);
    return [entry?.kind === "product" ? entry.handle : "", score];
  });
}
