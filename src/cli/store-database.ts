import { join, resolve } from "node:path";
import { loadConfig } from "../config/load-config.ts";
import type { Config } from "../config/settings.ts";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import type { Database } from "../storage/database.ts";
import { locateDatabase, migrateOpenDatabase, openDatabase, prepareDataFolder } from "../storage/open-database.ts";
import type { CommandIo } from "./io.ts";

/** A store folder with its open database, which `await using` closes. */
export interface OpenedStore extends AsyncDisposable {
  readonly storeDir: string;
  readonly config: Config;
  readonly database: Database;
  readonly source: CatalogDatabase;
}

/** Maximum milliseconds to wait for a database lock of a running server. */
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Opens the settings and the database of a store folder.
 * @param databaseUrl the variable `DATABASE_URL`. Default: the SQLite file of the store
 * @throws SetupError for errors that the merchant can fix
 */
export async function openStore(storeDir: string, databaseUrl?: string): Promise<OpenedStore> {
  const config = await loadConfig(storeDir);
  const dataDir = join(storeDir, "data");
  await prepareDataFolder(dataDir);
  const source = locateDatabase(dataDir, databaseUrl);
  const database = await openDatabase(source, { lockTimeoutMs: LOCK_TIMEOUT_MS });
  try {
    await migrateOpenDatabase(database, source);
    return { storeDir, config, database, source, [Symbol.asyncDispose]: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the store of a command.  @param dir value of `--store`, relative to the folder of the user */
export function openCommandStore(io: CommandIo, dir = "."): Promise<OpenedStore> {
  return openStore(resolve(io.cwd, dir), io.env.DATABASE_URL);
}
