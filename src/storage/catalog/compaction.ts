import type { Database, SqlRow, Statement } from "../database.ts";
import { deleteStagedStock } from "../stock-store.ts";
import { readCatalogState } from "./catalog-store.ts";
import type { CatalogLease } from "./lease.ts";
import { makeRowIndexes } from "./staging.ts";

/** Rows per statement, which takes the database a few milliseconds. */
const BATCH = 300;
/** Maximum records of removals. If there are more, they are deleted, and a server with an old index rebuilds it. */
const MAX_TOMBSTONES = 1_000;

/** Waits between two writes, so that other clients can write.  @param worked milliseconds of the last write */
export type Pause = (worked: number) => Promise<void>;

/** Runs a statement and pauses.  @returns the rows of the statement */
type Write = (statement: Statement) => Promise<readonly SqlRow[]>;

function writeWithPauses(database: Database, lease: CatalogLease, pause: Pause): Write {
  return async (statement) => {
    const start = performance.now();
    const results = await database.write([lease.renewal(), statement]);
    await pause(performance.now() - start);
    return results[1] ?? [];
  };
}

/** Repeats a statement that deletes a batch and returns its rows, until no row is left. */
async function deleteInBatches(write: Write, statement: Statement): Promise<void> {
  while ((await write(statement)).length > 0);
}

/** Deletes rows that an import staged and did not publish. */
export async function dropStaged(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  const { revision } = await readCatalogState(database);
  const write = writeWithPauses(database, lease, pause);
  await deleteInBatches(write, deleteStagedStock);
  // A first import that was stopped may have dropped the indexes.
  if (revision === 0 && database.indexesLast) await makeRowIndexes(database, lease);
  await deleteInBatches(write, {
    sql: `DELETE FROM catalog_rows WHERE revision > $1
      AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE revision > $1 LIMIT ${BATCH}) RETURNING id`,
    params: [revision],
  });
}

/** Deletes replaced rows, and also records of removals if there are many. */
export async function compactCatalog(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  const { revision, compactedUpTo } = await readCatalogState(database);
  const write = writeWithPauses(database, lease, pause);
  await deleteInBatches(write, deleteStagedStock);
  if (compactedUpTo < revision) {
    // Newest revision first, because a variant removed in one revision may return in the next. A stopped import may
    // leave many revisions.
    for (let fresh = revision; fresh > compactedUpTo; fresh -= 1) {
      const older = await database.read("SELECT 1 AS one FROM catalog_rows WHERE revision < $1 LIMIT 1", [fresh]);
      if (older.length > 0) await deleteReplaced(database, write, fresh);
    }
    await write({ sql: "UPDATE catalog_state SET tidied = $1", params: [revision] });
  }
  // Some servers may not have read the newest revision yet.
  const older = revision - 1;
  const [removals] = await database.read(
    "SELECT COUNT(*) AS rows FROM catalog_rows WHERE deleted = 1 AND +revision <= $1",
    [older],
  );
  if (Number(removals?.rows) <= MAX_TOMBSTONES) return;
  // Stored before the deletion: a server that reads in between rebuilds its index instead of missing a removal.
  await write({ sql: "UPDATE catalog_state SET complete_since = $1", params: [older] });
  await deleteInBatches(write, {
    // The "+" makes SQLite use the index of deleted rows instead of the index of revisions.
    sql: `DELETE FROM catalog_rows WHERE deleted = 1 AND revision <= $1
      AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE deleted = 1 AND +revision <= $1 LIMIT ${BATCH})
      RETURNING id`,
    params: [older],
  });
}

/** SQL condition for the rows of a revision in a range of positions. */
const ofBatch = "revision = $1 AND position > $2 AND position <= $3";

/** Deletes all rows that the rows of a revision replace. */
async function deleteReplaced(database: Database, write: Write, revision: number): Promise<void> {
  let after = 0;
  for (;;) {
    const [row] = await database.read(
      `SELECT MAX(position) AS last FROM (SELECT position FROM catalog_rows
        WHERE revision = $1 AND position > $2 ORDER BY position LIMIT ${BATCH}) AS batch`,
      [revision, after],
    );
    if (typeof row?.last !== "number") return;
    const batch = [revision, after, row.last];
    await deleteVariants(database, write, batch);
    await write({
      sql: `DELETE FROM catalog_rows WHERE revision < $1 AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE ${ofBatch})`,
      params: batch,
    });
    after = row.last;
  }
}

/**
 * Deletes variants from the lookup table that their products no longer contain.
 * @param batch parameters of `ofBatch`
 */
async function deleteVariants(database: Database, write: Write, batch: readonly number[]): Promise<void> {
  const products = await database.read(
    `SELECT n.id, r.variant_ids AS before, n.variant_ids AS now FROM catalog_rows n
      CROSS JOIN catalog_rows r WHERE n.${ofBatch.replaceAll("AND ", "AND n.")} AND n.kind = 'product'
        AND r.kind = n.kind AND r.id = n.id AND r.revision < $1 AND r.variant_ids <> n.variant_ids`,
    batch,
  );
  for (const { id, before, now } of products) {
    const current = new Set(String(now).split("\n"));
    const removed = String(before)
      .split("\n")
      .filter((variant) => !current.has(variant));
    for (let at = 0; at < removed.length; at += BATCH) {
      const list = removed.slice(at, at + BATCH);
      const places = list.map((_, index) => `$${index + 2}`).join(", ");
      await write({
        sql: `DELETE FROM catalog_variants WHERE product_id = $1 AND variant_id IN (${places})`,
        params: [String(id), ...list],
      });
    }
  }
}
