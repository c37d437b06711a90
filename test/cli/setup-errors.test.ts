// Tests the first steps in a git checkout. Each error must name its cause, its path, and the next step.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { runCommand, runProgram } from "../support/command.ts";
import { npm, npmCommand, plainEnv } from "../support/packed.ts";
import { serve as serveByCommand } from "../support/run-guide.ts";
import { main, serve, stopServer, vitrine } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";

const scratch = await realpath(await mkdtemp(join(tmpdir(), "vitrine-newcomer-")));
const store = join(scratch, "shop");
after(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
before(() => init(store));

async function init(dir: string): Promise<void> {
  const { code, err } = await runProgram(["init", dir]);
  assert.equal(code, 0, err);
}

async function refusal(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await vitrine(args).finished;
  return checkRefusal(code, stdout, stderr);
}

/** Like {@link refusal}, for errors before a store is opened. */
async function earlyRefusal(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, out, err } = await runProgram(args, env);
  return checkRefusal(code, out, err);
}

function checkRefusal(code: number | null, stdout: string, stderr: string): string {
  assert.notEqual(code, 0, stdout);
  assert.doesNotMatch(stderr, /^ {4}at /m, "no stack");
  return stderr;
}

test("npm start serves a store made by a checkout, and its README names working commands", async () => {
  const dir = join(scratch, "my shop");
  await init(dir);
  const readme = await readFile(join(dir, "README.md"), "utf8");
  assert.match(readme, /^npm run -s vitrine -- check /m);
  assert.doesNotMatch(readme, /npx vitrine|npm install/);
  const { stderr } = await npm(["run", "-s", "vitrine", "--", "check"], dir);
  assert.match(stderr, /my shop: no errors, 3 warnings\.$/m);
  const [file, ...args] = npmCommand();
  const env = { ...plainEnv(), PORT: "0" };
  const server = await serveByCommand(file, [...args, "start", "--", "--threads", "1"], { cwd: dir, env });
  assert.equal((await fetch(server.origin)).status, 200);
  await server.stop();
});

test("a failed init leaves no files, so that it can be repeated", async () => {
  const dir = join(scratch, "full disk");
  const { code, stderr } = await vitrine(["init", dir], "ulimit -f 40").finished;
  assert.equal(code, 1, stderr);
  assert.deepEqual(await readdir(dir), []);
});

test("a missing export is reported with the path that was read", async () => {
  for (const missing of [join(scratch, "products_exprot.csv"), join(scratch, "no-folder")]) {
    const { code, err } = await runCommand({ storeDir: store, env: {} }, "import", missing);
    assert.equal(
      err,
      `${missing}: cannot be read: there is no such file (${missing})\nNothing was imported: 1 error. Correct it and import again.\n`,
    );
    assert.notEqual(code, 0);
  }
});

test("a file instead of the store folder is reported", async () => {
  const settings = join(store, "vitrine.config.ts");
  const expectedError = `vitrine: ${settings}: is a file. Name the folder of the store, ${store}.\n`;
  for (const verb of ["serve", "check"]) assert.equal(await earlyRefusal([verb, settings]), expectedError, verb);
  assert.equal(await refusal("export", "--store", settings), expectedError);
});

test("a file in place of catalog/ is reported, and does not stop a shop that has products", async () => {
  const dir = await makeStore({ hasTheme: false });
  after(() => rm(dir, { recursive: true, force: true }));
  const catalog = join(dir, "catalog");
  await rename(catalog, `${catalog}-aside`);
  await writeFile(catalog, "handle,title");
  const expectedError = `${catalog} must be a folder: move the file into a folder of that name`;
  assert.match(await refusal("serve", dir, "--port", "0"), new RegExp(`^vitrine: ${expectedError}\\.$`, "m"));
  assert.match((await runProgram(["check", dir])).out, new RegExp(`^${expectedError}$`, "m"));
  await rm(catalog);
  await rename(`${catalog}-aside`, catalog);
  const serveStore = () => serve(dir, "", { LOG_LEVEL: "warn" });
  await stopServer(await serveStore());
  await rename(catalog, `${catalog}-aside`);
  await writeFile(catalog, "handle,title");
  const server = await serveStore();
  assert.equal((await fetch(`${server.origin}/collections/all`)).status, 200);
  assert.match(server.log(), /catalog must be a folder: .* The shop keeps its products\./);
  await stopServer(server);
});

test("an unknown option is reported with the available ones", async () => {
  assert.match(
    await earlyRefusal(["serve", store, "--prot", "80"]),
    /^vitrine: there is no option --prot: did you mean "--port"\?\n\nUsage: .*--port P/,
  );
  assert.match(
    await earlyRefusal(["serve", store, "-p", "80"]),
    /^vitrine: there is no option -p\.\n\nUsage: .*--port P/,
  );
  assert.match(await earlyRefusal(["serve", store, "--port"]), /^vitrine: --port takes a value\.\n\nUsage: .*--port P/);
});

