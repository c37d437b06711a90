import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
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
  const secrets = [
    "data/secret",
    ".env",
    ".env.local",
    "backup.db",
    "shop.db",
    "shop.tar.gz",
    "theme/node_modules/x.js",
  ];
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

test("systemd accepts the unit", {
  skip: spawnSync("systemd-analyze", ["--version"]).status === 0 ? false : "systemd-analyze is not installed",
}, async () => {
  const unit = await readFile(join(root, "deploy/vitrine.service"), "utf8");
  const file = join(scratch, "vitrine.service");
  await writeFile(file, unit.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  assert.deepEqual([status, stderr], [0, ""]);
});
