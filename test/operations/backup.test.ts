import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { packTar, unpackTar } from "modern-tar";
import { createApp, type LocalApp } from "../../src/app.ts";
import type { Manifest } from "../../src/backup/manifest.ts";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { type CommandResult, runCommand } from "../support/command.ts";
import type { CartJson } from "../support/replies.ts";
import { vitrine } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";

const scratch = await mkdtemp(join(tmpdir(), "vitrine-backup-test-"));
/** A name that needs an extended header, with characters that are special on other systems. */
const unusualName = `media/a:b\\c ${"ü".repeat(90)}/${"長".repeat(70)}.txt`;
let storeDir = "";
let app: LocalApp;
let origin = "";
/** A backup of the store with its secret. */
let file = "";

before(async () => {
  storeDir = await makeStore({
    storeFiles: {
      ...{ "search/synonyms.txt": "kettle = jug\n", ".env": "SMTP_URL=smtp://x", [unusualName]: "A" },
      ...{ "node_modules/x.js": "", "backup-old.tar.gz": "", "before-upgrade.tar.gz": "" },
    },
  });
  await symlink("..", join(storeDir, "theme", "cycle"));
  await symlink("nowhere", join(storeDir, "theme", "dangling"));
  app = await createApp({ storeDir, logLevel: "silent" });
  origin = await app.listen("127.0.0.1", 0);
  file = join(scratch, "backup.tar.gz");
  const { code, err } = await backUp("--out", file, "--with-secret");
  assert.equal(code, 0, err);
});
after(async () => {
  await app.close();
  for (const dir of [storeDir, scratch]) await rm(dir, { recursive: true });
});

function backUp(...args: readonly string[]): Promise<CommandResult> {
  return runCommand({ storeDir: scratch, env: {} }, "backup", "--store", storeDir, ...args);
}

function restore(from: string, dir: string, ...args: readonly string[]): Promise<CommandResult> {
  return runCommand({ storeDir: scratch, env: {} }, "restore", from, dir, ...args);
}

async function unpack(from: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = await unpackTar(gunzipSync(await readFile(from)));
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

/** Writes a changed copy of the backup. */
async function pack(entries: ReadonlyMap<string, Uint8Array>, type: "file" | "symlink" = "file"): Promise<string> {
  const members = [...entries].map(([name, body]) => ({
    header: { name, size: body.length, type, ...(type === "symlink" ? { linkname: "/etc/passwd" } : {}) },
    body,
  }));
  const changed = join(scratch, "changed.tar.gz");
  await writeFile(changed, gzipSync(await packTar(members), { level: 1 }));
  return changed;
}

async function packWithManifest(change: (manifest: Manifest) => object): Promise<string> {
  const entries = new Map(await unpack(file));
  const manifest = JSON.parse(Buffer.from(entries.get("manifest.json") ?? []).toString()) as Manifest;
  entries.set("manifest.json", Buffer.from(JSON.stringify({ ...manifest, ...change(manifest) })));
  return pack(entries);
}

test("carts of a backup made under load are on the restored server, for the cookies of the old one", async () => {
  const client = createClient(origin);
  await add(client, variant.unlimited);
  const backup = new AbortController();
  let confirmed = 1;
  const adding = (async () => {
    while (!backup.signal.aborted) {
      await add(client, variant.unlimited);
      confirmed += 1;
    }
  })();
  const before = confirmed;
  const loaded = join(scratch, "loaded.tar.gz");
  const { code, err } = await backUp("--out", loaded, "--with-secret").finally(() => backup.abort());
  await adding;
  assert.equal(code, 0, err);

  const dir = join(scratch, "restored");
  const restored = await restore(loaded, dir);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, /Restored .*restored: \d+ rows in \d+ tables[\s\S]*Search: results for ".+": [1-9]/);
  const revision = app.shop.snapshot().catalog.revision;
  const newApp = await createApp({ storeDir: dir, logLevel: "silent" });
  after(() => newApp.close());
  const newClient = createClient(await newApp.listen("127.0.0.1", 0));
  newClient.cookies.set("cart", client.cookies.get("cart") ?? "");
  const count = (await newClient.get("/cart.js")).json<CartJson>().item_count;
  assert.ok(count >= before && count <= confirmed, `${before} <= ${count} <= ${confirmed}`);
  assert.equal(newApp.shop.snapshot().catalog.revision, revision);
  assert.equal(await readFile(join(dir, unusualName), "utf8"), "A");
});

test("a backup with a wrong variable is rejected before anything is written", async () => {
  const out = join(scratch, "rejected.tar.gz");
  const env = { CART_DATABASE_URLS: "a=mysql://host/shop" };
  const args = ["--store", storeDir, "--out", out] as const;
  await assert.rejects(runCommand({ storeDir: scratch, env }, "backup", ...args), /CART_DATABASE_URLS: entry 1/);
  assert.ok(!existsSync(out));
});

