import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { CatalogSource } from "./sqlite-catalog.ts";
import type { OnGroup } from "./sqlite-thread.ts";

export interface DatabaseOptions {
  /** How long a lock and a statement may take, in milliseconds; absent: what a shopper can wait. */
  readonly waitMs?: number;
  /** Told of each commit of SQLite. */
  readonly onGroup?: OnGroup;
}

/** Opens the database of a shop, or of a command beside it, which may wait longer. @throws SetupError where it cannot be used */
export function openDatabase(source: CatalogSource, { waitMs, onGroup }: DatabaseOptions = {}): Promise<Database> {
  if ("file" in source) {
    const wait = waitMs === undefined ? {} : { busyMs: waitMs };
    return openSqlite(source.file, { ...wait, ...(onGroup === undefined ? {} : { onGroup }) });
  }
  return openPostgres(source.url, waitMs === undefined ? {} : { statementMs: waitMs });
}
