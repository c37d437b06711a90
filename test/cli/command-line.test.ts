import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { commands } from "../../src/cli/commands.ts";
import { runProgram } from "../support/command.ts";
import { serve, vitrine } from "../support/server-process.ts";
import { makeStore, openShop, startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const scratch = await mkdtemp(join(tmpdir(), "vitrine-cli-"));
after(() => rm(scratch, { recursive: true, force: true }));

/** Runs a command in this process, with the exit code of `main.ts` for an error. */
async function run(
  name: string,
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const verb = await commands.get(name)?.load();
  const code = await verb
    ?.run(args, { cwd: scratch, stdout, stderr, env: {}, program: "vitrine" })
    .catch((error: Error) => {
      stderr.write(error.message);
      return 1;
    });
  stdout.end();
  stderr.end();
  const [out, errors] = await written;
  return { code: code ?? -1, stdout: out, stderr: errors };
}

for (const name of ["init", "serve", "import", "export", "search", "check", "forget"]) {
  test(`vitrine ${name} --help answers on stdout and ends with 0; wrong usage ends with 2`, async () => {
    const help = await run(name, "--help");
    assert.deepEqual([help.code, help.stderr], [0, ""]);
    assert.match(help.stdout, new RegExp(`vitrine ${name}`));
    const invalidResult = await run(name, "--no-such-flag");
    assert.deepEqual([invalidResult.code, invalidResult.stdout], [2, ""]);
    assert.ok(invalidResult.stderr.includes("--no-such-flag"), invalidResult.stderr);
  });
}

test("vitrine init creates a store that passes check except for shipping rates and invoices, and leaves a non-empty folder unchanged", async () => {
  const dir = join(scratch, "new-store");
  const initResult = await run("init", dir, "--preset", "art");
  assert.equal(initResult.code, 0, initResult.stderr);
  const names = await readdir(dir);
  for (const name of ["vitrine.config.ts", "catalog"]) assert.ok(names.includes(name), name);
  const checked = await run("check", dir);
  assert.equal(checked.code, 0);
  // The merchant has to set shipping rates, and data of invoices and policies.
  const warnings = ["(no-shipping-rates)", "(incomplete-invoices)", "(unfilled-page)"];
  assert.deepEqual(checked.stdout.match(/\([a-z-]+\)$/gm), warnings, checked.stdout);
  const server = await openShop(dir);
  const home = await (await fetch(server.origin)).text();
  await server.close();
  assert.match(home, /<nav id="main-navigation".*<a href="\/collections\/all">/s);
  assert.match(home, /<html[^>]* class="palette-art heading-instrument-serif serif">/);
  assert.doesNotMatch(home, /\[\[|Introduce your shop|\/pages\//, "the home page links no page with placeholders");
  const settings = readFileSync(join(dir, "vitrine.config.ts"), "utf8");
  await writeFile(
    join(dir, "vitrine.config.ts"),
    settings.replace("locales:", "menus: { main: [], footer: [] }, locales:"),
  );
  const unnamed = await run("check", dir);
  assert.match(unnamed.stdout, /header\.liquid:\d+:\d+: warning: no menu "main-menu": "menus" .* has "main", "footer"/);
  assert.equal((await run("init", dir)).code, 1);
});

/** Runs a command on a folder. A command with a compile cache in the store runs in a child process without NODE_COMPILE_CACHE, which would move
 *  the cache. */
async function runOn(dir: string, args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const [name = "", ...commandArguments] = [...args.map((one) => one.replace("rows", join(scratch, "rows"))), dir];
  if (!["serve", "import", "search"].includes(name)) return run(name, ...commandArguments);
  return vitrine([name, ...commandArguments], "unset NODE_COMPILE_CACHE").finished;
}

for (const args of [
  ["serve"],
  ["import", "rows.jsonl", "--store"],
  ["export", "--store"],
  ["search", "rain", "--store"],
  ["forget", "--all", "--store"],
]) {
  test(`vitrine ${args[0]} rejects a missing folder and does not create it`, async () => {
    const dir = join(scratch, "nowhere");
    await writeFile(join(scratch, "rows.jsonl"), "");
    const { code, stderr } = await runOn(dir, args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /nowhere: no such folder\. Make a store with "(node \S+main\.\w+|vitrine) init /);
    assert.equal(existsSync(dir), false);
  });
}

for (const args of [
  ["serve", "--port", "0"],
  ["import", "rows.jsonl", "--store"],
  ["export", "--store"],
  ["search", "rain", "--store"],
  ["forget", "--all", "--store"],
  ["check"],
]) {
  test(`vitrine ${args[0]} rejects a folder without settings and creates no store in it`, async () => {
    const dir = join(scratch, "no-store");
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "notes.txt"), "");
    const { code, stderr } = await runOn(dir, args);
    assert.equal(code, 1, stderr);
    assert.match(
      stderr,
      /no-store:? is (not a store: .* "(node \S+main\.\w+|vitrine) init <new folder>"|neither a store)/,
    );
    assert.deepEqual(await readdir(dir), ["notes.txt"]);
  });
}

test("messages name other commands in the form in which the user calls them", async () => {
  const store = join(scratch, "named");
  const npx = { npm_lifecycle_event: "npx" };
  await runProgram(["init", store], npx);
  for (const [command, args] of [
    ["orders list", ["orders", "show", "1001"]],
    ["events list", ["events", "show", "none"]],
    ["token create", ["token", "list"]],
    ["token list", ["token", "revoke", "none"]],
  ] as const)
    assert.match((await runProgram([...args, "--store", store], npx)).err, new RegExp(`"npx vitrine ${command}"`));
});

test("vitrine init prints the serve command in the form it was called with", async () => {
  const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
  const npm = { npm_lifecycle_event: "vitrine", npm_command: "run-script" };
  const viaNpm = await runProgram(["init", join(scratch, "by-npm")], npm);
  assert.match(viaNpm.out, /Next: npm run -s vitrine -- serve \S*by-npm\n$/);
  const viaNpx = await runProgram(["init", join(scratch, "by-npx")], { npm_lifecycle_event: "npx" });
  assert.match(viaNpx.out, /Next: npx vitrine serve \S*by-npx\n$/);
  const plainResult = await runProgram(["init", join(scratch, "by itself")]);
  assert.ok(plainResult.out.includes(`Next: node ${main} serve "`), plainResult.out);
  const link = join(scratch, "bin", "vitrine");
  await mkdir(join(scratch, "bin"));
  await symlink(main, link);
  const installed = await promisify(execFile)(process.execPath, [link, "init", join(scratch, "installed")]);
  assert.match(installed.stdout, /Next: vitrine serve \S*installed\n$/);
});

test("vitrine init excludes the database and its secret from git", async () => {
  const dir = join(scratch, "in-git");
  assert.equal((await run("init", dir)).code, 0);
  const git = (...args: string[]) => promisify(execFile)("git", ["-C", dir, ...args]);
  await git("init", "-q");
  await mkdir(join(dir, "data"));
  await writeFile(join(dir, "data", "secret"), "s");
  const { stdout } = await git("status", "--porcelain", "--untracked-files=all");
  assert.ok(stdout.includes("vitrine.config.ts") && !stdout.includes("data/"), stdout);
});

test("vitrine import names a folder without a catalog and imports nothing", async () => {
  const dir = join(scratch, "mixed");
  await mkdir(join(dir, "empty"), { recursive: true });
  await writeFile(join(dir, "pages.jsonl"), '{"handle":"a","title":"A"}\n');
  const files = [join(dir, "empty"), join(dir, "pages.jsonl")];
  const { code, stderr } = await run("import", "--store", dir, ...files);
  assert.equal(code, 2);
  assert.ok(stderr.includes(`${files[0]}: there is no catalog file in that folder`), stderr);
  assert.deepEqual((await readdir(dir)).sort(), ["empty", "pages.jsonl"]);
});

test("vitrine search reads the stored index of a server and stores none", async () => {
  const storeDir = await makeStore({});
  const data = join(storeDir, "data");
  const found = async () => (await run("search", "--store", storeDir, "raincoat")).stdout.includes("Harbour Raincoat");
  try {
    assert.equal((await run("import", "--store", storeDir, join(storeDir, "catalog"))).code, 0);
    assert.equal(await found(), true);
    assert.equal(existsSync(join(data, "index")), false);
    const server = await serve(storeDir);
    const isKept = async () => (await readdir(join(data, "index"))).some((name) => name.endsWith(".index"));
    await until(isKept, "the server writes its index");
    server.child.kill("SIGTERM");
    await server.finished;
    // The rows are deleted, so results come from the stored index.
    const database = new DatabaseSync(join(data, "vitrine.db"));
    database.exec("DELETE FROM catalog_rows");
    database.close();
    assert.equal(await found(), true);
    await rm(join(data, "index"), { recursive: true });
    assert.equal(await found(), false);
  } finally {
    await rm(storeDir, { recursive: true, force: true });
  }
});

test("a dry run changes nothing", async () => {
  const shop = await startShop();
  const file = join(scratch, "pages.jsonl");
  await writeFile(file, '{"handle":"about","title":"Astrolabes"}\n');
  try {
    const dry = await run("import", "--store", shop.storeDir, "--dry-run", file);
    assert.equal(dry.code, 0, dry.stderr);
    const { stdout } = await run("search", "--store", shop.storeDir, "--json", "astrolabes");
    assert.ok(!stdout.includes('"Astrolabes"'), stdout);
  } finally {
    await shop.close();
  }
});

test("unreadable settings are reported with their line", async () => {
  const dir = join(scratch, "broken-settings");
  await mkdir(dir);
  for (const name of ["vitrine.config.js", "vitrine.config.ts"]) {
    const file = join(dir, name);
    await writeFile(file, 'export default {\n  name: "A"\n  currency: "USD",\n};\n');
    const broken = await run("check", dir);
    assert.ok(broken.stderr.startsWith(`${file}:3: cannot be read: `), broken.stderr);
    assert.match(broken.stderr, /[^.]\. Check that line and the line before it\.$/);
    await rm(file);
  }
});

test("an invalid setting prevents the start", async () => {
  const storeDir = await makeStore({ rows: [], config: { currency: "EURO" } });
  const { code, stderr } = await vitrine(["serve", storeDir, "--port", "0"]).finished;
  assert.equal(code, 1);
  assert.match(stderr, /^vitrine: \S+vitrine\.config\.ts:2: currency must be .*\n$/);
  await rm(storeDir, { recursive: true, force: true });
});
