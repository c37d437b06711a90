import { join } from "node:path";
import { loadConfig } from "../config/load-config.ts";
import type { Config } from "../config/settings.ts";
import { letOtherThreadsFirst } from "../priority.ts";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import type { Database } from "../storage/database.ts";
import { migrateOpen, openDatabase, prepareDataFolder, sourceOf } from "../storage/open-database.ts";

export interface OpenStore {
  readonly storeDir: string;
  readonly config: Config;
  readonly database: Database;
  readonly source: CatalogSource;
}

/** Commands can wait longer than a shopper for a lock that a server beside them holds. */
const WAIT_MS = 15_000;

/** Opens a store folder's settings and database for a command; the caller closes the database.
 *  @param databaseUrl `DATABASE_URL`; absent: the store's own SQLite file
 *  @param hasTime the command works at a lower priority, as a server on the same machine goes first
 *  @throws SetupError for what the merchant can put right */
export async function openStore(storeDir: string, databaseUrl?: string, hasTime = false): Promise<OpenStore> {
  const config = await loadConfig(storeDir);
  const dataDir = join(storeDir, "data");
  await prepareDataFolder(dataDir);
  const source = sourceOf(dataDir, databaseUrl);
  const database = await openDatabase(source, { waitMs: WAIT_MS });
  try {
    await migrateOpen(database, source);
    // The database's own threads have been started by now, and keep their priority.
    if (hasTime) letOtherThreadsFirst();
    return { storeDir, config, database, source };
  } catch (error) {
    await database.close();
    throw error;
  }
}
