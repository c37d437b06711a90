import { SetupError } from "../../setup-error.ts";
import { type Database, type Statement, tryWrite } from "../database.ts";

/** The exclusive right to change the catalog. */
export interface CatalogLease {
  readonly holder: string;
  /** Returns a statement that renews the lease. The write fails with `WriteConflict` if the lease was lost. */
  createRenewalStatement(): Statement;
  release(): Promise<void>;
}

/** Error if another import or export holds the lease. */
export class CatalogBusyError extends SetupError {
  override readonly name = "SetupError";
}

/** Milliseconds without a renewal after which the lease expires. */
export const LEASE_LIFETIME_MS = 30_000;

/** Returns a statement that takes a lease. The write fails with `WriteConflict` if another holder has it. */
export function createLeaseStatement(
  table: "catalog_lease" | "index_builders",
  id: string | number,
  holder: string,
  now: number,
): Statement {
  return {
    sql: `INSERT INTO ${table} (id, holder, expires_at) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE ${table}.expires_at NOT BETWEEN $4 AND $5 RETURNING holder`,
    // The upper limit makes the lease expire even if the clock was set back.
    params: [id, holder, now + LEASE_LIFETIME_MS, now, now + 2 * LEASE_LIFETIME_MS],
    requireRows: 1,
  };
}

/** Acquires the lease.  @throws CatalogBusyError while another import or export runs */
export async function takeCatalogLease(database: Database, holder: string): Promise<CatalogLease> {
  const { now } = database;
  if ((await tryWrite(database, [createLeaseStatement("catalog_lease", 1, holder, now())])) === undefined)
    throw new CatalogBusyError(
      `another import or export is running. Wait until it ends. The lease of a killed process expires after ${LEASE_LIFETIME_MS / 1_000} seconds.`,
    );
  return {
    holder,
    createRenewalStatement: () => ({
      sql: "UPDATE catalog_lease SET expires_at = $1 WHERE holder = $2",
      params: [now() + LEASE_LIFETIME_MS, holder],
      requireRows: 1,
    }),
    async release() {
      await database.write([{ sql: "DELETE FROM catalog_lease WHERE holder = $1", params: [holder] }]);
    },
  };
}
