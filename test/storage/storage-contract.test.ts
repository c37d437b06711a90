import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCartWriter } from "../../src/cart/writer/cart-writer.ts";
import { createCartStore, purgeCarts } from "../../src/storage/cart-store.ts";
import type { CatalogDatabase } from "../../src/storage/catalog/catalog-reader.ts";
import { isCatalogSmall, readCatalogRows, readCatalogState } from "../../src/storage/catalog/catalog-store.ts";
import { type Database, WriteConflict } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { createSignalCounter } from "../../src/storage/signals/count-signals.ts";
import { purgeSignals } from "../../src/storage/signals/forget-signals.ts";
import { readTotals } from "../../src/storage/signals/read-totals.ts";
import { readSearchReport } from "../../src/storage/signals/report.ts";
import { system } from "../../src/system.ts";
import { importFiles } from "../support/import-files.ts";
import { freshDatabase } from "../support/test-database.ts";
import { HANG_MS } from "../support/until.ts";

// Contract of every database; run on SQLite and on PostgreSQL.
let folder = "";
let source: CatalogDatabase = { file: "" };
let database: Database;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-contract-"));
  const { databaseUrl } = await freshDatabase();
  source = databaseUrl === undefined ? { file: join(folder, "vitrine.db") } : { url: databaseUrl };
  // On a busy machine a statement of an import may take longer than a shopper can wait.
  database = await openDatabase(source, { lockTimeoutMs: HANG_MS });
  await Promise.all([migrate(database), migrate(database)]);
  await database.write([
    { sql: "CREATE TABLE notes (id TEXT PRIMARY KEY, size BIGINT NOT NULL CHECK (size >= 0))", params: [] },
  ]);
});
after(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const insert = (id: string, size: number) => ({ sql: "INSERT INTO notes VALUES ($1, $2)", params: [id, size] });

test("a write is atomic, and a failed one does not affect others", async () => {
  const outcomes = await Promise.allSettled([
    database.write([insert("a", 1), insert("b", 2)]),
    database.write([insert("c", 3), insert("d", -1)]),
    database.write([
      insert("e", 5),
      { sql: "UPDATE notes SET size = 9 WHERE id = $1", params: ["nobody"], requireRows: 1 },
    ]),
    database.write([insert("f", 6)]),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "rejected", "fulfilled"],
  );
  assert.ok(outcomes[2]?.status === "rejected" && outcomes[2].reason instanceof WriteConflict);
  assert.deepEqual(
    (await database.read("SELECT id FROM notes ORDER BY id")).map(({ id }) => id),
    ["a", "b", "f"],
  );
});

test("a migration that another server finished meanwhile is not repeated", async () => {
  const versions = async (): Promise<number> =>
    Number((await database.read("SELECT MAX(version) AS version FROM schema_versions"))[0]?.version);
  const newest = await versions();
  let looks = 0;
  const late: Database = {
    ...database,
    write: (statements) => database.write(statements),
    read: async (sql, params) => {
      looks += 1;
      return looks === 1 ? [{ version: newest - 1 }] : database.read(sql, params);
    },
  };
  await migrate(late);
  assert.equal(await versions(), newest);
});

test("a statement that requires a row and matches none is a conflict", async () => {
  const update = { sql: "UPDATE notes SET size = 9 WHERE id = $1", params: ["nobody"], requireRows: 1 };
  await assert.rejects(database.write([update]), WriteConflict);
});

test("rows are read as written: large numbers, text in any script", async () => {
  const text = "Ünïcode 日本 🙂 ' \" \\ ; --";
  const rows = await database.write([
    { sql: "INSERT INTO notes VALUES ($1, $2) RETURNING id, size", params: [text, 2 ** 52] },
  ]);
  assert.deepEqual(JSON.parse(JSON.stringify(rows)), [[{ id: text, size: 2 ** 52 }]]);
  const [count] = await database.read("SELECT COUNT(*) AS count FROM notes WHERE id = $1", [text]);
  assert.equal(count?.count, 1);
});

test("two hundred concurrent edits of one cart from two nodes all apply", async () => {
  const other = await openDatabase(source);
  try {
    const stores = [createCartStore(database, "one"), createCartStore(other, "two")] as const;
    const ids = { id: "contended", checkoutId: "contended-checkout", isNew: true };
    const writers = [createCartWriter(stores[0], 10_000), createCartWriter(stores[1], 10_000)] as const;
    const at = { now: 1, startDeadline: performance.now() + 10_000 };
    const edits = Array.from({ length: 200 }, (_, index) =>
      writers[index % 2 === 0 ? 0 : 1].edit(ids, at, (cart) => ({
        cart: { ...cart, note: String(Number(cart.note ?? 0) + 1) },
      })),
    );
    const revisions = (await Promise.all(edits)).map(({ cart }) => cart.revision);
    assert.equal(new Set(revisions).size, 200);
    assert.equal((await stores[0].find("contended"))?.note, "200");
    const many = Array.from({ length: 250 }, (_, index) => `nobody-${index}`);
    const { revision } = (await stores[0].find("contended")) ?? {};
    assert.deepEqual([...(await stores[0].getRevisions([...many, "contended"]))], [["contended", revision]]);
    assert.equal((await stores[1].findByCheckout("contended-checkout"))?.revision, 200);
  } finally {
    await other.close();
  }
});

test("first writes with one token share a cart for ten seconds, on any node", async () => {
  const carts = createCartStore(database, "one");
  const claims = await Promise.all(["one", "two", "three"].map((id) => carts.claimFirstCart("token", id, 1_000)));
  assert.equal(new Set(claims).size, 1);
  assert.equal(await carts.claimFirstCart("token", "late", 20_000), "late");
  const cart = { checkoutId: "of one", revision: 0, lines: [], discountCodes: [], giftCards: [] };
  const save = (id: string) =>
    carts.save({ ...cart, id }, { ...cart, id, revision: 1 }, { now: 1_000, visitorTokenHash: "another" });
  assert.deepEqual((await Promise.all(["five", "six"].map(save))).toSorted(), ["conflict", "saved"]);
});

test("abandoned carts are purged, except after a long pause of writes, which may be a wrong clock", async () => {
  const DAY = 86_400_000;
  const carts = createCartStore(database, "one");
  const save = (id: string, day: number) => {
    const cart = { id, checkoutId: `${id}-checkout`, revision: 0, lines: [], discountCodes: [], giftCards: [] };
    return carts.save(cart, { ...cart, revision: 1 }, { now: day * DAY, startDeadline: performance.now() + HANG_MS });
  };
  const told: string[] = [];
  const sweepOn = (day: number) => purgeCarts(database, 30, day * DAY, (message) => void told.push(message));
  await Promise.all(Array.from({ length: 450 }, (_, n) => save(`old-${n}`, 1)));
  assert.deepEqual([await sweepOn(31), told], [0, []], "none is older than its cookie");
  assert.equal(await sweepOn(41), 0);
  assert.match(
    told[0] ?? "",
    /^carts older than 30 days are not deleted: no cart was written from 1970-01-26 to 1970-02-03/,
  );
  await save("after the gap", 41);
  assert.equal(await sweepOn(42), 0, "a clock that is wrong goes on being wrong");
  assert.equal(told.length, 2);
  assert.ok((await sweepOn(51)) >= 450);
  assert.equal(await carts.find("old-1"), undefined);
  assert.notEqual(await carts.find("after the gap"), undefined);
});

test("claims of first writes, and millions of old visits, are deleted in batches", async () => {
  await database.write([
    {
      sql: `INSERT INTO first_carts (token_hash, cart_id, claimed_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        SELECT CAST(i AS TEXT), 'c', 1 FROM n`,
      params: [],
    },
    {
      sql: `INSERT INTO signal_visits (day, visitor)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        SELECT 40 + i % 3, CAST(i AS TEXT) FROM n`,
      params: [],
    },
  ]);
  const most: number[] = [];
  const watched: Database = {
    ...database,
    async write(statements) {
      const before = await countRows();
      const rows = await database.write(statements);
      most.push(before - (await countRows()));
      return rows;
    },
  };
  const now = 42 * 86_400_000;
  await purgeCarts(watched, 30, now, () => {});
  await purgeSignals(watched, now);
  assert.deepEqual(await database.read("SELECT DISTINCT day FROM signal_visits"), [{ day: 42 }]);
  assert.deepEqual(await database.read("SELECT 1 FROM first_carts"), []);
  assert.ok(Math.max(...most) <= 500, `${Math.max(...most)} rows in one write`);

  async function countRows(): Promise<number> {
    const [row] = await database.read(
      "SELECT (SELECT COUNT(*) FROM first_carts) + (SELECT COUNT(*) FROM signal_visits) AS rows",
    );
    return Number(row?.rows);
  }
});

test("a catalog is imported, changed and pruned in separate revisions", async () => {
  const file = join(folder, "products.jsonl");
  const put = async (handles: readonly string[], price: number, prune: boolean) => {
    const lines = handles.map((handle) => JSON.stringify({ handle, title: handle, variants: [{ price }] }));
    await writeFile(file, lines.join("\n"));
    return importFiles(database, [{ path: file, name: "products.jsonl" }], { ...system, currency: "USD", prune });
  };
  const handles = Array.from({ length: 450 }, (_, index) => `product-${index}`);
  assert.equal((await put(handles, 100, false)).changed, 450);
  const limits = [
    { rows: 450, bytes: 450_000 },
    { rows: 449, bytes: 450_000 },
    { rows: 450, bytes: 4_500 },
  ];
  const areWithin = await Promise.all(limits.map((limit) => isCatalogSmall(database, limit)));
  assert.deepEqual(areWithin, [true, false, false]);
  assert.equal((await put(handles.slice(0, 10), 200, false)).changed, 10);
  const pruned = await put(handles.slice(0, 5), 200, true);
  assert.deepEqual([pruned.changed, pruned.removed], [0, 445]);
  const { revision } = await readCatalogState(database);
  const rows = await Array.fromAsync(readCatalogRows(database, revision));
  assert.deepEqual([revision, rows.length], [3, 5]);
});

test("variants and handles are read in their current state", async () => {
  const file = join(folder, "changed.jsonl");
  const put = async (row: object, prune = false) => {
    await writeFile(file, JSON.stringify({ kind: "product", handle: "oar", title: "Oar", ...row }));
    return (await importFiles(database, [{ path: file, name: "changed.jsonl" }], { ...system, currency: "USD", prune }))
      .errors;
  };
  const variants = (...ids: readonly number[]) => ids.map((id) => ({ id, price: 1, options: [`${id}`] }));
  const options = ["Length"];
  assert.equal((await put({ id: 1, options, variants: variants(11, 12, 112) })).count, 0);
  const clash = async (row: object) => String((await put({ id: 2, options, ...row })).firstErrors[0]?.message);
  assert.match(
    await clash({ handle: "paddle", variants: variants(12) }),
    /variant id 12 is already used by the product 1/,
  );
  assert.match(await clash({ variants: variants(2) }), /"oar" is already used by the product 1/);

  assert.equal((await put({ id: 1, options, variants: variants(11) })).count, 0);
  assert.equal((await put({ id: 2, handle: "paddle", options, variants: variants(12) })).count, 0);
  assert.equal((await put({ id: 3, handle: "raft", options, variants: variants(3) }, true)).count, 0);
  const left = await database.read("SELECT variant_id, product_id FROM catalog_variants");
  assert.deepEqual(left, [{ variant_id: "3", product_id: "3" }]);
});

test("signals count once per network, row and day, apply from the next day, decay, and are purged", async () => {
  const day = 86_400_000;
  const today = 20_600 * day;
  let left = 3;
  const counter = createSignalCounter(database, {
    newSalt: () => "salt",
    digest: (text) => createHmac("sha256", "key").update(text).digest("base64url"),
    newRows: { take: () => left > 0 && left-- > 0, refund: () => (left += 1) },
  });
  const searched = { term: "rain hat", locale: "en" } as const;
  const countAll = async (now: number): Promise<void> => {
    for (let network = 0; network < 60; network += 1) {
      counter.record({ ...searched, kind: "found" }, `198.51.${network}`, now);
      counter.record({ ...searched, kind: "chosen", product: "7", action: "clicked" }, `198.51.${network}`, now);
      counter.record(
        { ...searched, kind: "chosen", product: "7", action: "added", weight: 3 },
        `198.51.${network}`,
        now,
      );
      if (network === 0) await counter.flush();
    }
    await counter.flush();
  };
  await countAll(today);
  await countAll(today + 1_000);
  left = 1;
  for (const term of ["quiet", "silent"]) counter.record({ kind: "searched", term, locale: "en" }, "198.51.1", today);
  await counter.flush();
  const visible = async (now: number): Promise<readonly unknown[]> => {
    const { popularSearches, clicks } = await readTotals(database, now, { clicks: true, sales: false });
    return [...popularSearches, ...clicks.map(({ weight, ...rest }) => ({ ...rest, weight: Math.round(weight) }))];
  };
  assert.deepEqual(await visible(today + 2_000), []);
  assert.deepEqual(await visible(today + 30 * day), [
    { locale: "en", text: "rain hat", visitors: 30 },
    { locale: "en", text: "rain hat", id: "7", weight: 120 },
  ]);
  const report = await readSearchReport(database, { days: 1, sortBy: "searched", limit: 10 }, today);
  assert.deepEqual([report.rows, report.days.map(({ searchCount }) => searchCount)], [[], [1]]);
  await countAll(today + 30 * day);
  assert.deepEqual(
    (await visible(today + 60 * day)).map((row) => JSON.parse(JSON.stringify(row)).weight ?? "popular"),
    ["popular", 180],
  );
  await purgeSignals(database, today + 60 * day);
  assert.deepEqual(await database.read("SELECT DISTINCT day, kind FROM signal_counts ORDER BY kind"), [
    { day: 0, kind: "chosen" },
    { day: 0, kind: "found" },
  ]);
  assert.deepEqual(await database.read("SELECT * FROM signal_visits"), []);
});
