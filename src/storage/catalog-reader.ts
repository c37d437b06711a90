import { openPostgresCatalog } from "./postgres-catalog.ts";
import { type CatalogReader, type CatalogSource, openSqliteCatalog } from "./sqlite-catalog.ts";

/** The catalogue at this moment, for a thread that may block.
 *  @param since what changed since that revision is all that will be asked for; absent: everything */
export async function openCatalogReader(source: CatalogSource, since?: number): Promise<CatalogReader> {
  return "file" in source ? openSqliteCatalog(source.file) : await openPostgresCatalog(source.url, since);
}
