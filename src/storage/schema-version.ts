import { readPackageVersion } from "../runtime/package-version.ts";
import { SetupError } from "../setup-error.ts";
import { type Database, DatabaseUnavailableError, type SqlRow } from "./database.ts";
import * as compatibleVersions from "./migrations/0029-compatible-versions.ts";
import * as catalogLog from "./migrations/0030-catalog-log.ts";
import * as secondFactors from "./migrations/0031-second-factors.ts";
import * as testOrders from "./migrations/0032-test-orders.ts";
import * as testOrdersIndex from "./migrations/0033-test-orders-index.ts";
import * as indexBuilders from "./migrations/0034-index-builders.ts";
import * as cancelReasons from "./migrations/0035-cancel-reasons.ts";
import * as cartDatabases from "./migrations/0036-cart-databases.ts";
import * as catalogCurrency from "./migrations/0037-catalog-currency.ts";

/** A change of the schema. */
export interface Migration {
  /**
   * Only servers that were built for this schema version or a later one can use the database after this migration. This
   * version must not exceed the schema version of the last release, so that servers of that release can run during a
   * rolling upgrade and after a downgrade.
   */
  readonly compatibleFrom: number;
  /**
   * Statements of one transaction, valid in SQLite and PostgreSQL. "CREATE INDEX IF NOT EXISTS" creates an index of an
   * existing table without blocking writes.
   */
  readonly statements: readonly string[];
}

/** Version of the oldest schema that can be migrated. */
export const OLDEST_SCHEMA_VERSION = 28;
/** Version of schema.sql, which is the schema of a new database. */
export const INITIAL_VERSION = 29;
/**
 * Migrations from `OLDEST_SCHEMA_VERSION` to the latest schema, in order. Each is applied once, and never changes after a
 * release.
 */
export const migrations: readonly Migration[] = [
  compatibleVersions,
  catalogLog,
  secondFactors,
  testOrders,
  testOrdersIndex,
  indexBuilders,
  cancelReasons,
  cartDatabases,
  catalogCurrency,
];
/** Schema version of this version of Vitrine. */
export const LATEST_VERSION = OLDEST_SCHEMA_VERSION + migrations.length;

/** Schema of a database. */
export interface SchemaVersion {
  /** Version of the last migration; 0 for an empty database. */
  readonly schemaVersion: number;
  /**
   * Only servers that were built for this schema version or a later one can use the database. 0 means that only servers
   * for `schemaVersion` can.
   */
  readonly compatibleFrom: number;
  /** Version of Vitrine that applied the last migration. Undefined for databases made before 0.1.0. */
  readonly migratedBy?: string | undefined;
}

export async function readSchemaVersion(database: Pick<Database, "read">): Promise<SchemaVersion> {
  try {
    return parseSchemaVersion(await database.read(schemaVersionSql));
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    return { schemaVersion: 0, compatibleFrom: 0 };
  }
}

/**
 * Query for the rows that `parseSchemaVersion` reads. It selects `*`, because databases made before 0.1.0 have only one
 * column.
 */
export const schemaVersionSql = "SELECT * FROM schema_versions ORDER BY version";

export function parseSchemaVersion(rows: readonly SqlRow[]): SchemaVersion {
  const lastRow = rows.at(-1);
  return {
    schemaVersion: Number(lastRow?.version ?? 0),
    compatibleFrom:
      lastRow?.compatible_from == null ? 0 : Math.max(...rows.map((row) => Number(row.compatible_from ?? 0))),
    migratedBy: lastRow?.migrated_by == null ? undefined : String(lastRow.migrated_by),
  };
}

/**
 * Throws if this version cannot use or migrate a database.
 * @throws SetupError
 */
export function requireSupportedSchema({ schemaVersion, compatibleFrom, migratedBy }: SchemaVersion): void {
  const versionText = `this is Vitrine ${readPackageVersion()}, with schema ${LATEST_VERSION}`;
  const minVersion = compatibleFrom > 0 ? compatibleFrom : schemaVersion;
  if (schemaVersion > LATEST_VERSION && minVersion > LATEST_VERSION)
    throw new SetupError(
      `the database was migrated by a newer version of Vitrine to schema ${schemaVersion}, for servers from schema ${minVersion} on; ${versionText}. Install Vitrine ${migratedBy === undefined ? "of that version" : `${migratedBy} or later`}, or restore a backup from before the upgrade.`,
    );
  if (schemaVersion > 0 && schemaVersion < OLDEST_SCHEMA_VERSION)
    throw new SetupError(
      `the database was made by a version of Vitrine before 0.1.0 (schema ${schemaVersion}); ${versionText}, and it migrates from schema ${OLDEST_SCHEMA_VERSION} on. Export the catalog with the version that made the database, and import it into a new store.`,
    );
}
