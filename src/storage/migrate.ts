import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { readPackageVersion } from "../runtime/package-version.ts";
import { SetupError } from "../setup-error.ts";
import { type Database, LockTimeout, tryWrite } from "./database.ts";
import {
  INITIAL_VERSION,
  LATEST_VERSION,
  type Migration,
  migrations,
  OLDEST_SCHEMA_VERSION,
  readSchemaVersion,
  requireSupportedSchema,
} from "./schema-version.ts";

/** Milliseconds between attempts while another process migrates, or a transaction locks a table. */
const RETRY_INTERVAL_MS = 500;

/**
 * Updates a database to the schema of this version. Only one process migrates, and other processes wait without a time
 * limit. Writes nothing if the schema is current, or newer and compatible.
 * @param onWait called once if another process is migrating, or a transaction locks a table
 * @throws SetupError if this version cannot use the database, or a connected server cannot use the new schema
 */
export async function migrate(database: Database, onWait?: () => void): Promise<void> {
  let wasWaitReported = false;
  for (;;) {
    try {
      if (!(await needsMigration(database))) return;
      await applyNextMigration(database);
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      if (!wasWaitReported) onWait?.();
      wasWaitReported = true;
      await setTimeout(RETRY_INTERVAL_MS);
    }
  }
}

/**
 * Returns whether the schema is older than this version.
 * @throws SetupError if this version cannot use the database
 */
export async function needsMigration(database: Database): Promise<boolean> {
  const schema = await readSchemaVersion(database);
  requireSupportedSchema(schema);
  return schema.schemaVersion < LATEST_VERSION;
}

async function applyNextMigration(database: Database): Promise<void> {
  const { schemaVersion } = await readSchemaVersion(database);
  const migration = schemaVersion === 0 ? await readInitialSchema() : migrations[schemaVersion - OLDEST_SCHEMA_VERSION];
  // Another process has completed the migration.
  if (migration === undefined) return;
  const nextVersion = schemaVersion === 0 ? INITIAL_VERSION : schemaVersion + 1;
  await rejectOlderServers(database, migration.compatibleFrom);
  if (schemaVersion === 0) {
    await database.write([
      // Two processes that create the same table at the same time would fail, even with "IF NOT EXISTS".
      ...database.lockStatements,
      {
        sql: "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, compatible_from BIGINT, migrated_by TEXT)",
        params: [],
      },
    ]);
  }
  for (const sql of migration.statements)
    if (sql.startsWith("CREATE INDEX IF NOT EXISTS ")) await database.createIndex?.(sql);
  // The condition fails if another process has already run this migration.
  await tryWrite(database, [
    ...database.lockStatements,
    {
      sql: "INSERT INTO schema_versions (version) VALUES ($1) ON CONFLICT (version) DO NOTHING",
      params: [nextVersion],
      requireRows: 1,
    },
    ...migration.statements.map((sql) => ({ sql, params: [] })),
    {
      sql: "UPDATE schema_versions SET compatible_from = $2, migrated_by = $3 WHERE version = $1",
      params: [nextVersion, migration.compatibleFrom, readPackageVersion()],
    },
  ]);
}

/** Throws if a connected server cannot use the database after a migration.  @throws SetupError */
async function rejectOlderServers(database: Database, minSchemaVersion: number): Promise<void> {
  const servers = (await database.readConnectedVersions?.()) ?? [];
  const oldServer = servers.find(({ schemaVersion }) => schemaVersion < minSchemaVersion);
  if (oldServer !== undefined)
    throw new SetupError(
      `a server of Vitrine ${oldServer.version} uses the database, and cannot use the schema of Vitrine ${readPackageVersion()}. Stop all its servers and commands, then start again; or upgrade to the release between the two first.`,
    );
}

async function readInitialSchema(): Promise<Migration> {
  const text = await readFile(new URL("./schema.sql", import.meta.url), "utf8");
  const statements = text
    .replace(/--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  return { compatibleFrom: INITIAL_VERSION, statements };
}
