import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { importNewStore } from "../../src/import/import-new-store.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { system } from "../../src/system.ts";
import { freshDatabase } from "../support/test-database.ts";

test("a start warns if the settings have another currency than the stored prices", async (t) => {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-currency-"));
  t.after(() => rm(storeDir, { recursive: true }));
  for (const name of ["catalog", "data"]) await mkdir(join(storeDir, name));
  const { databaseUrl } = await freshDatabase();
  const database = await openDatabase(
    databaseUrl === undefined ? { file: join(storeDir, "vitrine.db") } : { url: databaseUrl },
  );
  t.after(() => database.close());
  await migrate(database);
  const start = async (currency: string): Promise<readonly string[]> => {
    const notices: string[] = [];
    await importNewStore({ ...system, database, storeDir, currency }, (text) => notices.push(text));
    return notices.filter((text) => text.startsWith("Warning"));
  };
  const rope = { kind: "product", handle: "rope", title: "Rope", variants: [{ price: 900 }] };
  await writeFile(join(storeDir, "catalog", "products.jsonl"), JSON.stringify(rope));
  assert.deepEqual(await start("EUR"), []);
  assert.deepEqual(await start("EUR"), []);
  const warning =
    'Warning: the prices in the database are in EUR, and the settings have the currency JPY: set "currency" to "EUR", or import all products in JPY with "vitrine import --prune".';
  assert.deepEqual(await start("JPY"), [warning]);
  assert.deepEqual(await start("JPY"), [warning]);
  assert.deepEqual(await start("EUR"), []);
});
