import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SetupError } from "../setup-error.ts";
import { readSecrets } from "./secrets.ts";

let dir = "";
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-secrets-"));
});
after(() => rm(dir, { recursive: true }));

test("a key is generated once, readable only by its owner, and read again", async () => {
  const firstSecrets = await readSecrets(dir, undefined, () => "a".repeat(64));
  const secondSecrets = await readSecrets(dir, undefined, () => "b".repeat(64));
  assert.deepEqual([firstSecrets, secondSecrets], [["a".repeat(64)], ["a".repeat(64)]]);
  assert.equal((await stat(join(dir, "secret"))).mode & 0o777, 0o600);
  assert.equal((await readFile(join(dir, "secret"), "utf8")).trim(), "a".repeat(64));
});

test("a key is generated if a full disk or a crash left an empty file, also by two processes at the same time", async () => {
  const emptyDir = await mkdtemp(join(tmpdir(), "vitrine-secrets-"));
  await writeFile(join(emptyDir, "secret"), "");
  assert.deepEqual(await readSecrets(emptyDir, undefined, () => "c".repeat(64)), ["c".repeat(64)]);
  await rm(join(emptyDir, "secret"));
  const [first, second] = await Promise.all(
    ["d", "e"].map((letter) => readSecrets(emptyDir, undefined, () => letter.repeat(64))),
  );
  assert.deepEqual(first, second);
  assert.deepEqual(await readdir(emptyDir), ["secret"]);
  await rm(emptyDir, { recursive: true });
});

test("configured keys override the file, in their order", async () => {
  const secretList = `${"x".repeat(32)}, ${"y".repeat(40)}`;
  assert.deepEqual(await readSecrets(dir, secretList, () => ""), ["x".repeat(32), "y".repeat(40)]);
});

test("a short key prevents the start with its source, and is not printed", async () => {
  const isSetupErrorWithoutSecret = (error: unknown): boolean =>
    error instanceof SetupError && !error.message.includes("hunter2");
  await assert.rejects(
    readSecrets(dir, "hunter2", () => ""),
    isSetupErrorWithoutSecret,
  );
  await writeFile(join(dir, "secret"), "hunter2");
  await assert.rejects(
    readSecrets(dir, undefined, () => ""),
    isSetupErrorWithoutSecret,
  );
});
