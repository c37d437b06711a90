import assert from "node:assert/strict";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { makeStore } from "../support/shop.ts";

const scratch = await mkdtemp(join(tmpdir(), "vitrine-doctor-"));
/** A stopped store with one cart, which each test copies. */
let healthy = "";

before(async () => {
  healthy = await makeStore({ hasTheme: false });
  const app = await createApp({ storeDir: healthy, logLevel: "silent" });
  await add(createClient(await app.listen("127.0.0.1", 0)), variant.unlimited);
  await app.close();
});
after(async () => {
  for (const dir of [healthy, scratch]) await rm(dir, { recursive: true });
});

type Lines = ReadonlyMap<string, string>;

/** Runs doctor.  @returns its exit code, and the text of each check */
async function examine(storeDir: string, env: Readonly<Record<string, string>> = {}): Promise<[number, Lines]> {
  const { code, out } = await runCommand({ storeDir, env }, "doctor");
  const lines = out.trimEnd().split("\n");
  return [code, new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]))];
}

interface Fault {
  readonly check: string;
  /** Environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly plant?: (storeDir: string) => Promise<unknown>;
  /** Problem and next step. */
  readonly message: RegExp;
}

const write = (path: string, text: string) => async (storeDir: string) => writeFile(join(storeDir, path), text);
const settings = (more: object) =>
  write("vitrine.config.ts", `export default ${JSON.stringify({ name: "Shop", currency: "USD", ...more })};\n`);
const execute = (sql: string) => async (storeDir: string) => {
  const database = new DatabaseSync(join(storeDir, "data/vitrine.db"));
  database.exec(sql);
  database.close();
};
const otherSecret = "another-secret-0123456789-0123456789";

