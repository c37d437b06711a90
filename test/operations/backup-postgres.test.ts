import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { createApp } from "../../src/app.ts";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { query } from "../support/postgres-server.ts";
import type { CartJson } from "../support/replies.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { createEmptyDatabase, takePostgres } from "../support/test-database.ts";

const scratch = await mkdtemp(join(tmpdir(), "vitrine-backup-postgres-"));
const server = await takePostgres();
let storeDir = "";

before(async () => {
  storeDir = await makeStore({});
});
after(async () => {
  for (const dir of [scratch, storeDir]) await rm(dir, { recursive: true });
});

async function createDatabase(): Promise<string> {
  const url = new URL(await createEmptyDatabase(server));
  // Servers of tests accept any password; it must not appear in a message.
  url.password = "a pass@word";
  return url.href;
}

/** Returns why pg_dump cannot dump the server of the tests; false if it can. */
async function skipReason(): Promise<string | false> {
  const [row] = await query(server, "SELECT current_setting('server_version_num') AS version");
  const major = Math.floor(Number(row?.version) / 10_000);
  try {
    const { stdout } = await promisify(execFile)("pg_dump", ["--version"]);
    const isCurrent = Number(/\) (\d+)/.exec(stdout)?.[1]) >= major;
    return isCurrent ? false : `needs pg_dump ${major}, and this machine has: ${stdout.trim()}`;
  } catch {
    return "needs the command pg_dump";
  }
}

test("a PostgreSQL database is backed up while servers write, and restored with its carts", async (context) => {
  const reason = await skipReason();
  if (reason !== false) return context.skip(reason);
  const databaseUrl = await createDatabase();
  const app = await createApp({ storeDir, databaseUrl, secret: testSecret, logLevel: "silent" });
  after(() => app.close());
  const origin = await app.listen("127.0.0.1", 0);
  const client = createClient(origin);
  await add(client, variant.unlimited, 3);
  const backup = new AbortController();
  const others = (async () => {
    while (!backup.signal.aborted) await add(createClient(origin), variant.unlimited);
  })();
  const file = join(scratch, "backup.tar.gz");
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { code, err } = await runCommand({ storeDir, env }, "backup", "--out", file).finally(() => backup.abort());
  await others;
  assert.equal(code, 0, err);
  const names = (await unpackTar(gunzipSync(await readFile(file)))).map(({ header }) => header.name);
  assert.equal(names[0], "database.dump.000001");

  const restoredUrl = await createDatabase();
  const dir = join(scratch, "restored");
  const restoredEnv = { ...env, DATABASE_URL: restoredUrl, VITRINE_SECRET: testSecret };
  const restored = await runCommand({ storeDir, env: restoredEnv }, "restore", file, dir);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, /Search: results for "[^"]+": [1-9]/);
  const newApp = await createApp({ storeDir: dir, databaseUrl: restoredUrl, secret: testSecret, logLevel: "silent" });
  after(() => newApp.close());
  const newClient = createClient(await newApp.listen("127.0.0.1", 0));
  newClient.cookies.set("cart", client.cookies.get("cart") ?? "");
  assert.equal((await newClient.get("/cart.js")).json<CartJson>().item_count, 3);
  await assert.rejects(
    runCommand({ storeDir, env: restoredEnv }, "restore", file, join(scratch, "again")),
    /DATABASE_URL: the database is not empty: it has \d+ tables/,
  );
  await assert.rejects(
    runCommand({ storeDir, env: process.env }, "restore", file, join(scratch, "again")),
    /Create an empty database, set DATABASE_URL/,
  );
});

test("a missing, old, or failing pg_dump is reported with the next step, without the password", async (context) => {
  if (process.platform === "win32") return context.skip("needs programs without extension");
  const tools = await mkdtemp(join(scratch, "tools-"));
  const databaseUrl = await createDatabase();
  const app = await createApp({ storeDir, databaseUrl, secret: testSecret, logLevel: "silent" });
  await app.close();
  const file = join(scratch, "tools.tar.gz");
  const env = { DATABASE_URL: databaseUrl, PATH: tools };
  const backUp = () => runCommand({ storeDir, env }, "backup", "--out", file);
  await assert.rejects(backUp, /pg_dump was not found\. Install .*postgresql-client-\d+ .*PATH/);
  const write = async (lines: string): Promise<void> => {
    await writeFile(join(tools, "pg_dump"), `#!/bin/sh\n${lines}\n`);
    await chmod(join(tools, "pg_dump"), 0o755);
  };
  await write('echo "pg_dump (PostgreSQL) 9.6.24"');
  await assert.rejects(backUp, /pg_dump 9 is older than the server, PostgreSQL \d+\. Install/);
  await write(`case "$1" in --version) echo "pg_dump (PostgreSQL) 99.1";; *) echo "no rights: $*" >&2; exit 1;; esac`);
  env.PATH = `${tools}${delimiter}/bin`;
  await assert.rejects(backUp, (error: Error) => {
    assert.match(error.message, /pg_dump failed: no rights: --format=custom/);
    assert.doesNotMatch(error.message, /pass/);
    return true;
  });
});
