import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createIndexFolder, type IndexFolder } from "../../src/snapshot/index-files.ts";
import { listSharedRevisions } from "../../src/snapshot/shared/list-revisions.ts";
import type { ObjectStore } from "../../src/snapshot/shared/object-store.ts";
import { openObjectStore } from "../../src/snapshot/shared/open-object-store.ts";
import { openSnapshots, type Snapshots } from "../../src/snapshot/snapshot.ts";
import { endRollbackStatement, startRollback } from "../../src/storage/catalog/index-builders.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { system } from "../../src/system.ts";
import { importRows, row, search, titles } from "../support/product-rows.ts";
import { openS3, type S3Server, startS3Server } from "../support/s3-server.ts";
import { until } from "../support/until.ts";

/** A database, and the storage of the index that its servers share. */
interface SharedStore {
  readonly file: string;
  readonly database: Database;
  readonly location: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface Server extends Snapshots {
  /** Kinds of index builds, "whole" or "changes", in order. */
  readonly built: string[];
  readonly warnings: string[];
}

const locales = { default: "en", others: [] };
const count = 30;

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-shared-index-"));
});
after(() => rm(dir, { recursive: true, force: true }));

for (const kind of ["a folder", "S3"] as const) {
  test(`one server builds the index, and the others read it from ${kind}`, async (context) => {
    const store = await makeStore(kind === "S3" ? await openS3(context) : undefined);
    const builder = await open(store);
    await untilShared(store, 1);
    const reader = await open(store);
    assert.deepEqual([builder.built, reader.built], [["whole"], []]);
    for (const [revision, word] of [
      [2, "Beacon"],
      [3, "Torch"],
    ] as const) {
      await importRows(store, [row(7, word), row(count + revision, word)]);
      await builder.refresh();
      await untilRevision(reader, revision);
    }
    assert.deepEqual([builder.built, reader.built], [["whole", "changes", "changes"], []]);
    for (const text of ["torch7", "torch33", "lantern", "l"])
      assert.deepEqual(search(reader, text), search(builder, text));
    assert.deepEqual(titles(reader, "torch7"), ["Torch7"]);
    const late = await open(store);
    assert.deepEqual(search(late, "torch"), search(builder, "torch"));
    assert.deepEqual(late.built, []);
    assert.deepEqual([...builder.warnings, ...reader.warnings, ...late.warnings], []);
    await closeAll(store, builder, reader, late);
  });

  test(`a rollback shows an earlier revision from ${kind} until it ends`, async (context) => {
    const store = await makeStore(kind === "S3" ? await openS3(context) : undefined);
    const servers = [await open(store), await open(store)];
    await untilShared(store, 1);
    await importRows(store, [row(7, "Mistake")]);
    for (const server of servers) await untilRevision(server, 2);
    await untilShared(store, 2);
    await store.database.write([startRollback(1)]);
    for (const server of servers) {
      await untilRevision(server, 1);
      assert.deepEqual([titles(server, "lantern7"), titles(server, "mistake7")], [["Lantern7"], []]);
    }
    // Further imports are built, but not shown.
    await importRows(store, [row(7, "Correction")]);
    await untilShared(store, 3);
    assert.deepEqual(
      servers.map((server) => titles(server, "lantern7")),
      [["Lantern7"], ["Lantern7"]],
    );
    await store.database.write([endRollbackStatement]);
    for (const server of servers) {
      await untilRevision(server, 3);
      assert.deepEqual(titles(server, "correction7"), ["Correction7"]);
    }
    await closeAll(store, ...servers);
  });
}

test("a rollback to a revision without a shared index does not stop the builder", async () => {
  const store = await makeStore();
  await importRows(store, [row(7, "Beacon")]);
  await store.database.write([startRollback(1)]);
  const builder = await open(store);
  await untilShared(store, 2);
  const reader = await open(store);
  assert.deepEqual(reader.built, []);
  assert.deepEqual(titles(reader, "beacon7"), ["Beacon7"]);
  await closeAll(store, builder, reader);
});

test("the builder shares its index while old files are removed", async () => {
  const store = await makeStore();
  const objectStore = await openObjectStore(store.location, dir);
  const { promise: listPermission, resolve: permitList } = Promise.withResolvers<void>();
  const list = () => listPermission.then(objectStore.list);
  const builder = await open(store, store.file, folderOf(store), { ...objectStore, list });
  await untilShared(store, 1);
  await importRows(store, [row(7, "Beacon")]);
  await untilShared(store, 2);
  permitList();
  await closeAll(store, builder);
});

test("without its storage, each server builds its own index with one warning", async (context) => {
  const s3 = await startS3Server();
  context.after(s3.close);
  const store = await makeStore(s3);
  s3.setAvailable(false);
  const servers = [await open(store), await open(store)];
  await importRows(store, [row(7, "Beacon")]);
  for (const server of servers) {
    await untilRevision(server, 2);
    assert.deepEqual(titles(server, "beacon7"), ["Beacon7"]);
    assert.equal(server.built[0], "whole");
  }
  await until(() => servers.some(({ warnings }) => warnings.length > 0));
  for (const { warnings } of servers) assert.ok(new Set(warnings).size <= 1, warnings.join("\n"));
  await closeAll(store, ...servers);
});

test("a server that finds a damaged file builds its own index", async (context) => {
  const s3 = await startS3Server();
  context.after(s3.close);
  const store = await makeStore(s3);
  const builder = await open(store);
  await untilShared(store, 1);
  for (const [key, bytes] of s3.objects) if (key.includes("/parts/")) bytes[100] = (bytes[100] ?? 0) ^ 1;
  const reader = await open(store);
  assert.deepEqual(reader.built, ["whole"]);
  assert.deepEqual(titles(reader, "lantern7"), ["Lantern7"]);
  assert.match(reader.warnings[0] ?? "", /builds its own index/);
  await closeAll(store, builder, reader);
});

