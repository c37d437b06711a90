import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogReader, CatalogSource } from "./catalog/catalog-reader.ts";
import { type Database, DatabaseUnavailable } from "./database.ts";
import { migrate, needsMigration } from "./migrate.ts";
import { openPostgresCatalog } from "./postgres/catalog-reader.ts";
import { CONNECTIONS, openPostgres } from "./postgres/postgres.ts";
import { openSqliteCatalog } from "./sqlite/catalog-reader.ts";
import { explainSqlite, isSqliteUnavailable } from "./sqlite/errors.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite/sqlite.ts";
import type { OnGroup } from "./sqlite/thread.ts";

export interface DatabaseOptions {
  /** Milliseconds for a lock and a statement. Default: as long as a shopper can wait. */
  readonly waitMs?: number;
  /** Number of threads of this process with connections to PostgreSQL. Default: 1. */
  readonly threads?: number;
  /** Receives each commit of SQLite. */
  readonly onGroup?: OnGroup;
}

/** The location of a store's database: `DATABASE_URL`, or a file in its data folder. */
export function sourceOf(dataDir: string, databaseUrl: string | undefined): CatalogSource {
  return databaseUrl === undefined ? { file: join(dataDir, "vitrine.db") } : { url: databaseUrl };
}

/** Other threads connect to SQLite through this one; to PostgreSQL they connect directly. */
export type OpenedDatabase = Database & Partial<Pick<SqliteDatabase, "connect">>;

/** Opens the database of a shop, or of a command, which may wait longer. @throws SetupError if it cannot be used */
export function openDatabase(
  source: CatalogSource,
  { waitMs, threads, onGroup }: DatabaseOptions = {},
): Promise<OpenedDatabase> {
  if ("file" in source) {
    const wait = waitMs === undefined ? {} : { busyMs: waitMs };
    return openSqlite(source.file, { ...wait, ...(onGroup === undefined ? {} : { onGroup }) });
  }
  return openPostgres(source.url, {
    ...(waitMs === undefined ? {} : { statementMs: waitMs }),
    ...(threads === undefined ? {} : { connections: Math.max(2, Math.ceil(CONNECTIONS / threads)) }),
  });
}

/** A migration's longest statement reads the full catalog. */
const MIGRATION_MS = 3_600_000;

/**
 * Updates an open database to this version's schema, on a separate connection: that of the shop has short time limits
 * in PostgreSQL.
 * @param onWait see `migrate`
 * @throws SetupError for a database of a newer version
 */
export async function migrateOpen(database: Database, source: CatalogSource, onWait?: () => void): Promise<void> {
  if (!(await needsMigration(database))) return;
  if ("file" in source) return migrate(database, onWait);
  const patient = await openPostgres(source.url, { connections: 1, statementMs: MIGRATION_MS });
  try {
    await migrate(patient, onWait);
  } finally {
    await patient.close();
  }
}

/**
 * Creates a store's data folder if missing, and restricts it and the files directly in it to their owner: they contain
 * carts, codes, and the key that signs cookies. Files of other owners stay unchanged.
 */
export async function prepareDataFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const entries = await readdir(dir, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(dir, name));
  await Promise.allSettled([chmod(dir, 0o700), ...files.map((file) => chmod(file, 0o600))]);
}

/**
 * Opens the catalog at this moment, for a thread that may block.
 * @param since revision since which changes are needed. Default: all rows
 */
export async function openCatalogReader(source: CatalogSource, since?: number): Promise<CatalogReader> {
  return "file" in source ? openSqliteCatalog(source.file) : await openPostgresCatalog(source.url, since);
}

/** @param error met while reading  @returns the error; for SQLite, one with the file and the fix */
export function explainRead(source: CatalogSource, error: unknown): unknown {
  const isAway = "file" in source && isSqliteUnavailable(error);
  return isAway ? new DatabaseUnavailable(explainSqlite(source.file, error)) : error;
}
