import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { endRollbackStatement, startRollback } from "../../src/storage/catalog/index-builders.ts";
import { importRows, row, titles } from "../support/product-rows.ts";
import { openS3 } from "../support/s3-server.ts";
import {
  closeAll,
  createServerFolder,
  makeSharedStore,
  openSharedServer,
  untilRevision,
  untilShared,
} from "../support/shared-servers.ts";

for (const kind of ["a folder", "S3"] as const)
  test(`a rollback shows an earlier revision from ${kind} until it ends`, async (context) => {
    const store = await makeSharedStore(kind === "S3" ? await openS3(context) : undefined);
    const servers = [await openSharedServer(store), await openSharedServer(store)];
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

test("a rollback to a revision without a shared index does not stop the builder", async () => {
  const store = await makeSharedStore();
  await importRows(store, [row(7, "Beacon")]);
  await store.database.write([startRollback(1)]);
  const builder = await openSharedServer(store);
  await untilShared(store, 2);
  const reader = await openSharedServer(store);
  assert.deepEqual(reader.built, []);
  assert.deepEqual(titles(reader, "beacon7"), ["Beacon7"]);
  await closeAll(store, builder, reader);
});

test("a rollback soon after a full build needs no file", async () => {
  const store = await makeSharedStore();
  const folders = [createServerFolder(store), createServerFolder(store)] as const;
  const servers = [
    await openSharedServer(store, store.file, folders[0]),
    await openSharedServer(store, store.file, folders[1]),
  ];
  await untilShared(store, 1);
  await importRows(store, manyRows("Mistake"));
  await untilShared(store, 2);
  for (const server of servers) await untilRevision(server, 2);
  assert.deepEqual(servers[0]?.built, ["whole", "whole"]);
  const partsDir = join(store.location, readdirSync(store.location)[0] ?? "", "parts");
  for (const dir of [...folders.map((folder) => folder.dir), partsDir])
    for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true });
  await store.database.write([startRollback(1)]);
  for (const server of servers) {
    await untilRevision(server, 1);
    assert.deepEqual([titles(server, "lantern7"), titles(server, "mistake7")], [["Lantern7"], []]);
  }
  await closeAll(store, ...servers);
});

/** Returns rows that are too many for a delta. */
const manyRows = (word: string) => Array.from({ length: 5_001 }, (_, number) => row(number, word));
