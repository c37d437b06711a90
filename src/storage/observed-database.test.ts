import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DatabaseUnavailableError, WriteConflict } from "./database.ts";
import { observeDatabase } from "./observed-database.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

const dir = await mkdtemp(join(tmpdir(), "vitrine-observed-"));
after(() => rm(dir, { recursive: true, force: true }));

test("reads and writes are reported with their outcome, and return unchanged results", async () => {
  const reports: string[] = [];
  const database = observeDatabase(await openSqlite(join(dir, "one.db")), (operation, outcome, ms) => {
    assert.ok(ms >= 0);
    reports.push(`${operation} ${outcome}`);
  });
  await database.write([{ sql: "CREATE TABLE things (id INTEGER PRIMARY KEY)", params: [] }]);
  await database.write([{ sql: "INSERT INTO things VALUES ($1)", params: [1] }]);
  assert.deepEqual(
    (await database.read("SELECT id FROM things WHERE id = $1", [1])).map(({ id }) => id),
    [1],
  );
  const failingStatement = { sql: "DELETE FROM things WHERE id = $1", params: [2], requireRows: 1 };
  await assert.rejects(database.write([failingStatement]), WriteConflict);
  await assert.rejects(database.read("SELECT nonsense"));
  await database.close();
  await assert.rejects(database.read("SELECT 1"), DatabaseUnavailableError);
  assert.deepEqual(reports, [
    "write done",
    "write done",
    "read done",
    "write conflict",
    "read error",
    "read unavailable",
  ]);
});

test("concurrent writes are reported as one group", async () => {
  const groups: number[] = [];
  const database = await openSqlite(join(dir, "groups.db"), {
    onGroup: (writes, ms) => {
      assert.ok(ms > 0);
      groups.push(writes);
    },
  });
  await database.write([{ sql: "CREATE TABLE things (id INTEGER PRIMARY KEY)", params: [] }]);
  groups.length = 0;
  const insert = (id: number) => database.write([{ sql: "INSERT INTO things VALUES ($1)", params: [id] }]);
  await Promise.all(Array.from({ length: 50 }, (_, id) => insert(id)));
  await insert(50);
  await database.close();
  assert.deepEqual(groups, [50, 1]);
});
