import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "../runtime/durations.ts";
import type { CatalogDatabase, CatalogReader } from "./catalog/catalog-reader.ts";
import { type Database, DatabaseUnavailableError } from "./database.ts";
import { migrate, needsMigration } from "./migrate.ts";
import { openSqliteCatalog } from "./sqlite/catalog-reader.ts";
import { explainSqliteError, isSqliteUnavailable } from "./sqlite/errors.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite/sqlite.ts";
import type { CommitListener } from "./sqlite/thread.ts";

export interface DatabaseOptions {
  /** Maximum milliseconds to wait for a lock or a statement. Default: the time that a shopper can wait. */
  readonly lockTimeoutMs?: number;
  /** Number of threads of this process with connections to PostgreSQL. Default: 1. */
  readonly threads?: number;
  /** Called after each SQLite commit, which may contain the writes of several requests. */
  readonly onGroup?: CommitListener | undefined;
}

/** Returns the location of a store's database: `DATABASE_URL`, or a file in the data folder. */
export function locateDatabase(dataDir: string, databaseUrl: string | undefined): CatalogDatabase {
  return databaseUrl === undefined ? { file: join(dataDir, "vitrine.db") } : { url: databaseUrl };
}

/** An open database. Other threads connect to SQLite through this object, and to PostgreSQL directly. */
export type ConnectableDatabase = Database & Partial<Pick<SqliteDatabase, "connect">>;

/**
 * Opens a shop's database. Commands can set longer time limits than the server, because no shopper waits for them.
 * @throws SetupError if the database cannot be used
 */
export async function openDatabase(
  source: CatalogDatabase,
  { lockTimeoutMs, threads, onGroup }: DatabaseOptions = {},
): Promise<ConnectableDatabase> {
  if ("file" in source) return openSqlite(source.file, { busyMs: lockTimeoutMs, onGroup });
  const { countConnectionsOfThread, openPostgres } = await loadPostgres();
  return openPostgres(source.url, {
    statementTimeoutMs: lockTimeoutMs,
    connections: threads === undefined ? undefined : countConnectionsOfThread(threads),
  });
}

/** Imports the client of PostgreSQL, which takes 30 ms in each thread, only for stores that use it. */
export function loadPostgres(): Promise<typeof import("./postgres/postgres.ts")> {
  return import("./postgres/postgres.ts");
}

/**
 * Maximum milliseconds of a migration's statement. The limit is long, because a statement may read the full catalog.
 */
const MIGRATION_TIMEOUT_MS = HOUR_MS;
/**
 * Maximum milliseconds that a migration waits for a table lock. Requests for the same table wait behind the migration,
 * so this limit must be much shorter than the time limit of requests.
 */
const MIGRATION_LOCK_TIMEOUT_MS = 200;

/**
 * Updates an open database to the schema of this version. Uses a separate connection, because the shop's connections to
 * PostgreSQL have short time limits.
 * @param onWait called once if another process is migrating, or a transaction locks a table
 * @throws SetupError if this version cannot use the database, or a connected server cannot use the new schema
 */
export async function migrateOpenDatabase(
  database: Database,
  source: CatalogDatabase,
  onWait?: () => void,
): Promise<void> {
  if (!(await needsMigration(database))) return;
  if ("file" in source) return migrate(database, onWait);
  const { openPostgres } = await loadPostgres();
  const migrationDatabase = await openPostgres(source.url, {
    connections: 2,
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    lockTimeoutMs: MIGRATION_LOCK_TIMEOUT_MS,
  });
  try {
    await migrate(migrationDatabase, onWait);
  } finally {
    await migrationDatabase.close();
  }
}

/**
 * Creates a store's data folder if missing, and restricts access to the owner of the folder and its files. The files
 * contain carts, codes, and the key that signs cookies. Files of other owners stay unchanged.
 */
export async function prepareDataFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const entries = await readdir(dir, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(dir, name));
  await Promise.allSettled([chmod(dir, 0o700), ...files.map((file) => chmod(file, 0o600))]);
}

/**
 * Opens a snapshot of the current catalog. Its reads block the thread.
 * @param sinceRevision revision after which changes are needed. Default: all rows
 */
export async function openCatalogReader(source: CatalogDatabase, sinceRevision?: number): Promise<CatalogReader> {
  if ("file" in source) return openSqliteCatalog(source.file);
  const { openPostgresCatalog } = await import("./postgres/catalog-reader.ts");
  return openPostgresCatalog(source.url, sinceRevision);
}

/**
 * Explains an error that occurred while the catalog was read.
 * @returns the same error; for SQLite, a new error with the file and a solution
 */
export function explainReadError(source: CatalogDatabase, error: unknown): unknown {
  const isUnavailable = "file" in source && isSqliteUnavailable(error);
  return isUnavailable ? new DatabaseUnavailableError(explainSqliteError(source.file, error)) : error;
}
