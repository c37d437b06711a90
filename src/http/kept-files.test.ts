import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { contentVersion } from "../theme/files/asset-files.ts";
import { createKeptFiles } from "./kept-files.ts";

const version = contentVersion("text");

test("the same bytes each time, until there is too much: then what was not asked for longest goes", async () => {
  const files = createKeptFiles(250);
  const ask = (key: string) => files.bytes(key, { version, text: key.repeat(100) });
  const one = await ask("a");
  assert.equal(await ask("a"), one);
  const two = await ask("b");
  assert.equal(await ask("a"), one);
  await ask("c");
  assert.equal(await ask("a"), one);
  assert.notEqual(await ask("b"), two);
});

test("who asks while a file is read gets the same bytes, and a file too long to keep is none", async (t) => {
  const dir = await temporaryFolder(t);
  const files = createKeptFiles();
  const [short, long] = [join(dir, "short"), join(dir, "long")];
  await writeFile(short, "text");
  await writeFile(long, Buffer.alloc(4 * 1_024 * 1_024 + 1));
  const [one, other] = await Promise.all([
    files.bytes("s", { version, path: short }),
    files.bytes("s", { version, path: short }),
  ]);
  assert.equal(String(one), "text");
  assert.equal(one, other);
  assert.equal(await files.bytes("l", { version, path: long }), undefined);
});

test("a file that could not be read is read when it can", async (t) => {
  const path = join(await temporaryFolder(t), "file");
  const files = createKeptFiles();
  await mkdir(path);
  await assert.rejects(async () => files.bytes("x", { version, path }), { code: "EISDIR" });
  await rmdir(path);
  await writeFile(path, "text");
  assert.equal(String(await files.bytes("x", { version, path })), "text");
});

test("a file that changed since its version was computed is none, until it is as it was", async (t) => {
  const path = join(await temporaryFolder(t), "file");
  const files = createKeptFiles();
  await writeFile(path, "other");
  assert.equal(await files.bytes("x", { version, path }), undefined);
  await writeFile(path, "text");
  assert.equal(String(await files.bytes("x", { version, path })), "text");
});

test("a file that is gone is none", async () => {
  assert.equal(await createKeptFiles().bytes("x", { version, path: "/no/such/file" }), undefined);
});

async function temporaryFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-files-"));
  t.after(() => rm(dir, { recursive: true }));
  return dir;
}
