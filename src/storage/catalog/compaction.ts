import { type Database, formatPlaceholders, type Statement } from "../database.ts";
import { stagedStockQueries } from "../stock-store.ts";
import { readCatalogState } from "./catalog-store.ts";
import type { CatalogLease } from "./lease.ts";
import { createRowIndexes } from "./staging.ts";

/** Rows per statement. A statement takes the database a few milliseconds. */
const BATCH_SIZE = 300;
/**
 * Maximum number of stored records of removed rows. If there are more, they are deleted. A server whose index is older
 * than the records then rebuilds its index.
 */
const MAX_TOMBSTONES = 1_000;

/**
 * Waits between two writes, so that other clients can write.  @param writeTimeMs duration of the last write in milliseconds
 */
export type PauseFunction = (writeTimeMs: number) => Promise<void>;

/** Runs a statement, then pauses for other writes. */
type WriteFunction = (statement: Statement) => Promise<void>;

function createThrottledWriter(database: Database, lease: CatalogLease, pauseWrites: PauseFunction): WriteFunction {
  return async (statement) => {
    const start = performance.now();
    await database.write([lease.createRenewalStatement(), statement]);
    await pauseWrites(performance.now() - start);
  };
}

/**
 * Deletes rows in batches until none is left. Most imports find no such rows, and then need no commit.
 * @param find finds one of the rows
 * @param remove deletes a batch of them
 */
async function deleteInBatches(
  database: Database,
  write: WriteFunction,
  { find, remove }: { readonly find: string; readonly remove: string },
  params: readonly number[] = [],
): Promise<void> {
  while ((await database.read(find, params)).length > 0) await write({ sql: remove, params });
}

/** Deletes rows that an import staged but did not publish. */
export async function deleteStagedRows(
  database: Database,
  lease: CatalogLease,
  pauseWrites: PauseFunction,
): Promise<void> {
  const { revision } = await readCatalogState(database);
  const write = createThrottledWriter(database, lease, pauseWrites);
  await deleteInBatches(database, write, stagedStockQueries);
  // A stopped first import may have dropped the indexes.
  if (revision === 0 && database.defersIndexCreation) await createRowIndexes(database, lease);
  const stagedRowQueries = {
    find: "SELECT 1 AS one FROM catalog_rows WHERE revision > $1 LIMIT 1",
    remove: `DELETE FROM catalog_rows WHERE revision > $1
      AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE revision > $1 LIMIT ${BATCH_SIZE})`,
  };
  await deleteInBatches(database, write, stagedRowQueries, [revision]);
}

/**
 * Deletes rows that newer rows replaced. If there are more than `MAX_TOMBSTONES` records of removed rows, deletes them
 * too.
 */
export async function compactCatalog(
  database: Database,
  lease: CatalogLease,
  pauseWrites: PauseFunction,
): Promise<void> {
  const { revision, compactedRevision } = await readCatalogState(database);
  const write = createThrottledWriter(database, lease, pauseWrites);
  await deleteInBatches(database, write, stagedStockQueries);
  if (compactedRevision < revision) {
    // Start with the newest revision, because a variant that one revision removed may return in the next revision.
    // There may be many revisions, if earlier imports were stopped before their compaction.
    for (let newerRevision = revision; newerRevision > compactedRevision; newerRevision -= 1) {
      const olderRows = await database.read("SELECT 1 AS one FROM catalog_rows WHERE revision < $1 LIMIT 1", [
        newerRevision,
      ]);
      if (olderRows.length > 0) await deleteReplacedRows(database, write, newerRevision);
    }
    await write({ sql: "UPDATE catalog_state SET tidied = $1", params: [revision] });
  }
  // Keep the removals of the newest revision, because some servers may not have read them yet.
  const previousRevision = revision - 1;
  const [removalCount] = await database.read(
    "SELECT COUNT(*) AS rows FROM catalog_rows WHERE deleted = 1 AND +revision <= $1",
    [previousRevision],
  );
  if (Number(removalCount?.rows) <= MAX_TOMBSTONES) return;
  // Update the state before the deletion. A server that reads during the deletion then rebuilds its index instead of
  // missing a removal.
  await write({ sql: "UPDATE catalog_state SET complete_since = $1", params: [previousRevision] });
  // The "+" makes SQLite use the index of deleted rows instead of the index of revisions.
  const tombstonesSql = "FROM catalog_rows WHERE deleted = 1 AND +revision <= $1 LIMIT";
  const tombstoneQueries = {
    find: `SELECT 1 AS one ${tombstonesSql} 1`,
    remove: `DELETE FROM catalog_rows WHERE deleted = 1 AND revision <= $1
      AND (kind, id) IN (SELECT kind, id ${tombstonesSql} ${BATCH_SIZE})`,
  };
  await deleteInBatches(database, write, tombstoneQueries, [previousRevision]);
}

/** SQL condition for the rows of a revision in a range of positions. */
const batchCondition = "revision = $1 AND position > $2 AND position <= $3";

/** Deletes the rows that the given revision replaced with newer rows. */
async function deleteReplacedRows(database: Database, write: WriteFunction, revision: number): Promise<void> {
  let afterPosition = 0;
  for (;;) {
    const [row] = await database.read(
      `SELECT MAX(position) AS last FROM (SELECT position FROM catalog_rows
        WHERE revision = $1 AND position > $2 ORDER BY position LIMIT ${BATCH_SIZE}) AS batch`,
      [revision, afterPosition],
    );
    if (typeof row?.last !== "number") return;
    const batch = [revision, afterPosition, row.last];
    await deleteVariants(database, write, batch);
    await write({
      sql: `DELETE FROM catalog_rows WHERE revision < $1 AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE ${batchCondition})`,
      params: batch,
    });
    afterPosition = row.last;
  }
}

/**
 * Deletes variants from the lookup table if their products no longer contain them.
 * @param batch parameters of `batchCondition`
 */
async function deleteVariants(database: Database, write: WriteFunction, batch: readonly number[]): Promise<void> {
  const products = await database.read(
    `SELECT n.id, r.variant_ids AS before, n.variant_ids AS now FROM catalog_rows n
      CROSS JOIN catalog_rows r WHERE n.${batchCondition.replaceAll("AND ", "AND n.")} AND n.kind = 'product'
        AND r.kind = n.kind AND r.id = n.id AND r.revision < $1 AND r.variant_ids <> n.variant_ids`,
    batch,
  );
  for (const { id, before, now } of products) {
    const currentVariants = new Set(String(now).split("\n"));
    const removedVariants = String(before)
      .split("\n")
      .filter((variant) => !currentVariants.has(variant));
    for (let offset = 0; offset < removedVariants.length; offset += BATCH_SIZE) {
      const batchIds = removedVariants.slice(offset, offset + BATCH_SIZE);
      await write({
        sql: `DELETE FROM catalog_variants WHERE product_id = $1 AND variant_id IN (${formatPlaceholders(batchIds.length, 2)})`,
        params: [String(id), ...batchIds],
      });
    }
  }
}
