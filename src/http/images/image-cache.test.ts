import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
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