const faults: Readonly<Record<string, Fault>> = {
  "an unknown setting": {
    check: "settings",
    plant: settings({ colour: "red" }),
    message: /^error: .*vitrine\.config\.ts:1: colour .*Correct the setting/,
  },
  "a damaged page of the database": {
    check: "database",
    plant: async (storeDir) => {
      const file = await open(join(storeDir, "data/vitrine.db"), "r+");
      const { size } = await file.stat();
      await file.write(Buffer.alloc(size / 2, 170), 0, size / 2, size / 2);
      await file.close();
    },
    message: /^error: .*vitrine\.db.* damaged.*[Rr]estore a backup/,
  },
  "a file that is no database": {
    check: "database",
    plant: write("data/vitrine.db", "Not a database. ".repeat(1_000)),
    message: /^error: .*damaged, or no database.*restore a backup/,
  },
  "a database of a newer version": {
    check: "database",
    plant: execute("INSERT INTO schema_versions VALUES (10000, 9999, '9.0.0')"),
    message: /^error: .*migrated by a newer version of Vitrine.*Install Vitrine 9\.0\.0 or later, or restore a backup/,
  },
  "a database of an older version": {
    check: "database",
    plant: execute("DELETE FROM schema_versions WHERE version = (SELECT MAX(version) FROM schema_versions)"),
    message: /^warning: its tables are of an older version.*"vitrine backup"/,
  },
  "a database server that is down": {
    check: "database",
    env: { DATABASE_URL: "postgres://shop@127.0.0.1:1/shop" },
    message: /^error: DATABASE_URL: cannot be used: .*ECONNREFUSED.*Check that the server is running/,
  },
  "a lost secret": {
    check: "keys",
    plant: (storeDir) => rm(join(storeDir, "data/secret")),
    message: /^warning: .*data\/secret is missing.*restore the file from a backup/,
  },
  "a short secret": {
    check: "keys",
    env: { VITRINE_SECRET: "secret" },
    message: /^error: VITRINE_SECRET: a key must have at least 32 characters\. Make one with/,
  },
  "a secret that others can read": {
    check: "keys",
    plant: (storeDir) => chmod(join(storeDir, "data/secret"), 0o644),
    message: /^warning: other users .*run "chmod 600 /,
  },
  "a replaced secret": {
    check: "keys",
    env: { VITRINE_SECRET: otherSecret },
    message: /^warning: VITRINE_SECRET lacks the key in .*data\/secret.*add it to VITRINE_SECRET/,
  },
  "servers with different secrets": {
    check: "keys",
    env: { DATABASE_URL: "postgres://shop@127.0.0.1:1/shop" },
    message: /^warning: VITRINE_SECRET is not set, so every server on this database.*set VITRINE_SECRET/,
  },
  "a disk without space": {
    check: "disk",
    plant: async (storeDir) => {
      // A file with holes, larger than the free space.
      await mkdir(join(storeDir, "data/index"), { recursive: true });
      await writeFile(join(storeDir, "data/index/large"), "");
      await truncate(join(storeDir, "data/index/large"), 15e12);
    },
    message: /^warning: \d+ MB are free for .*may need 15\d+ MB: free some space/,
  },
  "files of an interrupted backup": {
    check: "disk",
    plant: (storeDir) => mkdir(join(storeDir, "data/.vitrine-backup-a1B2c3")),
    message: /^warning: .*\.vitrine-backup-a1B2c3 is left from an interrupted command.*delete it/,
  },
  "a clock that was set back": {
    check: "clock",
    plant: execute(`UPDATE carts SET updated_at = ${Date.now() + 3_600_000}`),
    message: /^warning: the clock of this machine is 3\d{3} s behind the newest cart: set the clock/,
  },
  "settings from the future": {
    check: "clock",
    plant: (storeDir) => utimes(join(storeDir, "vitrine.config.ts"), new Date(), new Date(Date.now() + 3_600_000)),
    message: /^warning: .* behind the newest change of the settings: set the clock/,
  },
  "an untrusted proxy": {
    check: "proxy",
    plant: write("data/untrusted-proxy.json", '{"trustProxy":false,"proxy":"127.0.0.1"}'),
    message: /^warning: X-Forwarded headers from 127\.0\.0\.1 are ignored.*set trustProxy/,
  },
  "a theme with an error": {
    check: "theme",
    plant: write("theme/layout/theme.liquid", "\n{% if %}"),
    message: /^warning: theme\/layout\/theme\.liquid:2: .*Run "vitrine check"/,
  },
  "a live theme that does not exist": {
    check: "theme",
    plant: async (storeDir) => {
      await mkdir(join(storeDir, "themes"));
      await write("themes/live", "summer")(storeDir);
    },
    message: /^warning: themes\/live: names the theme "summer", which does not exist: copy it to themes\//,
  },
  "hooks that cannot be loaded": {
    check: "hooks",
    plant: async (storeDir) => {
      await settings({ hooks: "hooks.ts" })(storeDir);
      await write("hooks.ts", "export default { pay: () => 1 };")(storeDir);
    },
    message: /^error: .*hooks\.ts: pay is not a hook.*Correct the module/,
  },
  "a file in place of the data folder": {
    check: "disk",
    plant: async (storeDir) => {
      await rm(join(storeDir, "data"), { recursive: true });
      await write("data", "")(storeDir);
    },
    message: /^error: .*data: a file exists in place of a folder: move the file/,
  },
  "an invalid search rule": {
    check: "search rules",
    plant: async (storeDir) => {
      await mkdir(join(storeDir, "search"));
      await write("search/rules.txt", "pin everywhere\n")(storeDir);
    },
    message: /^warning: search\/rules\.txt.*Correct the line/,
  },
  "another version in package.json": {
    check: "versions",
    plant: write("package.json", '{"dependencies":{"vitrine":"99.0.0"}}'),
    message: /^warning: package\.json of the store names Vitrine 99\.0\.0.*run "npm install"/,
  },
  "a missing mail server in the environment": {
    check: "mail",
    plant: settings({ mail: { from: "shop@shop.example" } }),
    message: /^warning: mail\.from is set, but mail\.smtp is not.*set the environment variable/,
  },
  "a mail server that is down": {
    check: "mail",
    plant: settings({ mail: { from: "shop@shop.example", smtp: "smtp://127.0.0.1:1" } }),
    message: /^warning: 127\.0\.0\.1:1 does not accept email: .*ECONNREFUSED.*Check host, port/,
  },
  "a wrong password of the mail server": {
    check: "mail",
    plant: async (storeDir) => {
      const { port } = await startMailReceiver({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(new Error("Invalid login")),
      });
      const smtp = `smtp://shop:wrong-password@127.0.0.1:${port}`;
      await settings({ mail: { from: "shop@shop.example", smtp } })(storeDir);
    },
    message: /^warning: 127\.0\.0\.1:\d+ does not accept email: .*Invalid login.*user, and password in mail\.smtp/,
  },
  "an event that was given up": {
    check: "events",
    plant: execute(
      `INSERT INTO events (id, type, order_key, payload, created_at, position) VALUES ('e', 'ping', 'k', '{}', 1, 1);
       INSERT INTO event_deliveries (event_id, destination, order_key, position, state, attempts, due_at) VALUES ('e', 'mail', 'k', 1, 'dead', 9, 1)`,
    ),
    message: /^warning: 1 delivery was given up: see the reasons with "vitrine events list"/,
  },
};

