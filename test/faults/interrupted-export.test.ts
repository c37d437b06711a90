import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { run as runExport } from "../../src/cli/commands/export.ts";
import { openStore } from "../../src/cli/store-database.ts";
import { system } from "../../src/system.ts";
import { importFiles } from "../support/import-files.ts";
import { vitrine } from "../support/server-process.ts";

/** Number of rows, whose bytes exceed the buffers of pipes and streams. */
const ROWS = 3_000;
let store = "";

before(async () => {
  store = await mkdtemp(join(tmpdir(), "vitrine-export-"));
  await writeFile(join(store, "vitrine.config.js"), 'export default { name: "Test", currency: "USD" };\n');
  await put(
    Array.from({ length: ROWS }, (_, n) => ({
      handle: `p${n}`,
      title: `P${n}`,
      description: "x".repeat(200),
      variants: [{ price: n }],
    })),
  );
});
after(() => rm(store, { recursive: true }));

async function put(rows: readonly object[], prune = false): Promise<void> {
  const path = join(store, "products.jsonl");
  await writeFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  const { database } = await openStore(store);
  try {
    const { errors: faults } = await importFiles(database, [{ path, name: "products.jsonl" }], {
      ...system,
      currency: "USD",
      prune,
    });
    assert.equal(faults.count, 0);
  } finally {
    await database.close();
  }
}

/**
 * Exports into a pipe that stalls after its first bytes until `meanwhile` resolves. @returns the number of exported
 * rows
 */
async function exportStalled(
  meanwhile: () => Promise<void>,
): Promise<{ readonly code: number; readonly rows: number }> {
  const stdout = new PassThrough({ highWaterMark: 1 });
  const running = runExport([], { cwd: store, stdout, stderr: new PassThrough(), env: {}, program: "vitrine" });
  running.catch(() => {});
  await once(stdout, "readable");
  await meanwhile();
  let rows = 0;
  stdout.on("data", (chunk: Buffer) => {
    rows += chunk.toString().split("\n").length - 1;
  });
  return { code: await running, rows };
}

async function expireLease(): Promise<void> {
  const { database } = await openStore(store);
  await database.write([{ sql: "UPDATE catalog_lease SET expires_at = 0", params: [], requireRows: 1 }]);
  await database.close();
}

test("an export into a pipe that stalls past its lease is complete if no import ran meanwhile", async () => {
  assert.deepEqual(await exportStalled(expireLease), { code: 0, rows: ROWS });
});

test("an export fails if an import replaced the catalog while its pipe stalled", async () => {
  const exported = exportStalled(async () => {
    await expireLease();
    await put([{ handle: "p1", title: "Another", variants: [{ price: 1 }] }], true);
  });
  await assert.rejects(
    exported,
    /SetupError: the export is incomplete: an import changed the catalog during the export/,
  );
});

test("a failed export prints the reason on one line, with exit code 1", async () => {
  await put(Array.from({ length: ROWS }, (_, n) => ({ handle: `p${n}`, title: `P${n}`, variants: [{ price: n }] })));
  const closed = vitrine(["export", "--store", store]);
  closed.child.stdout?.once("data", () => closed.child.stdout?.destroy());
  assert.deepEqual(await outcome(closed.finished), [
    1,
    "vitrine: the export is incomplete: its reader closed the pipe before the end.\n",
  ]);
  const full = vitrine(["export", "--store", store], "exec > /dev/full");
  assert.deepEqual(await outcome(full.finished), [1, "vitrine: the export is incomplete: the disk is full.\n"]);
  const out = join(store, "out");
  await mkdir(out);
  await symlink("/dev/full", join(out, "products.jsonl.part"));
  const folder = vitrine(["export", "--store", store, "--out", out]);
  assert.deepEqual(await outcome(folder.finished), [1, "vitrine: the export is incomplete: the disk is full.\n"]);
  assert.deepEqual(await readdir(out), []);
});

async function outcome(finished: ReturnType<typeof vitrine>["finished"]) {
  const { code, stderr } = await finished;
  return [code, stderr];
}
