import assert from "node:assert/strict";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { listSharedRevisions } from "../../src/snapshot/shared/list-revisions.ts";
import { openObjectStore } from "../../src/snapshot/shared/open-object-store.ts";
import { importRows, row, search, titles } from "../support/product-rows.ts";
import { openS3, startS3Server } from "../support/s3-server.ts";
import {
  closeAll,
  createServerFolder,
  makeSharedStore,
  openSharedServer,
  productCount,
  untilRevision,
  untilShared,
} from "../support/shared-servers.ts";
import { until } from "../support/until.ts";

for (const kind of ["a folder", "S3"] as const) {
  test(`one server builds the index, and the others read it from ${kind}`, async (context) => {
    const store = await makeSharedStore(kind === "S3" ? await openS3(context) : undefined);
    const builder = await openSharedServer(store);
    await untilShared(store, 1);
    const reader = await openSharedServer(store);
    assert.deepEqual([builder.built, reader.built], [["whole"], []]);
    for (const [revision, word] of [
      [2, "Beacon"],
      [3, "Torch"],
    ] as const) {
      await importRows(store, [row(7, word), row(productCount + revision, word)]);
      await builder.refresh();
      await untilRevision(reader, revision);
    }
    assert.deepEqual([builder.built, reader.built], [["whole", "changes", "changes"], []]);
    for (const text of ["torch7", "torch33", "lantern", "l"])
      assert.deepEqual(search(reader, text), search(builder, text));
    assert.deepEqual(titles(reader, "torch7"), ["Torch7"]);
    const late = await openSharedServer(store);
    assert.deepEqual(search(late, "torch"), search(builder, "torch"));
    assert.deepEqual(late.built, []);
    assert.deepEqual([...builder.warnings, ...reader.warnings, ...late.warnings], []);
    await closeAll(store, builder, reader, late);
  });
}

test("the builder shares its index while old files are removed", async () => {
  const store = await makeSharedStore();
  const objectStore = await openObjectStore(store.location, store.storeDir);
  const { promise: listPermission, resolve: permitList } = Promise.withResolvers<void>();
  const list = () => listPermission.then(objectStore.list);
  const builder = await openSharedServer(store, store.file, createServerFolder(store), { ...objectStore, list });
  await untilShared(store, 1);
  await importRows(store, [row(7, "Beacon")]);
  await untilShared(store, 2);
  permitList();
  await closeAll(store, builder);
});

test("without its storage, each server builds its own index with one warning", async (context) => {
  const s3 = await startS3Server();
  context.after(s3.close);
  const store = await makeSharedStore(s3);
  s3.setAvailable(false);
  const servers = [await openSharedServer(store), await openSharedServer(store)];
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
  const store = await makeSharedStore(s3);
  const builder = await openSharedServer(store);
  await untilShared(store, 1);
  for (const [key, bytes] of s3.objects) if (key.includes("/parts/")) bytes[100] = (bytes[100] ?? 0) ^ 1;
  const reader = await openSharedServer(store);
  assert.deepEqual(reader.built, ["whole"]);
  assert.deepEqual(titles(reader, "lantern7"), ["Lantern7"]);
  assert.match(reader.warnings[0] ?? "", /builds its own index/);
  await closeAll(store, builder, reader);
});

test("a server that reads the shared index repairs a row that is damaged later", async () => {
  const store = await makeSharedStore();
  const builder = await openSharedServer(store, store.file, createServerFolder(store, 0));
  await untilShared(store, 1);
  const folder = createServerFolder(store, 0);
  const reader = await openSharedServer(store, store.file, folder);
  const path = join(folder.dir, readdirSync(folder.dir)[0] ?? "");
  const bytes = readFileSync(path);
  bytes.write("Impostor", bytes.indexOf("Lantern7"));
  writeFileSync(path, bytes);
  assert.throws(() => reader.currentSnapshot().catalog.product("l7"), /is damaged/);
  await until(() => reader.currentSnapshot().catalog.product("l7")?.title === "Lantern7");
  await closeAll(store, builder, reader);
});

test("if the builder cannot build, another server becomes the builder", async () => {
  const store = await makeSharedStore();
  const link = `${store.file}.link`;
  await symlink(store.file, link);
  const builder = await openSharedServer(store, link);
  await untilShared(store, 1);
  const reader = await openSharedServer(store);
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
  const store = await makeSharedStore();
  const first = await openSharedServer(store);
  await untilShared(store, 1);
  await importRows(store, [row(7, "Beacon")]);
  await untilRevision(first, 2);
  await untilShared(store, 2);
  await first.close();
  // The next builder does not know that revision 2 is shared, like one whose lease expired meanwhile.
  await store.database.write([{ sql: "UPDATE index_builders SET revision = 1, expires_at = 0", params: [] }]);
  const second = await openSharedServer(store);
  await until(async () => {
    const [shared] = await store.database.read("SELECT revision FROM index_builders");
    return shared?.revision === 2;
  });
  assert.deepEqual(titles(second, "beacon7"), ["Beacon7"]);
  assert.deepEqual(second.warnings, []);
  await closeAll(store, second);
});

test("files that the last ten manifests do not use are removed after a day", async () => {
  const store = await makeSharedStore();
  const server = await openSharedServer(store);
  for (let revision = 1; revision <= 12; revision += 1) {
    await untilShared(store, revision);
    await importRows(store, [row(7, `Beacon${revision}x`)]);
  }
  await untilShared(store, 13);
  await server.close();
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  const files = readdirSync(store.location, { recursive: true, encoding: "utf8" });
  for (const file of files) utimesSync(join(store.location, file), twoDaysAgo, twoDaysAgo);
  const next = await openSharedServer(store);
  await importRows(store, [row(7, "Torch")]);
  await untilShared(store, 14);
  let revisions: readonly number[] = [];
  await until(async () => {
    revisions = await listSharedRevisions(
      await (await openObjectStore(store.location, store.storeDir)).list(),
      createServerFolder(store),
      store.database,
    );
    return revisions.length === 10;
  });
  assert.deepEqual(revisions, [14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
  const fresh = await openSharedServer(store);
  assert.deepEqual([titles(fresh, "torch7"), fresh.built], [["Torch7"], []]);
  await closeAll(store, next, fresh);
});
