import type { Database, Statement } from "../database.ts";
import type { CatalogLease } from "./lease.ts";

/** Indexes into which the rows of a first import come in no order: put in one by one, each commit writes most of their pages anew, which
 *  takes longer with each row; made when all rows are there, they are sorted once. */
const indexes = {
  catalog_rows_key: "UNIQUE INDEX IF NOT EXISTS catalog_rows_key ON catalog_rows (kind, id, revision)",
  catalog_rows_handle: "INDEX IF NOT EXISTS catalog_rows_handle ON catalog_rows (kind, handle)",
  catalog_variants_key: "UNIQUE INDEX IF NOT EXISTS catalog_variants_key ON catalog_variants (variant_id, product_id)",
} as const;

/** Takes them away from tables in which nothing is published. What looks variants up is emptied: a stopped import may have left some. */
export async function dropRowIndexes(database: Database, lease: CatalogLease): Promise<void> {
  const drops = Object.keys(indexes).map((name): Statement => ({ sql: `DROP INDEX IF EXISTS ${name}`, params: [] }));
  await database.write([lease.renewal(), { sql: "DELETE FROM catalog_variants", params: [] }, ...drops]);
}

/** Makes those that are not there. */
export async function makeRowIndexes(database: Database, lease: CatalogLease): Promise<void> {
  for (const index of Object.values(indexes))
    await database.write([lease.renewal(), { sql: `CREATE ${index}`, params: [] }]);
}