test("a backup has the files of the store without secrets, packages, caches, and earlier backups", async () => {
  const members = await unpack(file);
  const names = [...members.keys()];
  for (const name of [
    "vitrine.config.ts",
    "catalog/shop.jsonl",
    "search/synonyms.txt",
    "data/vitrine.db",
    "data/secret",
  ])
    assert.ok(names.includes(`store/${name}`), name);
  assert.deepEqual(
    names.filter((name) => /\.env|node_modules|\.tar\.gz|cycle|dangling|data\/(?:index|compiled|.*lock)/.test(name)),
    [],
  );
  const withoutSecret = join(scratch, "without-secret.tar.gz");
  const { err } = await backUp("--out", withoutSecret);
  assert.match(err, /lacks the secret/);
  assert.ok(!(await unpack(withoutSecret)).has("store/data/secret"));
});

test("only the owner can read a backup and the restored data, whatever the umask", async () => {
  const { finished } = vitrine(["backup", "--store", storeDir, "--out", join(scratch, "open.tar.gz")], "umask 000");
  assert.equal((await finished).code, 0);
  const target = join(scratch, "open");
  assert.equal((await vitrine(["restore", join(scratch, "open.tar.gz"), target], "umask 000").finished).code, 0);
  const modes = ["open.tar.gz", "open/data", "open/data/vitrine.db"].map(async (name) =>
    ((await stat(join(scratch, name))).mode & 0o777).toString(8),
  );
  assert.deepEqual(await Promise.all(modes), ["600", "700", "600"]);
});

test("a backup to stdout is complete, and an incomplete one is reported", async () => {
  const copy = join(scratch, "stdout.tar.gz");
  const toFile = vitrine(["backup", "--store", storeDir, "--out", "-"], `exec >'${copy}'`);
  assert.equal((await toFile.finished).code, 0);
  assert.ok((await unpack(copy)).has("manifest.json"));
  if (existsSync("/dev/full")) {
    const { code, stderr } = await vitrine(["backup", "--store", storeDir, "--out", "-"], "exec >/dev/full").finished;
    assert.equal(code, 1);
    assert.match(stderr, /the backup is incomplete: the disk is full/);
  }
  assert.doesNotMatch((await readdir(join(storeDir, "data"))).join(" "), /(?:^| )\./);
});

test("the data alone is restored into a store whose data folder is empty, such as a new volume", async () => {
  const small = join(scratch, "small");
  await mkdir(join(small, "data", "lost+found"), { recursive: true });
  await cp(join(storeDir, "vitrine.config.ts"), join(small, "vitrine.config.ts"));
  const { code, out, err } = await restore(file, small, "--data-only");
  assert.equal(code, 0, err);
  assert.match(out, /Search: results for "[^"]+": [1-9]/);
  assert.deepEqual((await readdir(small)).sort(), ["data", "vitrine.config.ts"]);
});

test("every change of the content, and every missing end, is rejected before anything is put into place", async () => {
  const small = join(scratch, "smaller");
  assert.equal((await restore(file, small)).code, 0);
  await rm(join(small, "theme"), { recursive: true });
  const smallFile = join(scratch, "small.tar.gz");
  assert.equal((await runCommand({ storeDir: small, env: {} }, "backup", "--out", smallFile)).code, 0);
  const bytes = await readFile(smallFile);
  const content = gunzipSync(bytes);
  const target = join(scratch, "target");
  const change = fc.record({ isCut: fc.boolean(), at: fc.integer({ min: 10, max: bytes.length - 1 }), bit: fc.nat(7) });
  await fc.assert(
    fc.asyncProperty(change, async ({ isCut, at, bit }) => {
      const damaged = Buffer.from(isCut ? bytes.subarray(0, at) : bytes);
      if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      // The last byte of a compressed block has bits without meaning.
      fc.pre(isCut || !hasContent(damaged, content));
      await writeFile(join(scratch, "changed.tar.gz"), damaged);
      await assert.rejects(restore(join(scratch, "changed.tar.gz"), target), /damaged|incomplete|unsafe|not a file/);
      assert.ok(!existsSync(target));
    }),
    { numRuns: 40 },
  );
});

/** Returns whether a compressed file is intact and has a content. */
function hasContent(bytes: Buffer, content: Buffer): boolean {
  try {
    return gunzipSync(bytes).equals(content);
  } catch {
    return false;
  }
}

