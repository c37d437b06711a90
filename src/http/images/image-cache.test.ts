import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { createImageCache } from "./image-cache.ts";

const hour = 3_600_000;
const folder = await mkdtemp(join(tmpdir(), "vitrine-pictures-"));
after(() => rm(folder, { recursive: true, force: true }));

test("above the size limit only the least recently used images are deleted", async () => {
  const dir = join(folder, "bounded");
  let now = Math.floor(Date.now() / 1_000) * 1_000;
  const warnings: unknown[] = [];
  const cache = createImageCache({
    dir,
    maxBytes: 1_000,
    now: () => now,
    log: { warn: (line: unknown) => warnings.push(line) },
  });
  for (const [index, name] of ["aa/1.webp", "bb/2.webp", "cc/3.webp"].entries()) {
    await cache.put(name, new Uint8Array(300));
    const time = (now - (10 - index) * hour) / 1_000;
    await utimes(join(dir, name), time, time);
  }
  // Reading the oldest image makes it the most recently used one.
  assert.deepEqual(await cache.find("aa/1.webp"), { root: dir, path: "/aa/1.webp" });
  await cache.put("dd/4.webp", new Uint8Array(300));
  const remainingNames = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith(".webp")).sort();
  assert.deepEqual(
    remainingNames,
    ["aa/1.webp", "cc/3.webp", "dd/4.webp"].map((name) => join(name)),
  );
  assert.equal(await cache.find("bb/2.webp"), undefined);
  now += 2 * hour;
  await cache.find("cc/3.webp");
  assert.equal((await stat(join(dir, "cc/3.webp"))).mtimeMs, now);
  assert.deepEqual(warnings, []);
});

test("an unwritable folder causes no error and is logged", async () => {
  const dir = join(folder, "file");
  await writeFile(dir, "");
  const warnings: unknown[] = [];
  const cache = createImageCache({
    dir,
    maxBytes: 1_000,
    now: () => 0,
    log: { warn: (line: unknown) => warnings.push(line) },
  });
  await cache.put("aa/1.webp", new Uint8Array(3));
  assert.equal(await cache.find("aa/1.webp"), undefined);
  assert.equal(warnings.length, 1);
});

test("several threads store the same images at once", async () => {
  const dir = join(folder, "threads");
  const script = `
    const { parentPort, workerData } = require("node:worker_threads");
    const warnings = [];
    import(workerData.module).then(async ({ createImageCache }) => {
      const log = { warn: ({ error }) => warnings.push(error.message) };
      const cache = createImageCache({ dir: workerData.dir, maxBytes: 1e9, now: Date.now, log });
      for (let number = 0; number < 100; number += 1) await cache.put(number + ".webp", new Uint8Array(100_000));
      parentPort.postMessage(warnings);
    });`;
  const workerData = { dir, module: new URL("./image-cache.ts", import.meta.url).href };
  const workers = Array.from({ length: 4 }, () => new Worker(script, { eval: true, workerData }));
  const warnings = await Promise.all(workers.map((worker) => once(worker, "message")));
  assert.deepEqual(warnings.flat(2), []);
  const sizes = (await readdir(dir)).map(async (name) => (await stat(join(dir, name))).size);
  assert.deepEqual(await Promise.all(sizes), Array(100).fill(100_000));
});
