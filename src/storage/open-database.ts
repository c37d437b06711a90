import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { CatalogSource } from "./sqlite-catalog.ts";

/** Opens the database of a shop, or of a command beside it, which may wait longer for a lock and for a statement.
 *  @param waitMs absent: what a shopper can wait  @throws SetupError where it cannot be used */
export function openDatabase(source: CatalogSource, waitMs?: number): Promise<Database> {
  if ("file" in source) return openSqlite(source.file, waitMs === undefined ? {} : { busyMs: waitMs });
  return openPostgres(source.url, waitMs === undefined ? {} : { statementMs: waitMs });
}
