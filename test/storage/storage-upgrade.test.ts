import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { migrate, readSchema } from "../../src/storage/migrate.ts";
import { statements as refundsAndReservations } from "../../src/storage/migrations/0024-refunds-and-reservations.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { readTotals } from "../../src/storage/signals/read-totals.ts";
import { readSearchReport } from "../../src/storage/signals/report.ts";
import { freshDatabase } from "../support/test-database.ts";

test("an upgrade from version 24 moves searches, clicks and days to the new table, and counts orders again", async () => {
  const day = 86_400_000;
  const today = 20_600 * day;
  const folder = await mkdtemp(join(tmpdir(), "vitrine-upgrade-"));
  const { databaseUrl } = await freshDatabase();
  const old = await openDatabase(databaseUrl === undefined ? { file: join(folder, "old.db") } : { url: databaseUrl });
  const run = (...statements: readonly string[]): Promise<unknown> =>
    old.write(statements.map((sql) => ({ sql, params: [] })));
  try {
    if (databaseUrl !== undefined) await run("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
    await run("CREATE TABLE schema_versions (version BIGINT PRIMARY KEY)", "INSERT INTO schema_versions VALUES (24)");
    await run(...(await readSchema()), ...refundsAndReservations);
    const bits = 2 ** 48 - 1;
    await run(
      `INSERT INTO search_terms VALUES ('en', 'hat', 50, 20599, ${bits}, 40, ${bits})`,
      `INSERT INTO search_terms VALUES ('en', 'of today', 60, 20600, ${bits}, 0, 0)`,
      `INSERT INTO search_terms VALUES ('en', 'of few', 60, 20590, 7, 60, 7)`,
      `INSERT INTO search_choices VALUES ('en', 'hat', '7', 60, ${bits}, ${60 * 2 ** ((20_570 - 20_454) / 30)}, 0, 0, 20570)`,
      `INSERT INTO search_days VALUES (20600, 'en', 'kayak', 9, 8, 1, 0, ${bits})`,
    );
    await migrate(old);
    const totals = await readTotals(old, today, { clicks: true, sales: true });
    assert.deepEqual(totals.popularSearches, [{ locale: "en", text: "hat", visitors: 48 }]);
    assert.deepEqual(
      totals.clicks.map(({ id, weight }) => [id, Math.round(weight)]),
      [["7", 30]],
    );
    assert.deepEqual(
      (await readTotals(old, today + day, { clicks: false, sales: false })).popularSearches.map(({ text }) => text),
      ["of today", "hat"],
    );
    const { rows } = await readSearchReport(old, { days: 1, by: "searched", limit: 10 }, today);
    assert.deepEqual(rows, [
      { locale: "en", term: "kayak", searchCount: 9, notFoundCount: 8, clickedCount: 1, addedCount: 0 },
    ]);
    assert.deepEqual(await old.read("SELECT counted FROM orders"), []);
  } finally {
    await old.close();
    await rm(folder, { recursive: true });
  }
});
