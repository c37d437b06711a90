import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Config, loadConfig } from "../config.ts";
import type { Database } from "../storage/database.ts";
import { migrate } from "../storage/migrate.ts";
import { openSqlite } from "../storage/sqlite.ts";

export interface OpenStore {
  readonly config: Config;
  readonly database: Database;
}

/** Commands can wait longer than a shopper for a lock that a server beside them holds. */
const BUSY_MS = 15_000;

/** Opens a store folder's settings and database for a command; the caller closes the database.
 *  @throws SetupError for what the merchant can put right */
export async function openStore(storeDir: string): Promise<OpenStore> {
  const config = await loadConfig(storeDir);
  const dataDir = join(storeDir, "data");
  await mkdir(dataDir, { recursive: true });
  const database = await openSqlite(join(dataDir, "vitrine.db"), { busyMs: BUSY_MS });
  try {
    await migrate(database);
    return { config, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}
