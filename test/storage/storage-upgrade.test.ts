import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import pg from "pg";
import { checkVersions } from "../../src/cli/doctor/check-machine.ts";
import type { CatalogDatabase } from "../../src/storage/catalog/catalog-reader.ts";
import type { Database, SqlValue } from "../../src/storage/database.ts";
import { migrate, needsMigration } from "../../src/storage/migrate.ts";
import { migrateOpenDatabase, openDatabase } from "../../src/storage/open-database.ts";
import {
  LATEST_VERSION,
  migrations,
  OLDEST_SCHEMA_VERSION,
  readSchemaVersion,
} from "../../src/storage/schema-version.ts";
import { createWriteProbe } from "../../src/storage/write-probe.ts";
import { query } from "../support/postgres-server.ts";
import { emptyDatabase, oldestSchema } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let folder = "";
let url: string | undefined;
let source: CatalogDatabase;
let database: Database;

/** Opens a new database with the schema of versions before 0.1.0. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-upgrade-"));
  url = await emptyDatabase();
  source = url === undefined ? { file: join(folder, "vitrine.db") } : { url };
  database = await openDatabase(source);
  for (const sql of await oldestSchema()) await write(sql);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const write = (sql: string, ...params: readonly SqlValue[]) => database.write([{ sql, params }]);

/** Migrates the database, and adds a row of a later version of Vitrine. */
async function migrateByLater(version: number, compatibleFrom: number): Promise<void> {
  await migrate(database);
  await write("INSERT INTO schema_versions VALUES ($1, $2, '9.0.0')", version, compatibleFrom);
}

test("a database made before 0.1.0 is migrated", async () => {
  assert.ok(await needsMigration(database));
  await migrateOpenDatabase(database, source);
  const { schemaVersion, compatibleFrom, migratedBy } = await readSchemaVersion(database);
  assert.deepEqual(
    [schemaVersion, compatibleFrom],
    [LATEST_VERSION, Math.max(...migrations.map((one) => one.compatibleFrom))],
  );
  assert.match(String(migratedBy), /^\d+\.\d+\.\d+/);
});

test("a newer schema that supports this version is used and not changed", async () => {
  await migrateByLater(LATEST_VERSION + 2, LATEST_VERSION);
  await migrate(database);
  assert.equal((await readSchemaVersion(database)).schemaVersion, LATEST_VERSION + 2);
  assert.equal(await createWriteProbe(database, assert.ifError)(), true);
});

test("a newer schema that no longer supports this version is rejected with the version to install", async () => {
  const errors: string[] = [];
  const isReady = createWriteProbe(database, (error) => errors.push(String(error)));
  await migrateByLater(LATEST_VERSION + 2, LATEST_VERSION + 1);
  await assert.rejects(
    migrate(database),
    /to schema \d+, for servers from schema \d+ on.*Install Vitrine 9\.0\.0 or later/,
  );
  assert.equal(await isReady(), false, "a running server is not ready");
  assert.match(errors.join(), /install that version on this server/);
});

test("a schema older than the oldest supported one is rejected with the next step", async () => {
  await write("UPDATE schema_versions SET version = $1", OLDEST_SCHEMA_VERSION - 1);
  await assert.rejects(migrate(database), /before 0\.1\.0.*Export the catalog with the version that made the database/);
});

test("a schema is not changed while a server uses the database that cannot use the new schema", async (context) => {
  if (url === undefined) return context.skip("only one server can open an SQLite database");
  const old = new pg.Client({
    connectionString: url,
    application_name: `vitrine 0.0.9 schema ${OLDEST_SCHEMA_VERSION - 1}`,
  });
  await old.connect();
  await old.query("SELECT 1");
  await assert.rejects(
    migrateOpenDatabase(database, source),
    /a server of Vitrine 0\.0\.9 uses the database.*Stop all/,
  );
  assert.equal((await readSchemaVersion(database)).schemaVersion, OLDEST_SCHEMA_VERSION);
  const { severity, message } = await checkVersions(folder, database);
  assert.deepEqual(
    [severity, message.includes("a server of Vitrine 0.0.9 (schema 27) uses the database")],
    ["warning", true],
  );
  await old.end();
  const same = new pg.Client({
    connectionString: url,
    application_name: `vitrine 0.0.9 schema ${OLDEST_SCHEMA_VERSION}`,
  });
  await same.connect();
  await same.query("SELECT 1");
  await migrateOpenDatabase(database, source);
  await same.end();
});

test("a migration waits for a long transaction, and lets other statements on the table pass", async (context) => {
  if (url === undefined) return context.skip("SQLite runs one write at a time");
  const dump = new pg.Client({ connectionString: url });
  await dump.connect();
  await dump.query("BEGIN; SELECT * FROM schema_versions");
  let isWaiting = false;
  const migration = migrateOpenDatabase(database, source, () => {
    isWaiting = true;
  });
  while (!isWaiting) await database.read("SELECT version FROM schema_versions");
  await dump.query("COMMIT");
  await dump.end();
  await migration;
  assert.equal((await readSchemaVersion(database)).schemaVersion, LATEST_VERSION);
});

test("an index is created while a transaction writes to its table, also after an interrupted attempt", async (context) => {
  if (url === undefined || database.createIndex === undefined) return context.skip("SQLite runs one write at a time");
  const server = url;
  await database.write([{ sql: "CREATE TABLE shelves (id BIGINT, place BIGINT)", params: [] }]);
  const place = (id: number, at: number) => ({
    sql: "INSERT INTO shelves (id, place) VALUES ($1, $2)",
    params: [id, at],
  });
  await database.write([place(1, 1), place(2, 1)]);
  // A unique index that fails is left invalid.
  await assert.rejects(query(server, "CREATE UNIQUE INDEX CONCURRENTLY shelves_by_place ON shelves (place)"));
  const writer = new pg.Client({ connectionString: server });
  await writer.connect();
  await writer.query("BEGIN; INSERT INTO shelves (id, place) VALUES (3, 1)");
  const created = database.createIndex("CREATE INDEX IF NOT EXISTS shelves_by_place ON shelves (place)");
  const progress =
    "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%INDEX CONCURRENTLY%' AND state = 'active' AND pid <> pg_backend_pid()";
  await until(async () => (await query(server, progress)).length > 0);
  await database.write([place(4, 1)]);
  await writer.query("COMMIT");
  await writer.end();
  await created;
  const [index] = await database.read(
    "SELECT indisvalid AS valid, indisunique AS unique FROM pg_index WHERE indexrelid = to_regclass('shelves_by_place')",
  );
  assert.deepEqual({ ...index }, { valid: true, unique: false });
});