test("a healthy store has no findings, and its secret is not printed", async () => {
  const [code, lines] = await examine(healthy);
  assert.equal(code, 0);
  assert.deepEqual(
    [...lines].filter(([, text]) => !text.startsWith("ok")),
    [],
  );
  assert.equal(lines.size, 11);
  const secret = await readFile(join(healthy, "data/secret"), "utf8");
  assert.doesNotMatch([...lines.values()].join(), new RegExp(secret.trim()));
});

test("doctor says how to log in to a console without tokens", async () => {
  const storeDir = await mkdtemp(join(scratch, "store-"));
  await cp(healthy, storeDir, { recursive: true, preserveTimestamps: true });
  await settings({ console: true })(storeDir);
  const consoleLine = async () => (await examine(storeDir))[1].get("console");
  assert.match((await consoleLine()) ?? "", /^ok \(nobody has logged in yet; open the link that the server prints/);
  await createApiToken({ storeDir, env: {} }, "console");
  assert.equal(await consoleLine(), "ok");
  await rm(storeDir, { recursive: true });
});

test("doctor creates no database and no secret", async () => {
  const storeDir = await makeStore({});
  const [code, lines] = await examine(storeDir);
  assert.deepEqual([code, lines.get("database")?.includes("the first start creates it")], [0, true]);
  await assert.rejects(stat(join(storeDir, "data")));
  await rm(storeDir, { recursive: true });
});

test("doctor does not take a data folder that it cannot read for a missing one", async () => {
  const storeDir = await makeStore({});
  // The superuser may read every folder, but cannot follow a link to itself.
  await symlink("data", join(storeDir, "data"));
  const [code, lines] = await examine(storeDir);
  assert.equal(code, 1);
  for (const check of ["database", "keys", "disk"])
    assert.match(lines.get(check) ?? "", /^error: .*data.*: symbolic links form a loop: correct or remove them/, check);
  await rm(storeDir, { recursive: true });
});

for (const [name, { check, plant, env = {}, message }] of Object.entries(faults))
  test(`doctor finds ${name}, and only that`, async (context) => {
    if (process.platform === "win32" && /chmod|truncate/.test(String(plant)))
      return context.skip("needs a POSIX system");
    const storeDir = await mkdtemp(join(scratch, "store-"));
    await cp(healthy, storeDir, { recursive: true, preserveTimestamps: true });
    // The default theme, which the first test checks, has a hundred files.
    await mkdir(join(storeDir, "theme/layout"), { recursive: true });
    await write("theme/layout/theme.liquid", "{{ content_for_header }}{{ content_for_layout }}")(storeDir);
    await plant?.(storeDir);
    const [code, lines] = await examine(storeDir, env);
    assert.match(lines.get(check) ?? "", message);
    const findings = [...lines].filter(([, text]) => !text.startsWith("ok"));
    assert.equal(code, findings.some(([, text]) => text.startsWith("error: ")) ? 1 : 0);
    const expected = env.DATABASE_URL === undefined ? [check] : ["database", "keys"];
    assert.deepEqual(
      findings.map(([found]) => found),
      expected,
    );
    assert.doesNotMatch(findings.join(), /wrong-password|another-secret/);
    await rm(storeDir, { recursive: true });
  });
