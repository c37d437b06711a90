import type { Kind } from "../catalog/catalog.ts";
import type { RowKeys } from "../catalog/row-keys.ts";
import type { CatalogLease } from "./catalog-lease.ts";
import { readCatalogState } from "./catalog-store.ts";
import type { Database, SqlRow, Statement } from "./database.ts";

/** Rows written at once: about ten milliseconds of the database's time, which is what a cart's write may have to wait. */
export const STAGE_BATCH = 200;

/** A row to be staged. */
export interface RowToStage extends RowKeys {
  /** As `formatRow` writes it. */
  readonly json: string;
}

/** A change of the catalogue in the making: nobody sees it before `publish`. */
export interface Staging {
  /** Stages rows, at most `STAGE_BATCH`; those that are as they were are passed over. @returns how many differ */
  put(rows: readonly RowToStage[]): Promise<number>;
  /** Stages the removal of rows, at most `STAGE_BATCH`. */
  remove(rows: readonly { readonly kind: Kind; readonly id: string; readonly position: number }[]): Promise<void>;
  /** Shows the change to shoppers, in one short write. @returns the new revision */
  publish(): Promise<number>;
}

/** Begins a change; there must be no other (see `takeCatalogLease`), and no leftovers (see `dropStaged`). */
export async function beginStaging(database: Database, lease: CatalogLease): Promise<Staging> {
  const { revision: published } = await readCatalogState(database);
  const revision = published + 1;
  const [last] = await database.read("SELECT COALESCE(MAX(position), 0) AS position FROM catalog_rows");
  let position = Number(last?.position);
  const write = async (statements: readonly Statement[]): Promise<void> => {
    await database.write([lease.renewal(), ...statements]);
  };

  return {
    async put(rows) {
      const stored = published === 0 ? new Map<string, SqlRow>() : await readNewest(database, rows, published);
      const changed: Statement[] = [];
      for (const row of rows) {
        const before = stored.get(`${row.kind} ${row.id}`);
        if (before?.data === row.json && before.deleted === 0) continue;
        if (before === undefined) position += 1;
        changed.push(insertRow(row, revision, Number(before?.position ?? position)));
      }
      if (changed.length > 0) await write(changed);
      return changed.length;
    },
    remove: (rows) =>
      write(
        rows.map(({ kind, id, position: place }) => ({
          sql: insertSql,
          params: [kind, id, revision, place, 1, "", "", ""],
        })),
      ),
    async publish() {
      await write([
        {
          sql: "UPDATE catalog_state SET revision = $1 WHERE revision = $2",
          params: [revision, published],
          requireRow: true,
        },
      ]);
      return revision;
    },
  };
}

const insertSql = `INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

function insertRow(row: RowToStage, revision: number, position: number): Statement {
  const { kind, id, handle, variantIds, json } = row;
  return { sql: insertSql, params: [kind, id, revision, position, 0, handle, variantIds.join("\n"), json] };
}

/** The published rows of the same kinds and ids, deleted ones with them, which keep their place in the order. */
async function readNewest(
  database: Database,
  rows: readonly RowToStage[],
  revision: number,
): Promise<Map<string, SqlRow>> {
  const newest = new Map<string, SqlRow>();
  for (const [kind, group] of Map.groupBy(rows, (row) => row.kind)) {
    const ids = group.map((row) => row.id);
    const list = ids.map((_, index) => `$${index + 3}`).join(", ");
    const found = await database.read(
      `SELECT id, position, deleted, data FROM catalog_rows
        WHERE kind = $1 AND revision <= $2 AND id IN (${list}) ORDER BY revision`,
      [kind, revision, ...ids],
    );
    for (const row of found) newest.set(`${kind} ${row.id}`, row);
  }
  return newest;
}
