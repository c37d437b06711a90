import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { hashContent } from "../theme/files/asset-files.ts";
import { createFileCache } from "./file-cache.ts";

const version = hashContent("text");

test("the array of a file stays the same until the least recently used files are removed", async () => {
  const files = createFileCache(250);
  const readBytes = (key: string) => files.bytes(key, { version, text: key.repeat(100) });
  const first = await readBytes("a");
  assert.equal(await readBytes("a"), first);
  const second = await readBytes("b");
  assert.equal(await readBytes("a"), first);
  await readBytes("c");
  assert.equal(await readBytes("a"), first);
  assert.notEqual(await readBytes("b"), second);
});

test("requests that arrive while a file is read share its bytes; a file that is too long has none", async (t) => {
  const dir = await temporaryFolder(t);
  const files = createFileCache();
  const [shortFile, longFile] = [join(dir, "short"), join(dir, "long")];
  await writeFile(shortFile, "text");
  await writeFile(longFile, Buffer.alloc(4 * 1_024 * 1_024 + 1));
  const [first, second] = await Promise.all([
    files.bytes("s", { version, path: shortFile }),
    files.bytes("s", { version, path: shortFile }),
  ]);
  assert.equal(String(first), "text");
  assert.equal(first, second);
  assert.equal(await files.bytes("l", { version, path: longFile }), undefined);
});

test("a file that could not be read is read again", async (t) => {
  const path = join(await temporaryFolder(t), "file");
  const files = createFileCache();
  await mkdir(path);
  await assert.rejects(async () => files.bytes("x", { version, path }), { code: "EISDIR" });
  await rmdir(path);
  await writeFile(path, "text");
  assert.equal(String(await files.bytes("x", { version, path })), "text");
});

test("a file that changed since its version was computed has no bytes until it is restored", async (t) => {
  const path = join(await temporaryFolder(t), "file");
  const files = createFileCache();
  await writeFile(path, "other");
  assert.equal(await files.bytes("x", { version, path }), undefined);
  await writeFile(path, "text");
  assert.equal(String(await files.bytes("x", { version, path })), "text");
});

test("a missing file has no bytes", async () => {
  assert.equal(await createFileCache().bytes("x", { version, path: "/no/such/file" }), undefined);
});

async function temporaryFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-files-"));
  t.after(() => rm(dir, { recursive: true }));
  return dir;
}