test("a server that reads the shared index repairs a row that is damaged later", async () => {
  const store = await makeStore();
  const builder = await open(store, store.file, folderOf(store, 0));
  await untilShared(store, 1);
  const folder = folderOf(store, 0);
  const reader = await open(store, store.file, folder);
  const path = join(folder.dir, readdirSync(folder.dir)[0] ?? "");
  const bytes = readFileSync(path);
  bytes.write("Impostor", bytes.indexOf("Lantern7"));
  writeFileSync(path, bytes);
  assert.throws(() => reader.currentSnapshot().catalog.product("l7"), /is damaged/);
  await until(() => reader.currentSnapshot().catalog.product("l7")?.title === "Lantern7");
  await closeAll(store, builder, reader);
});

test("if the builder cannot build, another server becomes the builder", async () => {
  const store = await makeStore();
  const link = `${store.file}.link`;
  await symlink(store.file, link);
  const builder = await open(store, link);
  await untilShared(store, 1);
  const reader = await open(store);
  await rm(link);
  await importRows(store, [row(7, "Beacon")]);
  await untilRevision(reader, 2);
  assert.deepEqual(reader.built, ["changes"]);
  await untilShared(store, 2);
  await untilRevision(builder, 2);
  assert.deepEqual(builder.built.slice(0, 2), ["whole", "changes"], "the second build failed");
  await closeAll(store, builder, reader);
});

test("a builder adopts the index that another one has shared for the same revision", async () => {
  const store = await makeStore();
  const first = await open(store);
  await untilShared(store, 1);
  await importRows(store, [row(7, "Beacon")]);
  await untilRevision(first, 2);
  await untilShared(store, 2);
  await first.close();
  // The next builder does not know that revision 2 is shared, like one whose lease expired meanwhile.
  await store.database.write([{ sql: "UPDATE index_builders SET revision = 1, expires_at = 0", params: [] }]);
  const second = await open(store);
  await until(async () => {
    const [shared] = await store.database.read("SELECT revision FROM index_builders");
    return shared?.revision === 2;
  });
  assert.deepEqual(titles(second, "beacon7"), ["Beacon7"]);
  assert.deepEqual(second.warnings, []);
  await closeAll(store, second);
});

test("files that the last ten manifests do not use are removed after a day", async () => {
  const store = await makeStore();
  const server = await open(store);
  for (let revision = 1; revision <= 12; revision += 1) {
    await untilShared(store, revision);
    await importRows(store, [row(7, `Beacon${revision}x`)]);
  }
  await untilShared(store, 13);
  await server.close();
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  const files = readdirSync(store.location, { recursive: true, encoding: "utf8" });
  for (const file of files) utimesSync(join(store.location, file), twoDaysAgo, twoDaysAgo);
  const next = await open(store);
  await importRows(store, [row(7, "Torch")]);
  await untilShared(store, 14);
  let revisions: readonly number[] = [];
  await until(async () => {
    revisions = await listSharedRevisions(await openObjectStore(store.location, dir), folderOf(store), store.database);
    return revisions.length === 10;
  });
  assert.deepEqual(revisions, [14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
  const fresh = await open(store);
  assert.deepEqual([titles(fresh, "torch7"), fresh.built], [["Torch7"], []]);
  await closeAll(store, next, fresh);
});

async function makeStore(s3?: S3Server): Promise<SharedStore> {
  const storeDir = await mkdtemp(join(dir, "store-"));
  const file = join(storeDir, "vitrine.db");
  const database = await openSqlite(file);
  await migrate(database);
  const location = s3 === undefined ? join(storeDir, "shared") : `s3://${s3.bucket}/shop-${randomUUID()}/index`;
  const store = { file, database, location, environment: s3?.environment ?? {} };
  await importRows(
    store,
    Array.from({ length: count }, (_, number) => row(number, "Lantern")),
  );
  return store;
}

/** @param maxTexts maximum bytes of a catalog's texts in memory */
function folderOf({ file }: SharedStore, maxTexts?: number): IndexFolder {
  return createIndexFolder(join(file, "..", "servers", randomUUID()), locales, maxTexts);
}

/** Opens a server with an empty folder.  @param file path of the database for builds */
async function open(
  store: SharedStore,
  file = store.file,
  folder = folderOf(store),
  objectStore?: ObjectStore,
): Promise<Server> {
  const { database, location, environment } = store;
  const warnings: string[] = [];
  const built: string[] = [];
  const warn = (_: unknown, text: string) => void warnings.push(text);
  const snapshots = await openSnapshots({
    ...{ source: { file }, database, config: { locales }, synonyms: () => noSynonyms, folder },
    log: { warn: () => {}, recurring: warn },
    sharedStore: objectStore ?? (await openObjectStore(location, dir, environment)),
    now: system.now,
    newId: randomUUID,
    onBuilt: (part: string) => void built.push(part),
  });
  return { ...snapshots, built, warnings };
}

const noSynonyms: readonly (readonly string[])[] = [];

async function closeAll({ database }: SharedStore, ...servers: readonly Server[]): Promise<void> {
  for (const server of servers) await server.close();
  await database.close();
}

async function untilShared({ database }: SharedStore, revision: number): Promise<void> {
  await until(async () => {
    const [builder] = await database.read("SELECT revision FROM index_builders");
    return builder?.revision === revision;
  });
}

async function untilRevision(server: Server, revision: number): Promise<void> {
  await until(() => server.currentSnapshot().revision === revision);
}