test("an empty address and an unknown log level are reported", async () => {
  for (const [variable, value, pattern] of [
    ["HOST", "", /^vitrine: HOST: is empty: use 127\.0\.0\.1, or 0\.0\.0\.0 for all addresses/],
    ["LOG_LEVEL", "verbose", /^vitrine: LOG_LEVEL: "verbose" is not a level: use silent, error, warn, or info\.\n/],
    ["LOG_LEVEL", "", /^vitrine: LOG_LEVEL: "" is not a level/],
  ] as const) {
    const { code, err } = await runProgram(["serve", store, "--port", "0"], { [variable]: value });
    assert.match(err, pattern);
    assert.equal(code, 2);
  }
});

test("a file instead of the data folder is reported with its path", async () => {
  const dir = join(scratch, "file for data");
  await init(dir);
  await writeFile(join(dir, "data"), "");
  assert.equal(
    await refusal("serve", dir, "--port", "0"),
    `vitrine: ${join(dir, "data")}: a file exists in place of a folder: move the file.\n`,
  );
});

test("an error of the theme or the hooks is reported once, without a stack, if each of several threads finds it", async () => {
  const dir = join(scratch, "threads");
  await init(dir);
  await rm(join(dir, "theme"), { recursive: true });
  await symlink("theme", join(dir, "theme"));
  assert.equal(
    (await refusal("serve", dir, "--port", "0", "--threads", "2")).split("\n").at(-2),
    `vitrine: ${join(dir, "theme", "config", "vitrine.json")}: symbolic links form a loop: correct or remove them.`,
  );
  await rm(join(dir, "theme"));
  await writeFile(join(dir, "hooks.ts"), "export default { payment: ");
  await writeFile(join(dir, "vitrine.config.ts"), 'export default { name: "A", currency: "USD", hooks: "hooks.ts" };');
  assert.equal(
    await refusal("serve", dir, "--port", "0", "--threads", "2"),
    `vitrine: ${join(dir, "hooks.ts")}:1: cannot be read: Expression expected. Check that line and the line before it.\n`,
  );
});

test("an import stopped by Ctrl+C reports that the catalog is unchanged", {
  skip: process.platform === "win32" && "it has no pipes with names of files",
}, async () => {
  const pipe = join(scratch, "products.jsonl");
  assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
  const { child, finished } = vitrine(["import", pipe, "--store", store]);
  // Opening the pipe succeeds when the import starts to read.
  const writer = await open(pipe, "w");
  const expectedError = once(child.stderr ?? assert.fail(), "data");
  child.kill("SIGINT");
  const [text] = await Promise.race([expectedError, finished.then(({ stderr }) => [stderr])]);
  assert.equal(String(text), "Stopped: an import applies all of its rows or none. Run it again.\n");
  await writer.close();
  assert.equal((await finished).code, 130);
});

test("after an import was stopped by Ctrl+C, the next one need not wait", async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `{"handle":"p${n}","title":"P","variants":[{"price":${n}}]}\n`);
  const file = join(scratch, "many", "products.jsonl");
  await mkdir(join(scratch, "many"));
  await writeFile(file, rows.join(""));
  const args = ["import", file, "--store", store];
  const { child, finished } = vitrine(args);
  await until(() => {
    const database = new DatabaseSync(join(store, "data/vitrine.db"), { readOnly: true });
    const [lease] = database.prepare("SELECT 1 FROM catalog_lease").all();
    database.close();
    return lease !== undefined;
  });
  child.kill("SIGINT");
  assert.equal((await finished).code, 130);
  await writeFile(file, rows[0] ?? "");
  assert.match((await vitrine(args).finished).stdout, /^Imported 1 product/);
});

/** A superuser may write to any folder, so the command runs as an unprivileged user. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const asNobody = (...args: readonly string[]) => {
  const env = { PATH: process.env.PATH, PORT: "0", NODE_COMPILE_CACHE: join(scratch, "compiled") };
  return spawnSync(process.execPath, [main, ...args], { ...nobody, cwd: scratch, env, encoding: "utf8" });
};
const canRun = process.platform !== "win32" && asNobody("help").status === 0;

test("init and serve report a read-only folder with its path and a remedy", {
  skip: !canRun && "nobody without rights can read this checkout",
}, async () => {
  await mkdir(join(scratch, "closed"));
  await init(join(scratch, "closed/shop"));
  await chmod(scratch, 0o755);
  await chmod(join(scratch, "closed"), 0o555);
  await chmod(join(scratch, "closed/shop"), 0o555);
  const rights = "permission denied: grant access to the user who runs this command.";
  for (const [args, path] of [
    [["init", "closed/new"], "closed/new"],
    [["serve", "closed/shop"], "closed/shop/data"],
  ] as const) {
    const { status, stderr } = asNobody(...args);
    assert.deepEqual([status, stderr], [1, `vitrine: ${join(scratch, path)}: ${rights}\n`]);
  }
});
