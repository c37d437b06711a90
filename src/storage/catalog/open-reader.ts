import { DatabaseUnavailable } from "../database.ts";
import { openPostgresCatalog } from "../postgres/catalog-reader.ts";
import { openSqliteCatalog } from "../sqlite/catalog-reader.ts";
import { explainSqlite, isSqliteAway } from "../sqlite/errors.ts";
import type { CatalogReader, CatalogSource } from "./catalog-reader.ts";

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
