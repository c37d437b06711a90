import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { locateDatabase, openDatabase } from "../../src/storage/open-database.ts";
import { runCommand } from "../support/command.ts";
import { startS3Server } from "../support/s3-server.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";

const shared = await mkdtemp(join(tmpdir(), "vitrine-shared-"));
/** Languages of the store. Each combination has its own index. */
const locales = { default: "en", others: [] };
/** A stopped store that has written its index to the shared storage. */
let storeDir = "";

before(async () => {
  storeDir = await makeStore({
    hasTheme: false,
    // Each run of doctor checks the theme.
    themeFiles: { "layout/theme.liquid": "{{ content_for_header }}{{ content_for_layout }}" },
    config: { locales, server: { threads: 1, sharedIndex: shared } },
  });
  const app = await createApp({ storeDir, logLevel: "silent" });
  await until(async () => Number((await read("SELECT MAX(revision) AS value FROM index_builders"))[0]?.value) > 0);
  await app.close();
});
after(async () => {
  for (const dir of [storeDir, shared]) await rm(dir, { recursive: true });
});

async function read(sql: string) {
  const database = await openDatabase(locateDatabase(join(storeDir, "data"), undefined));
  try {
    return await database.read(sql);
  } finally {
    await database.close();
  }
}

/** Runs doctor with another storage.  @returns its exit code, and the result of the check */
async function examine(location: string, env: Readonly<Record<string, string>> = {}): Promise<[number, string]> {
  const settings = { name: "Shop", currency: "USD", locales, server: { sharedIndex: location } };
  await writeFile(join(storeDir, "vitrine.config.ts"), `export default ${JSON.stringify(settings)};\n`);
  const { code, out } = await runCommand({ storeDir, env }, "doctor");
  return [code, /^shared index: (.*)$/m.exec(out)?.[1] ?? out];
}

/** Asserts the result of a storage.  @param isUsable whether servers can start */
async function assertFinding(
  expected: RegExp,
  location: string,
  env?: Readonly<Record<string, string>>,
  isUsable = true,
) {
  const [code, text] = await examine(location, env);
  assert.match(text, expected);
  assert.equal(code, isUsable ? 0 : 1);
}

test("the storage of an index that servers share has no findings, and is left as it was", async () => {
  for (const _ of ["the first time", "again"]) await assertFinding(/^ok \(\d+ files, 1 revisions/, shared);
});

test("doctor finds a folder that is not mounted, and one that is a file", async () => {
  await assertFinding(/^warning: .*none does not exist: mount the file server/, join(shared, "none"));
  await writeFile(join(storeDir, "file"), "");
  await assertFinding(/^warning: .*file cannot be used.*Check that it is reachable/, "file");
});

test("doctor finds a storage without the revision that servers use", async () => {
  const other = await mkdtemp(join(storeDir, "other-"));
  await assertFinding(/^warning: the storage lacks the index of revision 1.*name the same storage/, other);
});

test("doctor finds files that the builder could not remove", async () => {
  const dir = join(shared, "0123456789abcdef", "parts");
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "old"), "");
  const old = new Date(Date.now() - 90 * 24 * 3_600_000);
  await utimes(join(dir, "old"), old, old);
  await assertFinding(/^warning: 1 files, such as 0123456789abcdef\/parts\/old, .*permission to delete/, shared);
  await rm(join(shared, "0123456789abcdef"), { recursive: true });
});

test("doctor finds missing credentials, an unavailable bucket, and one that replaces files", async () => {
  const server = await startS3Server();
  const location = `s3://${server.bucket}/shop`;
  try {
    await assertFinding(/^error: .*AWS_ACCESS_KEY_ID: set it/, location, {}, false);
    await assertFinding(/^warning: the storage lacks the index of revision 1/, location, server.environment);
    assert.equal(server.objects.size, 0, "nothing is left in the bucket");
    server.setConditional(false);
    await assertFinding(/^warning: the storage replaces files.*conditional writes/, location, server.environment);
    server.setClock(-600_000);
    server.setConditional(true);
    await assertFinding(/^warning: .* 6\d\d s ahead of the storage: set both clocks/, location, server.environment);
    await server.close();
    await assertFinding(/^warning: s3:.* cannot be used.*read, write, list, and delete/, location, server.environment);
  } finally {
    await server.close().catch(() => undefined);
  }
});
