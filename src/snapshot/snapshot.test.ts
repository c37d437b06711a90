import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { globSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { importFiles } from "../../test/support/import-files.ts";
import { until } from "../../test/support/until.ts";
import type { Product } from "../catalog/product.ts";
import type { Database } from "../storage/database.ts";
import { migrate } from "../storage/migrate.ts";
import { connectSqlite, openSqlite } from "../storage/sqlite/sqlite.ts";
import { system } from "../system.ts";
import type { BaseLayer } from "./build.ts";
import { createSnapshotBuilder } from "./builder.ts";
import type { SnapshotContent } from "./feed.ts";
import { createIndexFolder } from "./index-files.ts";
import { createCatalogLayers } from "./layers.ts";
import { openSnapshots, type Snapshots } from "./open-snapshots.ts";
import { createSnapshotSenders } from "./transferred-parts.ts";

type Json = Readonly<Record<string, unknown>>;

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-snapshot-"));
});
after(() => rm(dir, { recursive: true, force: true }));

test("a running shop shows changes: small ones layered, large ones rebuilt, none while the database is unavailable", async () => {
  const file = join(dir, "vitrine.db");
  const database = await openSqlite(file);
  await migrate(database);
  const snapshots = await open(file, database);
  const firstSnapshot = snapshots.currentSnapshot();
  assert.equal(firstSnapshot.catalog.numbers("product").length, 0);
  await importProducts(database, 0, 40);
  await until(() => snapshots.currentSnapshot().catalog.numbers("product").length === 40);
  assert.equal(firstSnapshot.catalog.numbers("product").length, 0, "a request keeps the snapshot it began with");
  assert.deepEqual(titlesFound(snapshots, "lantern7"), ["Lantern7"]);

  const beacon = { kind: "product", id: 8, handle: "l7", title: "Beacon7", variants: [{ price: 5 }] };
  await writeRows([beacon]);
  await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows.jsonl" }], { ...system, currency: "USD" });
  await until(() => snapshots.currentSnapshot().catalog.product("l7")?.title === "Beacon7");
  assert.deepEqual(titlesFound(snapshots, "lantern7"), []);
  assert.deepEqual(titlesFound(snapshots, "beacon7"), ["Beacon7"]);

  await importProducts(database, 0, 5_100);
  await until(() => snapshots.currentSnapshot().catalog.numbers("product").length === 5_100);
  assert.deepEqual(titlesFound(snapshots, "lantern5099"), ["Lantern5099"]);

  await writeRows([beacon]);
  await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows.jsonl" }], {
    ...system,
    currency: "USD",
    prune: true,
  });
  await until(() => snapshots.currentSnapshot().catalog.numbers("product").length === 1);
  await database.close();
  await assert.rejects(snapshots.refresh());
  assert.equal(snapshots.currentSnapshot().catalog.product("l7")?.title, "Beacon7");
  await snapshots.close();
});

test("a stop while the index is saved leaves no unfinished file, even if this thread was busy", async () => {
  const file = join(dir, "stopped.db");
  const database = await openSqlite(file);
  await migrate(database);
  await importProducts(database, 0, 3_000);
  const indexDir = join(dir, "index");
  await mkdir(indexDir);
  const locales = { default: "en", others: [] };
  const folder = createIndexFolder(indexDir, locales, 0);
  const builder = createSnapshotBuilder({ source: { file }, database, locales, folder, onSaveError: assert.ifError });
  const build = builder.base(true).catch(() => undefined);
  const sizeOf = (name: string): number => statSync(join(indexDir, name), { throwIfNoEntry: false })?.size ?? 0;
  const listFiles = (): readonly string[] => globSync(["*.index", ".part*/*"], { cwd: indexDir });
  // The messages of the build thread wait until this thread is no longer busy. A blocked thread leaves it the processor.
  const blocker = new Int32Array(new SharedArrayBuffer(4));
  while (!listFiles().some((name) => sizeOf(name) > 0)) Atomics.wait(blocker, 0, 0, 1);
  await builder.close();
  await build;
  assert.deepEqual(globSync(".part*", { cwd: indexDir }), []);
  await database.close();
});

