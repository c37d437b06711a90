import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { readCatalogRows, readCatalogState } from "../../src/storage/catalog/catalog-store.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { system } from "../../src/system.ts";
import { importFiles } from "../support/import-files.ts";
import { freshDatabase } from "../support/test-database.ts";

// Kills or overtakes an import at each of its writes; on SQLite and on PostgreSQL.
let folder = "";
let database: Database;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-interrupted-"));
  const { databaseUrl } = await freshDatabase();
  database = await openDatabase(
    databaseUrl === undefined ? { file: join(folder, "vitrine.db") } : { url: databaseUrl },
  );
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(empty);

async function empty(): Promise<void> {
  const tables = ["catalog_rows", "catalog_variants", "catalog_lease", "catalog_revisions"];
  await database.write([
    ...tables.map((table) => ({ sql: `DELETE FROM ${table}`, params: [] })),
    { sql: "UPDATE catalog_state SET revision = 0, complete_since = 0, tidied = 0", params: [] },
  ]);
}

/** Returns a product whose variants have these ids. */
const product = (id: number, variantIds: readonly number[]) => ({
  kind: "product",
  id,
  handle: `product-${id}`,
  title: `Product ${id}`,
  options: ["Size"],
  variants: variantIds.map((variant) => ({ id: variant, price: 1, options: [`${variant}`] })),
});
const fullCatalog = [product(1, [11, 12, 13]), product(2, [21, 22])];
const half = [product(1, [11]), product(2, [21])];

async function put(rows: readonly object[], into: Database = database) {
  const path = join(folder, "products.jsonl");
  await writeFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  return importFiles(into, [{ path, name: "products.jsonl" }], { ...system, currency: "USD" });
}

class Killed extends Error {}

/** Returns a database that allows `allowed` writes, and calls `interrupt` instead of each later write. */
function interruptedAfter(allowed: number, interrupt: () => Promise<void> | void): Database {
  let writes = 0;
  return {
    ...database,
    async write(statements) {
      writes += 1;
      if (writes > allowed) await interrupt();
      return database.write(statements);
    },
  };
}

const kill = (): never => {
  throw new Killed();
};

/** Expires the lease of a killed import. */
async function endLease(): Promise<void> {
  await database.write([{ sql: "DELETE FROM catalog_lease", params: [] }]);
}

/** Returns the variants of the newest products that the lookup table lacks. */
async function unknownVariants(): Promise<readonly string[]> {
  const knownVariants = await database.read("SELECT variant_id, product_id FROM catalog_variants");
  const pairs = new Set(knownVariants.map((row) => `${row.variant_id} of ${row.product_id}`));
  const { revision } = await readCatalogState(database);
  const rows = await Array.fromAsync(readCatalogRows(database, revision));
  return rows
    .flatMap(({ id, variantIds }) => variantIds.map((one) => `${one} of ${id}`))
    .filter((one) => !pairs.has(one));
}

test("after an import killed at any point, the next one leaves each variant with one owner", async () => {
  let kills = 0;
  for (let allowed = 0; ; allowed += 1) {
    await endLease();
    assert.equal((await put(fullCatalog)).errors.count, 0);
    const isKilled = await put(half, interruptedAfter(allowed, kill)).then(
      () => false,
      (error: unknown) => error instanceof Killed,
    );
    await endLease();
    assert.equal((await put(fullCatalog)).errors.count, 0);
    assert.deepEqual(await unknownVariants(), [], `killed after ${allowed} writes`);
    const conflictResult = await put([product(3, [12])]);
    assert.match(
      String(conflictResult.errors.firstErrors[0]?.message),
      /variant id 12 is already used by the product 1/,
    );
    if (!isKilled) break;
    kills += 1;
  }
  assert.ok(kills > 5, `only ${kills} kills`);
});

test("after a first import killed at any point, the next one leaves no duplicates", async () => {
  const again = (columns: string, table: string) =>
    database.write([{ sql: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table}`, params: [] }]);
  for (let isKilled = true, allowed = 0; isKilled; allowed += 1) {
    await empty();
    isKilled = await put(half, interruptedAfter(allowed, kill)).then(
      () => false,
      (error: unknown) => error instanceof Killed,
    );
    assert.ok(isKilled || allowed > 3);
    await endLease();
    assert.equal((await put(fullCatalog)).errors.count, 0);
    assert.deepEqual(await unknownVariants(), [], `killed after ${allowed} writes`);
    await assert.rejects(
      again("kind, id, revision, position, deleted, handle, variant_ids, data", "catalog_rows"),
      /unique/i,
    );
    await assert.rejects(again("variant_id, product_id", "catalog_variants"), /unique/i);
  }
});

test("an import that loses its lease is complete if it was visible, and else changes nothing", async () => {
  const other = { sql: "UPDATE catalog_lease SET holder = 'other'", params: [] };
  const outcomes = new Set<string>();
  for (let allowed = 1; !outcomes.has("undisturbed"); allowed += 1) {
    await endLease();
    assert.equal((await put(fullCatalog)).errors.count, 0);
    const before = (await readCatalogState(database)).revision;
    let isLost = false;
    const lose = async (): Promise<void> => {
      isLost = true;
      await database.write([other]);
    };
    const importResult = await put(half, interruptedAfter(allowed, lose)).then(
      ({ changed }) => `${changed} changed`,
      (error: unknown) => String(error),
    );
    const isShown = (await readCatalogState(database)).revision > before;
    assert.match(
      importResult,
      isShown ? /^2 changed$/ : /SetupError: .* this one changed nothing/,
      `after ${allowed} writes`,
    );
    const [lease] = await database.read("SELECT holder FROM catalog_lease");
    outcomes.add(lease === undefined || !isLost ? "undisturbed" : isShown ? "shown" : "not shown");
  }
  assert.deepEqual([...outcomes], ["not shown", "shown", "undisturbed"]);
});
