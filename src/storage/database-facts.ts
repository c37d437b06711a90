import type { SqlRow } from "./database.ts";
import { parseSchemaVersion, type SchemaVersion, schemaVersionSql } from "./schema-version.ts";

/**
 * Schema version, catalog revision, and numbers of rows of a database. These facts are used to compare a copy of a
 * database with the original.
 */
export interface DatabaseFacts extends Omit<SchemaVersion, "migratedBy"> {
  /** Published revision of the catalog. */
  readonly revision: number;
  /** Number of rows by name of the table. */
  readonly tables: Readonly<Record<string, number>>;
}

/**
 * Reads the schema version, the catalog revision, and the row counts of a database. All calls of `queryRows` should be in
 * one transaction.
 * @param tablesSql query for the names of all tables, as `name`
 */
export async function readDatabaseFacts(
  queryRows: (sql: string) => readonly SqlRow[] | Promise<readonly SqlRow[]>,
  tablesSql: string,
): Promise<DatabaseFacts> {
  const readNumber = async (sql: string): Promise<number> => Number((await queryRows(sql))[0]?.number);
  const tables: Record<string, number> = {};
  for (const { name } of await queryRows(tablesSql))
    tables[String(name)] = await readNumber(`SELECT COUNT(*) AS number FROM "${String(name).replaceAll('"', '""')}"`);
  const { schemaVersion, compatibleFrom } = parseSchemaVersion(await queryRows(schemaVersionSql));
  return {
    schemaVersion,
    compatibleFrom,
    revision: await readNumber("SELECT revision AS number FROM catalog_state"),
    tables,
  };
}