test("a change by any thread of the process is searchable before the next poll", async () => {
  const file = join(dir, "wake.db");
  const database = await openSqlite(file);
  const otherThread = connectSqlite(database.connect);
  await migrate(database);
  const snapshots = await open(file, { ...database, pollIntervalMs: 3_600_000 });
  await importProducts(database, 0, 2);
  await until(() => titlesFound(snapshots, "lantern1").length === 1);
  await importProducts(otherThread, 0, 4);
  await until(() => titlesFound(snapshots, "lantern3").length === 1);
  await snapshots.close();
  await otherThread.close();
  await database.close();
});

test("ties have the same order in a layered and in a rebuilt index", async () => {
  const file = join(dir, "equals.db");
  const database = await openSqlite(file);
  await migrate(database);
  const twinProducts = [1, 2, 3, 4].map((id) => ({
    kind: "product",
    id,
    handle: `t${id}`,
    title: "Twin",
    variants: [{ price: 1 }],
  }));
  const change = async (rows: readonly Json[], snapshots?: Snapshots) => {
    const previousRevision = snapshots?.currentSnapshot().revision;
    await writeRows(rows);
    const options = { ...system, currency: "USD", prune: true };
    await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows.jsonl" }], options);
    if (snapshots !== undefined) await until(() => snapshots.currentSnapshot().revision !== previousRevision);
  };
  await change(twinProducts);
  await change([...twinProducts.slice(0, 1), ...twinProducts.slice(2)]);
  const firstSnapshot = await open(file, database);
  assert.deepEqual(searchResults(firstSnapshot, "twin"), ["t1", "t3", "t4"]);
  // The second product returns to its former position, and the new product comes last.
  await change(
    [...twinProducts, { kind: "product", id: 5, handle: "t5", title: "Twin", variants: [{ price: 1 }] }],
    firstSnapshot,
  );
  const layeredResults = [
    searchResults(firstSnapshot, "twin"),
    searchResults(firstSnapshot, "tw"),
    searchResults(firstSnapshot, "twni"),
  ];
  await firstSnapshot.close();
  const secondSnapshots = await open(file, database);
  assert.deepEqual(layeredResults, [
    searchResults(secondSnapshots, "twin"),
    searchResults(secondSnapshots, "tw"),
    searchResults(secondSnapshots, "twni"),
  ]);
  assert.deepEqual(layeredResults[0], ["t1", "t2", "t3", "t4", "t5"]);
  await secondSnapshots.close();
  await database.close();
});

function open(file: string, database: Database): Promise<Snapshots> {
  const log = { hasInfo: false, info() {}, warn() {}, recurring() {}, error() {} };
  const config = { locales: { default: "en", others: [] } };
  const newId = randomUUID;
  return openSnapshots({ source: { file }, database, config, synonyms: () => [], log, newId });
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
  const { errors } = await importFiles(database, [{ path: join(dir, "rows.jsonl"), name: "rows" }], {
    ...system,
    currency: "USD",
  });
  assert.deepEqual(errors.firstErrors, []);
}

async function writeRows(rows: readonly Json[]): Promise<void> {
  await writeFile(join(dir, "rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
}

function titlesFound(snapshots: Snapshots, text: string): unknown[] {
  return productsFound(snapshots, text, false).map(({ title }) => title);
}

function searchResults(snapshots: Snapshots, text: string): unknown[] {
  return productsFound(snapshots, text, true).map(({ handle }) => handle);
}

function productsFound(snapshots: Snapshots, text: string, typos: boolean): Product[] {
  const { catalog, index } = snapshots.currentSnapshot();
  const limits = new Map([[0, 5]]);
  const hits = index.search({ text, locale: "en", limits, typos, unavailable: "last" }).get(0) ?? [];
  return hits.map(({ externalId: number }) => catalog.entry(number)).filter((entry) => entry?.kind === "product");
}

test("a base that a rollback sends again stays in use until the thread has released both copies", () => {
  const senders = createSnapshotSenders();
  const sender = senders.connect();
  const [newBase, oldBase] = [{}, {}] as unknown as readonly [BaseLayer, BaseLayer];
  const send = (baseLayer: BaseLayer): number => {
    const layers = createCatalogLayers(baseLayer);
    return sender.prepare({ layers } as SnapshotContent).base.id;
  };
  const id = send(newBase);
  const oldId = send(oldBase);
  assert.equal(send(newBase), id);
  assert.equal(send(newBase), id, "only the number is sent");
  sender.release(id);
  assert.equal(senders.find(id), newBase);
  sender.release(oldId);
  sender.release(id);
  assert.deepEqual([senders.find(id), senders.find(oldId)], [undefined, undefined]);
});
