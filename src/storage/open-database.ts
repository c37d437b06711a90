import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogReader, CatalogSource } from "./catalog/catalog-reader.ts";
import { type Database, DatabaseUnavailable } from "./database.ts";
import { migrate, needsMigration } from "./migrate.ts";
import { openPostgresCatalog } from "./postgres/catalog-reader.ts";
import { CONNECTIONS, openPostgres } from "./postgres/postgres.ts";
import { openSqliteCatalog } from "./sqlite/catalog-reader.ts";
import { explainSqlite, isSqliteAway } from "./sqlite/errors.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite/sqlite.ts";
import type { OnGroup } from "./sqlite/thread.ts";

export interface DatabaseOptions {
  /** Milliseconds for a lock and a statement. Default: as long as a shopper can wait. */
  readonly waitMs?: number;
  /** How many threads of this process have connections to PostgreSQL; absent: this one alone. */
  readonly threads?: number;
  /** Told of each commit of SQLite. */
  readonly onGroup?: OnGroup;
}

/** The location of a store's database: `DATABASE_URL`, or a file in its data folder. */
export function sourceOf(dataDir: string, databaseUrl: string | undefined): CatalogSource {
  return databaseUrl === undefined ? { file: join(dataDir, "vitrine.db") } : { url: databaseUrl };
}

/** Other threads connect to SQLite; of a server of databases they have connections of their own. */
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

/** A migration's longest statement reads all of the catalogue. */
const MIGRATION_MS = 3_600_000;

/** Brings a database that is open to this version's schema. PostgreSQL limits what a shopper waits for, so this is done on a
 *  connection of its own. @param onWait see `migrate`  @throws SetupError for a database of a newer version */
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

/** Makes a store's data folder where it is missing, and it and the files directly in it their owner's alone: they hold carts, codes
 *  and the key that signs cookies. What belongs to somebody else stays as it is. */
export async function prepareDataFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const entries = await readdir(dir, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(dir, name));
  await Promise.allSettled([chmod(dir, 0o700), ...files.map((file) => chmod(file, 0o600))]);
}

/** The catalogue at this moment, for a thread that may block.
 *  @param since what changed since that revision is all that will be asked for; absent: everything */
export async function openCatalogReader(source: CatalogSource, since?: number): Promise<CatalogReader> {
  return "file" in source ? openSqliteCatalog(source.file) : await openPostgresCatalog(source.url, since);
}

/** @param error met while reading  @returns the same; what SQLite says, with which file and what to do */
export function explainRead(source: CatalogSource, error: unknown): unknown {
  const isAway = "file" in source && isSqliteAway(error);
  return isAway ? new DatabaseUnavailable(explainSqlite(source.file, error)) : error;
}
