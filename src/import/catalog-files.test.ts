import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findCatalogFiles } from "./catalog-files.ts";

test("hidden files, and the lock files of spreadsheets that have a file open, are no catalog files", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-catalog-files-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  for (const name of ["stock.csv", "pages.jsonl", "~$stock.csv", "._stock.csv", ".~lock.stock.csv#", "stock.csv~"])
    await writeFile(join(dir, name), "");
  const files = await findCatalogFiles(".", dir);
  assert.deepEqual(
    files.map(({ name }) => name),
    ["pages.jsonl", "stock.csv"],
  );
});
