import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { SetupError } from "../setup-error.ts";
import { type Database, DatabaseUnavailable, LockTimeout, WriteConflict } from "./database.ts";
import { statements as refundsAndReservations } from "./migrations/0024-refunds-and-reservations.ts";
import { statements as signals } from "./migrations/0025-signals.ts";
import { statements as traceparent } from "./migrations/0026-traceparent.ts";
import { statements as orderLog } from "./migrations/0027-order-log.ts";
import { statements as invoices } from "./migrations/0028-invoices.ts";

/** Version of schema.sql, which is the schema of a new database. */
const SCHEMA_VERSION = 23;
/** Migrations to later versions, in order. Each is applied once, and never changes after a release. */
const migrations: readonly (readonly string[])[] = [refundsAndReservations, signals, traceparent, orderLog, invoices];
const LATEST_VERSION = SCHEMA_VERSION + migrations.length;

/** Milliseconds between polls while another process migrates. */
const POLL_INTERVAL_MS = 250;

/**
 * Updates a database to the schema of this version. Only one process migrates, and other processes wait without a time
 * limit. Writes nothing if the schema is current.
 * @param onWait called once if another process is migrating
 * @throws SetupError if the database has a newer version
 */
export async function migrate(database: Database, onWait?: () => void): Promise<void> {
  let isWaitReported = false;
  while (await needsMigration(database)) {
    try {
      await applyNextMigration(database);
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      if (!isWaitReported) onWait?.();
      isWaitReported = true;
      await setTimeout(POLL_INTERVAL_MS);
    }
  }
}

/**
 * Returns whether the schema is older than this version.
 * @throws SetupError if the database has a newer or unsupported version
 */
export async function needsMigration(database: Database): Promise<boolean> {
  const version = await readVersion(database);
  requireSupportedSchema(version);
  return version < LATEST_VERSION;
}

/**
 * Throws if this version cannot use or migrate a database.
 * @param version version of its schema; 0 for an empty database
 * @throws SetupError
 */
export function requireSupportedSchema(version: number): void {
  if (version > LATEST_VERSION)
    throw new SetupError(
      `the database was made by a newer version of Vitrine (its schema is ${version}, this one knows ${LATEST_VERSION}). Use that version, or restore a backup.`,
    );
  if (version > 0 && version < SCHEMA_VERSION)
    throw new SetupError(
      `the database was made by a version of Vitrine before 0.1.0 (its schema is ${version}, the oldest supported one is ${SCHEMA_VERSION}). Export its catalog with that version and import it into a new store.`,
    );
}

/** Reads the schema version of the database.  @returns 0 for an empty database */
async function readVersion(database: Database): Promise<number> {
  try {
    const [row] = await database.read("SELECT COALESCE(MAX(version), 0) AS version FROM schema_versions");
    return Number(row?.version);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    return 0;
  }
}

async function applyNextMigration(database: Database): Promise<void> {
  const version = await readVersion(database);
  // Another process has completed the migration.
  if (version >= LATEST_VERSION) return;
  const isNewDatabase = version === 0;
  const nextVersion = isNewDatabase ? SCHEMA_VERSION : version + 1;
  const statements = isNewDatabase ? await readSchema() : (migrations[version - SCHEMA_VERSION] ?? []);
  if (isNewDatabase) {
    await database.write([
      // Two processes that create the same table at the same time would fail, even with "IF NOT EXISTS".
      ...database.exclusiveLock,
      { sql: "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)", params: [] },
    ]);
  }
  try {
    await database.write([
      ...database.exclusiveLock,
      {
        sql: "INSERT INTO schema_versions (version) VALUES ($1) ON CONFLICT (version) DO NOTHING",
        params: [nextVersion],
        requireRows: 1,
      },
      ...statements.map((sql) => ({ sql, params: [] })),
    ]);
  } catch (error) {
    // Another process has already run this migration.
    if (!(error instanceof WriteConflict)) throw error;
  }
}

/** Returns the statements of schema.sql. */
export async function readSchema(): Promise<readonly string[]> {
  const text = await readFile(new URL("./schema.sql", import.meta.url), "utf8");
  return text
    .replace(/--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
