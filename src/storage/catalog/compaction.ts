import type { Database, SqlRow, Statement } from "../database.ts";
import { forgetStagedStock } from "../stock-store.ts";
import { readCatalogState } from "./catalog-store.ts";
import type { CatalogLease } from "./lease.ts";
import { makeRowIndexes } from "./staging.ts";

/** Rows deleted at once: a few milliseconds of the database's time. */
const BATCH = 300;
/** More removals than this, before the newest revision, are not told one by one to a server that is behind: it builds anew. */
const MAX_TOMBSTONES = 1_000;

/** Leaves the database to others between two writes. @param worked how long the last one took, in milliseconds */
export type Pause = (worked: number) => Promise<void>;

/** Deletes what an import staged and never published. */
export async function dropStaged(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  const { revision } = await readCatalogState(database);
  await dropStagedStock(database, lease, pause);
  // A first import that was stopped had taken them away.
  if (revision === 0 && database.indexesLast) await makeRowIndexes(database, lease);
  for (;;) {
    const start = performance.now();
    const [, deleted = []] = await database.write([
      lease.renewal(),
      {
        sql: `DELETE FROM catalog_rows WHERE revision > $1
          AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE revision > $1 LIMIT ${BATCH}) RETURNING id`,
        params: [revision],
      },
    ]);
    if (deleted.length === 0) return;
    await pause(performance.now() - start);
  }
}

async function dropStagedStock(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  for (;;) {
    const start = performance.now();
    const [, deleted = []] = await database.write([lease.renewal(), forgetStagedStock]);
    if (deleted.length === 0) return;
    await pause(performance.now() - start);
  }
}

/** Deletes rows that newer ones have replaced, and the traces of removals where they are many. */
export async function compactCatalog(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  const { revision, tidied } = await readCatalogState(database);
  await dropStagedStock(database, lease, pause);
  const write = async (statement: Statement): Promise<readonly SqlRow[]> => {
    const start = performance.now();
    const results = await database.write([lease.renewal(), statement]);
    await pause(performance.now() - start);
    return results[1] ?? [];
  };
  if (tidied < revision) {
    // From the newest on down, so that each row that is met is what its product is now: revisions that a stopped import left
    // are many at once, and a variant taken off in one may be back in the next.
    for (let fresh = revision; fresh > tidied; fresh -= 1) {
      const older = await database.read("SELECT 1 AS one FROM catalog_rows WHERE revision < $1 LIMIT 1", [fresh]);
      if (older.length > 0) await deleteReplaced(database, write, fresh);
    }
    await write({ sql: "UPDATE catalog_state SET tidied = $1", params: [revision] });
  }
  // Those of the newest revision stay: servers are about to hear of it.
  const older = revision - 1;
  const [removals] = await database.read(
    "SELECT COUNT(*) AS rows FROM catalog_rows WHERE deleted = 1 AND +revision <= $1",
    [older],
  );
  if (Number(removals?.rows) <= MAX_TOMBSTONES) return;
  // First said, then done: a server that looks in between builds anew rather than miss a removal.
  await write({ sql: "UPDATE catalog_state SET complete_since = $1", params: [older] });
  await deleteTombstones(write, older);
}

/** Rows of a revision in a part of the order. */
const ofBatch = "revision = $1 AND position > $2 AND position <= $3";

/** Walks over the rows of a revision that no newer one replaces; those they replaced are found by kind and id. */
async function deleteReplaced(
  database: Database,
  write: (statement: Statement) => Promise<unknown>,
  revision: number,
): Promise<void> {
  let after = 0;
  for (;;) {
    const [row] = await database.read(
      `SELECT MAX(position) AS last FROM (SELECT position FROM catalog_rows
        WHERE revision = $1 AND position > $2 ORDER BY position LIMIT ${BATCH}) AS batch`,
      [revision, after],
    );
    if (typeof row?.last !== "number") return;
    const batch = [revision, after, row.last];
    await forgetVariants(database, write, batch);
    await write({
      sql: `DELETE FROM catalog_rows WHERE revision < $1 AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE ${ofBatch})`,
      params: batch,
    });
    after = row.last;
  }
}

/** Takes variants that products have no more out of the look-up. @param batch of `ofBatch` */
async function forgetVariants(
  database: Database,
  write: (statement: Statement) => Promise<unknown>,
  batch: readonly number[],
): Promise<void> {
  const products = await database.read(
    `SELECT n.id, r.variant_ids AS before, n.variant_ids AS now FROM catalog_rows n
      CROSS JOIN catalog_rows r WHERE n.${ofBatch.replaceAll("AND ", "AND n.")} AND n.kind = 'product'
        AND r.kind = n.kind AND r.id = n.id AND r.revision < $1 AND r.variant_ids <> n.variant_ids`,
    batch,
  );
  for (const { id, before, now } of products) {
    const kept = new Set(String(now).split("\n"));
    const gone = String(before)
      .split("\n")
      .filter((variant) => !kept.has(variant));
    for (let at = 0; at < gone.length; at += BATCH) {
      const list = gone.slice(at, at + BATCH);
      const places = list.map((_, index) => `$${index + 2}`).join(", ");
      await write({
        sql: `DELETE FROM catalog_variants WHERE product_id = $1 AND variant_id IN (${places})`,
        params: [String(id), ...list],
      });
    }
  }
}

/** "+" keeps SQLite from walking over all revisions rather than over what is deleted. */
async function deleteTombstones(
  write: (statement: Statement) => Promise<readonly SqlRow[]>,
  revision: number,
): Promise<void> {
  for (;;) {
    const deleted = await write({
      sql: `DELETE FROM catalog_rows WHERE deleted = 1 AND revision <= $1
        AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE deleted = 1 AND +revision <= $1 LIMIT ${BATCH})
        RETURNING id`,
      params: [revision],
    });
    if (deleted.length < BATCH) return;
  }
}
