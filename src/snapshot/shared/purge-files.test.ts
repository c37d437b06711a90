import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectStore } from "./object-store.ts";
import { createFilePurger } from "./purge-files.ts";

const indexId = "a1b2";
const dayMs = 24 * 3_600_000;

test("part lists are read in parallel, and once", async () => {
  const files = makeManifests(100, 0);
  const { store, reads } = makeStore(files);
  const purger = createFilePurger(store, indexId);
  await purger.purge(undefined, () => true);
  assert.equal(reads.names.length, 100);
  assert.ok(reads.maxParallel > 1);
  files.set(manifestName(101), 0);
  await purger.purge(undefined, () => true);
  assert.deepEqual(reads.names.slice(100), [manifestName(101)]);
});

test("a part that is written again during a purge is not removed", async () => {
  const files = makeManifests(1, 0)
    .set(partName(7), -2 * dayMs)
    .set(partName(8), -2 * dayMs);
  const { store } = makeStore(files);
  const purger = createFilePurger({ ...store, list: listAndWrite }, indexId);
  async function listAndWrite() {
    const objects = await store.list();
    await purger.store.write(partName(7), new Uint8Array());
    return objects;
  }
  await purger.purge(undefined, () => true);
  assert.deepEqual([files.has(partName(7)), files.has(partName(8))], [true, false]);
});

test("a purge that must stop while it reads manifests removes nothing", async () => {
  const files = makeManifests(1, 0).set(partName(7), -2 * dayMs);
  await createFilePurger(makeStore(files).store, indexId).purge(undefined, () => false);
  assert.equal(files.size, 2);
});

test("a storage with 200,000 objects can be purged", async () => {
  const files = makeManifests(1, 0);
  for (let number = 0; number < 200_000; number += 1) files.set(`${indexId}/parts/${number}`, 0);
  files.set(partName(7), -2 * dayMs);
  await createFilePurger(makeStore(files).store, indexId).purge(undefined, () => true);
  assert.equal(files.has(partName(7)), false);
});

test("an incomplete file that a crash left among the manifests does not stop a purge", async () => {
  const partialName = `${indexId}/manifests/.part-Ab12/part`;
  const files = makeManifests(1, 0)
    .set(partialName, -2 * dayMs)
    .set(partName(7), -2 * dayMs);
  const { store, reads } = makeStore(files);
  await createFilePurger(store, indexId).purge(undefined, () => true);
  assert.deepEqual([...files.keys()], [manifestName(1)]);
  assert.deepEqual(reads.names, [manifestName(1)]);
});

function manifestName(revision: number): string {
  return `${indexId}/manifests/${revision}-${String(revision).padStart(32, "0")}.json`;
}

function partName(number: number): string {
  return `${indexId}/parts/${String(number).padStart(64, "0")}`;
}

/** Returns the names of manifests with their times in milliseconds. */
function makeManifests(count: number, modifiedAt: number): Map<string, number> {
  return new Map(Array.from({ length: count }, (_, index) => [manifestName(index + 1), modifiedAt]));
}

/** Creates a storage whose manifests all have the part 1.  @param files time of each object, relative to now */
function makeStore(files: Map<string, number>) {
  const reads = { names: [] as string[], parallel: 0, maxParallel: 0 };
  const manifest = {
    revision: 1,
    files: [{ revision: 1, version: "delta", bytes: 1, parts: [partName(1).slice(-64)] }],
  };
  const store: ObjectStore = {
    async read(name) {
      reads.names.push(name);
      reads.parallel += 1;
      reads.maxParallel = Math.max(reads.maxParallel, reads.parallel);
      await new Promise(setImmediate);
      reads.parallel -= 1;
      return name.includes(".part-") ? new Uint8Array() : Buffer.from(JSON.stringify(manifest));
    },
    write: async (name) => void files.set(name, 0),
    create: async () => true,
    list: async () => Array.from(files, ([name, time]) => ({ name, modifiedAt: 100 * dayMs + time })),
    remove: async (name) => void files.delete(name),
  };
  return { store, reads };
}
