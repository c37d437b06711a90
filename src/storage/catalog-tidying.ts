import type { CatalogLease } from "./catalog-lease.ts";
import { readCatalogState } from "./catalog-store.ts";
import type { Database, SqlRow, Statement } from "./database.ts";

/** Rows deleted at once: a few milliseconds of the database's time. */
const BATCH = 300;
/** More removals than this are not told one by one to a server that is behind: it builds anew. */
const MAX_TOMBSTONES = 1_000;

/** Leaves the database to others between two writes. @param worked how long the last one took, in milliseconds */
export type Pause = (worked: number) => Promise<void>;

/** Deletes what an import staged and never published. */
export async function dropStaged(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  const { revision } = await readCatalogState(database);
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

/** Deletes rows that newer ones have replaced, and the traces of removals where they are many. */
export async function tidyCatalog(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  const { revision, tidied } = await readCatalogState(database);
  const write = async (statement: Statement): Promise<readonly SqlRow[]> => {
    const start = performance.now();
    const results = await database.write([lease.renewal(), statement]);
    await pause(performance.now() - start);
    return results[1] ?? [];
  };
  if (tidied < revision) {
    for (let fresh = tidied + 1; fresh <= revision; fresh += 1) await deleteReplaced(database, write, fresh);
    await write({ sql: "UPDATE catalog_state SET tidied = $1", params: [revision] });
  }
  const [removals] = await database.read("SELECT COUNT(*) AS rows FROM catalog_rows WHERE deleted = 1");
  if (Number(removals?.rows) <= MAX_TOMBSTONES) return;
  // First said, then done: a server that looks in between builds anew rather than miss a removal.
  await write({ sql: "UPDATE catalog_state SET complete_since = $1", params: [revision] });
  await deleteTombstones(write, revision);
}

/** Walks over the rows of a new revision; those they replaced are found by kind and id, at the same position. */
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
    await write({
      sql: `DELETE FROM catalog_rows WHERE revision < $1 AND position > $2 AND position <= $3
        AND EXISTS (SELECT 1 FROM catalog_rows n WHERE n.kind = catalog_rows.kind AND n.id = catalog_rows.id
          AND n.revision = $1)`,
      params: [revision, after, row.last],
    });
    after = row.last;
  }
}

async function deleteTombstones(
  write: (statement: Statement) => Promise<readonly SqlRow[]>,
  revision: number,
): Promise<void> {
  for (;;) {
    const deleted = await write({
      sql: `DELETE FROM catalog_rows WHERE deleted = 1 AND revision <= $1
        AND (kind, id) IN (SELECT kind, id FROM catalog_rows WHERE deleted = 1 AND revision <= $1 LIMIT ${BATCH})
        RETURNING id`,
      params: [revision],
    });
    if (deleted.length < BATCH) return;
  }
}
