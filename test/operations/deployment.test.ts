import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runCommand } from "../support/command.ts";
import { buildImage } from "../support/container.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), "vitrine-deployment-"));
after(() => rm(scratch, { recursive: true, force: true }));

test("an image contains the store without secrets, backups and packages, for a new store and with the files of deploy/", async () => {
  const { code, err } = await runCommand({ storeDir: scratch, env: {} }, "init", "shop");
  assert.equal(code, 0, err);
  const store = join(scratch, "shop");
  await mkdir(join(store, "data"));
  await mkdir(join(store, "theme/node_modules"));
  const secrets = ["data/secret", ".env", ".env.local", "backup.db", "shop.db", "theme/node_modules/x.js"];
  await writeFile(join(store, "package-lock.json"), "{}");
  for (const file of secrets) await writeFile(join(store, file), "secret");
  const ignoreFiles = [".dockerignore", "Dockerfile.dockerignore"];
  for (const ignoreFile of ignoreFiles) {
    for (const other of ignoreFiles) await rm(join(store, other), { force: true });
    await cp(join(root, "deploy/Dockerfile.dockerignore"), join(store, ignoreFile));
    const image = await buildImage(store, join(scratch, `image of ${ignoreFile}`), async () => undefined);
    assert.deepEqual(
      secrets.filter((file) => existsSync(join(image.dir, file))),
      [],
    );
    for (const file of ["vitrine.config.ts", "catalog", "theme/layout", "package.json"])
      assert.ok(existsSync(join(image.dir, file)), file);
  }
});

test("a new store ignores the same files as the Dockerfile of the package", async () => {
  const { code, err } = await runCommand({ storeDir: scratch, env: {} }, "init", "another");
  assert.equal(code, 0, err);
  const ignored = (file: string): Promise<string> => readFile(file, "utf8");
  assert.equal(
    await ignored(join(scratch, "another/.dockerignore")),
    await ignored(join(root, "deploy/Dockerfile.dockerignore")),
  );
});

test("the service restarts repeatedly while its database is unavailable", async () => {
  const unit = await readFile(join(root, "deploy/vitrine.service"), "utf8");
  const [, head = "", service = ""] = /\[Unit\]\n([\s\S]*)\[Service\]\n([\s\S]*)\[Install\]/.exec(unit) ?? [];
  assert.match(head, /^StartLimitIntervalSec=0$/m);
  assert.match(service, /^Restart=on-failure$/m);
  assert.match(service, /^RestartSec=\d+$/m);
});

test("only the owner can read the documented backup", async (context) => {
  const run = promisify(execFile);
  const hasSqlite = await run("sqlite3", ["-version"]).then(
    () => true,
    () => false,
  );
  if (process.platform === "win32" || !hasSqlite) return context.skip("needs the command sqlite3");
  await mkdir(join(scratch, "data"), { recursive: true });
  await run("sqlite3", ["data/vitrine.db", "CREATE TABLE kept (one)"], { cwd: scratch });
  for (const document of ["docs/how-to/deployment.md", "docs/how-to/upgrading.md"]) {
    const [, command = ""] = /^ *(.*VACUUM INTO.*)$/m.exec(await readFile(join(root, document), "utf8")) ?? [];
    await rm(join(scratch, "backup.db"), { force: true });
    await run("sh", ["-c", `umask 022; ${command}`], { cwd: scratch });
    assert.equal((await stat(join(scratch, "backup.db"))).mode & 0o777, 0o600, document);
  }
});
