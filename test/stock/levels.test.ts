import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { readCatalogState } from "../../src/storage/catalog/catalog-store.ts";
import { type Database, WriteConflict } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import {
  adjustStock,
  ensureStockRows,
  readLastStockNumber,
  readStockChanges,
  readStockLevels,
  releaseStock,
  reserveStock,
  sellStock,
  setStock,
  stageStock,
  stockNumberStatement,
  toStockLevel,
} from "../../src/storage/stock-store.ts";
import { system } from "../../src/system.ts";
import { importFiles } from "../support/import-files.ts";
import { freshDatabase } from "../support/test-database.ts";

// Contract of every database for stock; run on SQLite and on PostgreSQL.
let folder = "";
let database: Database;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-stock-"));
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

const levelOf = async (variantId: string): Promise<readonly [number, number] | undefined> => {
  const [level] = await readStockLevels(database, [variantId]);
  return level && [level.quantity, level.reserved];
};

test("units are reserved, released and sold, and a failed reservation rolls back its transaction", async () => {
  const catalogue = ensureStockRows([{ variantId: "lamp", quantity: 3 }], 0);
  const held = await database.write([stockNumberStatement, ...catalogue, reserveStock("lamp", 2, "deny")]);
  assert.deepEqual(held.at(-1)?.map(toStockLevel), [
    { variantId: "lamp", quantity: 3, reserved: 2, changeNumber: await readLastStockNumber(database) },
  ]);
  const before = await readLastStockNumber(database);
  const tooMany = [
    stockNumberStatement,
    ...catalogue,
    reserveStock("lamp", 1, "deny"),
    reserveStock("lamp", 1, "deny"),
  ];
  await assert.rejects(database.write(tooMany), WriteConflict);
  assert.deepEqual(await levelOf("lamp"), [3, 2]);
  assert.equal(await readLastStockNumber(database), before);

  await database.write([stockNumberStatement, reserveStock("lamp", 5, "continue")]);
  await database.write([stockNumberStatement, releaseStock("lamp", 5)]);
  await database.write([stockNumberStatement, sellStock("lamp", 2)]);
  assert.deepEqual(await levelOf("lamp"), [1, 0]);
  await database.write([stockNumberStatement, sellStock("nobody's", 2), releaseStock("nobody's", 2)]);
  assert.equal(await levelOf("nobody's"), undefined);
  await assert.rejects(database.write([stockNumberStatement, reserveStock("nobody's", 1, "continue")]), WriteConflict);
});

test("concurrent buyers get as many last units as exist", async () => {
  const hold = () =>
    database.write([
      stockNumberStatement,
      ...ensureStockRows([{ variantId: "rush", quantity: 7 }], 0),
      reserveStock("rush", 1, "deny"),
    ]);
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, hold));
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 7);
  assert.deepEqual(await levelOf("rush"), [7, 7]);
});

test("stock is set and adjusted in batches, and read by change number", async () => {
  const model = new Map<string, number>();
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 900 }), { maxLength: 700 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), ids, fc.integer({ min: -50, max: 50 })), { maxLength: 4 }),
      async (steps) => {
        for (const [isAbsolute, list, units] of steps) {
          const stock = list.map((id) => ({ variantId: `v${id}`, quantity: units + id }));
          const changes = list.map((id) => ({ variantId: `v${id}`, units }));
          const catalogue = list.map((id) => ({ variantId: `v${id}`, quantity: 1_000 + id }));
          const { changed, variantId } = { changed: await readLastStockNumber(database), variantId: "\u{10ffff}" };
          await database.write([
            stockNumberStatement,
            ...(isAbsolute ? setStock(stock) : [...ensureStockRows(catalogue, 0), ...adjustStock(changes)]),
          ]);
          for (const id of list)
            model.set(`v${id}`, isAbsolute ? units + id : (model.get(`v${id}`) ?? 1_000 + id) + units);
          const since = await readStockChanges(database, { changeNumber: changed, variantId }, 10_000);
          assert.deepEqual(
            new Map(since.map((level) => [level.variantId, level.quantity])),
            new Map(list.map((id) => [`v${id}`, model.get(`v${id}`)])),
          );
        }
      },
    ),
    { numRuns: 12 },
  );
  await assert.rejects(
    database.write([stockNumberStatement, ...adjustStock([{ variantId: "none", units: 1 }])]),
    WriteConflict,
  );
});

