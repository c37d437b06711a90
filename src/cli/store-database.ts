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

/** Milliseconds to wait for a lock of a running server; longer than a shopper would. */
const WAIT_MS = 15_000;

/**
 * Opens the settings and the database of a store folder. The caller closes the database.
 * @param databaseUrl `DATABASE_URL`. Default: the store's SQLite file
 * @param hasTime runs at a lower priority, after a server on the same machine
 * @throws SetupError for errors that the merchant can fix
 */
export async function openStore(storeDir: string, databaseUrl?: string, hasTime = false): Promise<OpenStore> {
  const config = await loadConfig(storeDir);
  const dataDir = join(storeDir, "data");
  await prepareDataFolder(dataDir);
  const source = sourceOf(dataDir, databaseUrl);
  const database = await openDatabase(source, { waitMs: WAIT_MS });
  try {
    await migrateOpen(database, source);
    // After the start of the database's threads, so that these keep their priority.
    if (hasTime) letOtherThreadsFirst();
    return { storeDir, config, database, source };
  } catch (error) {
    await database.close();
    throw error;
  }
}
