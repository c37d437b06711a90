import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { vitrine } from "../support/server-process.ts";
import { until } from "../support/until.ts";

test("a restore after a killed one names the folder to delete", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "vitrine-killed-restore-"));
  after(() => rm(scratch, { recursive: true, force: true }));
  const { child, finished } = vitrine(["restore", "-", scratch]);
  await until(async () => (await readdir(scratch)).length > 0, "the restore waits for its input");
  child.kill("SIGKILL");
  await finished;
  const [name = ""] = await readdir(scratch);
  const { code, stderr } = await vitrine(["restore", import.meta.filename, scratch]).finished;
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `vitrine: ${scratch}: contains ${name} of another restore. If that restore is no longer running, delete this folder and start again.\n`,
  );
});