test("outdated catalog data creates no stock row", async () => {
  const revision = await importQuantity(5);
  const ensure = (quantity: number, at: number) =>
    database.write([stockNumberStatement, ...ensureStockRows([{ variantId: "c1", quantity }], at)]);
  const next = await importQuantity(9);
  await ensure(5, revision);
  assert.equal(await levelOf("c1"), undefined);
  await ensure(9, next);
  assert.deepEqual(await levelOf("c1"), [9, 0]);
});

test("a file's quantity sets stock only if it differs from the previous import", async () => {
  const sell = async () => {
    const revision = await importQuantity(20);
    const ensured = ensureStockRows([{ variantId: "c1", quantity: 20 }], revision);
    await database.write([stockNumberStatement, ...ensured, reserveStock("c1", 4, "deny"), sellStock("c1", 3)]);
  };
  await sell();
  assert.deepEqual(await levelOf("c1"), [17, 1]);
  await importQuantity(20, "Chair, renamed");
  assert.deepEqual(await levelOf("c1"), [17, 1]);
  const before = await readLastStockNumber(database);
  await importQuantity(30);
  assert.deepEqual(await levelOf("c1"), [30, 1]);
  assert.ok((await readLastStockNumber(database)) > before, "servers hear of it");
  await importQuantity(undefined);
  await importQuantity(12);
  assert.deepEqual(await levelOf("c1"), [12, 1]);

  await database.write([stockNumberStatement, sellStock("c1", 1)]);
  await importRows([], { prune: true });
  await importQuantity(12);
  assert.deepEqual(await levelOf("c1"), [11, 0], "a product that comes back has the stock that was counted");
  assert.deepEqual(await database.read("SELECT variant_id FROM stock_staged"), []);
});

test("a restored variant has its last counted stock", async () => {
  const withVariants = (...ids: readonly string[]) => {
    const variants = ids.map((id) => ({ id, title: id, options: [id], price: 1, inventory_quantity: 8 }));
    return { kind: "product", id: 5, handle: "bench", title: "Bench", options: ["Kind"], variants };
  };
  await importRows([withVariants("b1", "b2")]);
  const revision = (await readCatalogState(database)).revision;
  await database.write([
    stockNumberStatement,
    ...ensureStockRows([{ variantId: "b2", quantity: 8 }], revision),
    sellStock("b2", 3),
  ]);
  await importRows([withVariants("b1")]);
  await importRows([withVariants("b1", "b2")]);
  assert.deepEqual(await levelOf("b2"), [5, 0]);
});

test("a rejected or interrupted import sets no stock", async () => {
  await importQuantity(14);
  await importQuantity(12);
  const bad = { kind: "product", id: 2, handle: "bad", title: "", variants: [] };
  const { errors: faults } = await importRows([chair(99), bad]);
  assert.ok(faults.count > 0);
  assert.deepEqual(await levelOf("c1"), [12, 0]);
  // This is the state after an import that was killed before it was published.
  await database.write(stageStock([{ variantId: "c1", quantity: 77 }]));
  await importQuantity(12, "Chair, again");
  assert.deepEqual(await levelOf("c1"), [12, 0]);
});

function chair(quantity: number | undefined, title = "Chair") {
  const stock = quantity === undefined ? {} : { inventory_quantity: quantity };
  return { kind: "product", id: 1, handle: "chair", title, variants: [{ id: "c1", price: 1, ...stock }] };
}

async function importRows(rows: readonly object[], options: { readonly prune?: boolean } = {}) {
  const path = join(folder, "products.jsonl");
  await writeFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  return importFiles(database, [{ path, name: "products.jsonl" }], { ...system, currency: "USD", ...options });
}

async function importQuantity(quantity: number | undefined, title?: string): Promise<number> {
  await importRows([chair(quantity, title)]);
  return (await readCatalogState(database)).revision;
}