const rejections: Readonly<Record<string, { readonly make: () => Promise<string>; readonly message: RegExp }>> = {
  "a changed file": {
    make: async () => pack(new Map(await unpack(file)).set("store/catalog/shop.jsonl", Buffer.from("{}\n"))),
    message: /store\/catalog\/shop\.jsonl has another SHA-256/,
  },
  "a missing file": {
    make: async () => pack(new Map([...(await unpack(file))].filter(([name]) => name !== "store/vitrine.config.ts"))),
    message: /store\/vitrine\.config\.ts is missing/,
  },
  "an additional file": {
    make: async () => pack(new Map([...(await unpack(file)), ["store/hooks.ts", Buffer.from("")]])),
    message: /its manifest lacks store\/hooks\.ts/,
  },
  "a file outside of the store": {
    make: () => pack(new Map([["store/../../evil", Buffer.from("")]])),
    message: /unsafe name/,
  },
  "a symbolic link": {
    make: () => pack(new Map([["store/media", Buffer.from("")]]), "symlink"),
    message: /store\/media: the backup has a member that is not a file/,
  },
  "another number of rows": {
    make: () => packWithManifest(({ tables }) => ({ tables: { ...tables, carts: 1_000 } })),
    message: /table carts has \d+ rows instead of 1000/,
  },
  "a newer schema": {
    make: () => packWithManifest(() => ({ schemaVersion: 10_000, compatibleFrom: 9_999 })),
    message: /migrated by a newer version of Vitrine/,
  },
  "a newer format": { make: () => packWithManifest(() => ({ format: 2 })), message: /Use the version of Vitrine that/ },
  "another file": {
    make: async () => join(storeDir, "vitrine.config.ts"),
    message: /damaged, incomplete, or not a backup/,
  },
};

for (const [name, { make, message }] of Object.entries(rejections))
  test(`a backup with ${name} is rejected, and the folder stays as it was`, async () => {
    const existing = await mkdtemp(join(scratch, "existing-"));
    await assert.rejects(restore(await make(), existing), message);
    assert.deepEqual(await readdir(existing), []);
    assert.ok(!existsSync(join(scratch, "evil")));
  });

test("a backup with a newer schema that supports this version is restored", async () => {
  const newer = await packWithManifest(() => ({ schemaVersion: 10_000 }));
  assert.equal((await restore(newer, join(scratch, "newer-restored"))).code, 0);
});

test("a restore does not migrate the database of an older version", async () => {
  const older = join(scratch, "older");
  assert.equal((await restore(file, older)).code, 0);
  const execute = (dir: string, sql: string) => {
    const database = new DatabaseSync(join(dir, "data/vitrine.db"));
    const row = database.prepare(sql).get();
    database.close();
    return row;
  };
  execute(older, "UPDATE schema_versions SET version = version - 1");
  const { version } = execute(older, "SELECT MAX(version) AS version FROM schema_versions") ?? {};
  const olderFile = join(scratch, "older.tar.gz");
  assert.equal((await runCommand({ storeDir: older, env: {} }, "backup", "--out", olderFile)).code, 0);
  const target = join(scratch, "older-restored");
  assert.match((await restore(olderFile, target)).out, /Search: not checked, because the backup is of an older/);
  assert.deepEqual({ ...execute(target, "SELECT MAX(version) AS version FROM schema_versions") }, { version });
});

test("a restore never replaces files, and a backup never replaces another or becomes part of the store", async () => {
  const config = await readFile(join(storeDir, "vitrine.config.ts"), "utf8");
  await assert.rejects(restore(file, storeDir), /is not empty: it contains .*A restore never replaces data/);
  await assert.rejects(restore(file, storeDir, "--data-only"), /data: is not empty/);
  assert.equal(await readFile(join(storeDir, "vitrine.config.ts"), "utf8"), config);
  await assert.rejects(backUp("--out", file), /backup\.tar\.gz: exists already/);
  for (const name of ["shop.tgz", "media/shop.tar.gz"])
    await assert.rejects(backUp("--out", join(storeDir, name)), /would be part of the store: choose .*backup-2/, name);
});

test("a store without a database, or without a secret, is reported", async () => {
  const empty = await mkdtemp(join(scratch, "empty-"));
  const out = join(scratch, "empty.tar.gz");
  const backUpEmpty = (...args: readonly string[]): Promise<CommandResult> =>
    runCommand({ storeDir: scratch, env: {} }, "backup", "--store", empty, "--out", out, ...args);
  await assert.rejects(backUpEmpty(), /has no database yet/);
  // A first import that failed leaves an empty file.
  await mkdir(join(empty, "data"));
  await writeFile(join(empty, "data", "vitrine.db"), "");
  await assert.rejects(backUpEmpty(), /has no database yet/);
  await assert.rejects(backUpEmpty("--with-secret"), /has no secret. Set VITRINE_SECRET/);
  assert.ok(!existsSync(out));
});
