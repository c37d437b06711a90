import { type Database, type Statement, tryWrite } from "../database.ts";
import { type CatalogState, toCatalogState } from "./catalog-store.ts";
import { createLeaseStatement, LEASE_LIFETIME_MS } from "./lease.ts";

/** State of the catalog, and of the search index that servers with the same settings and code share. */
export interface SharedIndexState extends CatalogState {
  /**
   * Revision of the last shared index: 0 before the first one, `UNSHARED_REVISION` while the builder cannot share its index.
   */
  readonly sharedRevision: number;
  /** Whether a server holds the lease to build the shared index. */
  readonly hasBuilder: boolean;
  /** Revision that all servers show during a rollback. Undefined without a rollback. */
  readonly rollbackRevision: number | undefined;
}

/** Value of `sharedRevision` while the builder cannot share its index, so that all servers build their own. */
export const UNSHARED_REVISION = -1;

/**
 * Reads the state of the catalog and of a shared index.
 * @param id hash of the settings and the code on which the index depends
 */
export async function readSharedIndexState(database: Database, id: string): Promise<SharedIndexState> {
  const [row] = await database.read(
    `SELECT s.revision, s.complete_since, s.tidied, b.revision AS shared_revision, b.expires_at,
      (SELECT revision FROM catalog_rollback) AS rollback_revision
      FROM catalog_state s LEFT JOIN index_builders b ON b.id = $1`,
    [id],
  );
  const now = database.now();
  const expiresAt = Number(row?.expires_at ?? 0);
  return {
    ...toCatalogState(row),
    sharedRevision: Number(row?.shared_revision ?? 0),
    hasBuilder: expiresAt >= now && expiresAt <= now + 2 * LEASE_LIFETIME_MS,
    rollbackRevision: row?.rollback_revision == null ? undefined : Number(row.rollback_revision),
  };
}

/** The exclusive right of one server to build a shared index. */
export interface IndexBuilderLease {
  /** Takes the lease, unless another server holds it.  @returns whether this server holds the lease */
  acquire(): Promise<boolean>;
  isHeld(): boolean;
  /** Renews the lease, if this server holds it. */
  renew(): Promise<void>;
  /** Stores the revision of the last shared index, or `UNSHARED_REVISION`, if this server holds the lease. */
  saveRevision(revision: number): Promise<void>;
  release(): Promise<void>;
}

/** Creates a lease without taking it.  @param holder random id of this server */
export function createIndexBuilderLease(database: Database, id: string, holder: string): IndexBuilderLease {
  const { now } = database;
  let isHeld = false;
  /** @returns whether this server still holds the lease */
  const writeIfLeaseHeld = async (statement: Statement): Promise<boolean> =>
    (await tryWrite(database, [{ ...statement, requireRows: 1 }])) !== undefined;
  const update = async (expiresAt: number, revision?: number): Promise<void> => {
    if (!isHeld) return;
    isHeld = await writeIfLeaseHeld({
      sql: "UPDATE index_builders SET expires_at = $1, revision = COALESCE($2, revision) WHERE id = $3 AND holder = $4",
      params: [expiresAt, revision ?? null, id, holder],
      ...(revision === undefined ? {} : { topic: "catalog" }),
    });
  };
  return {
    async acquire() {
      isHeld ||= await writeIfLeaseHeld(createLeaseStatement("index_builders", id, holder, now()));
      return isHeld;
    },
    isHeld: () => isHeld,
    renew: () => update(now() + LEASE_LIFETIME_MS),
    saveRevision: (revision) => update(now() + LEASE_LIFETIME_MS, revision),
    async release() {
      await update(0);
      isHeld = false;
    },
  };
}

/** Returns a statement that makes all servers show an earlier revision of the catalog. */
export function startRollback(revision: number): Statement {
  return {
    sql: "INSERT INTO catalog_rollback (id, revision) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET revision = excluded.revision",
    params: [revision],
    topic: "catalog",
  };
}

/** A statement that makes all servers show the current catalog again. */
export const endRollbackStatement: Statement = { sql: "DELETE FROM catalog_rollback", params: [], topic: "catalog" };

/** Returns the revision that all servers show during a rollback; undefined without a rollback. */
export async function readRollback(database: Database): Promise<number | undefined> {
  const [row] = await database.read("SELECT revision FROM catalog_rollback");
  return row === undefined ? undefined : Number(row.revision);
}
