import type { Kind } from "../../catalog/catalog.ts";
import type { RowKeys } from "../../catalog/rows/row-keys.ts";
import type { Database, SqlRow, SqlValue, Statement } from "../database.ts";
import { readCatalogState } from "./catalog-store.ts";
import type { CatalogLease } from "./lease.ts";
import { nameRevision } from "./revisions.ts";

/** Rows written at once: about ten milliseconds of the database's time, which is what a cart's write may have to wait. */
export const STAGE_BATCH = 200;

/** Batches without a change after which the lease is renewed all the same: a second or so. */
const RENEW_BATCHES = 50;

/** A row to be staged. */
export interface RowToStage extends RowKeys {
  /** As `formatRow` writes it. */
  readonly json: string;
}

/** A change of the catalogue in the making: nobody sees it before `publish`. */
export interface Staging {
  /** Stages rows, at most `STAGE_BATCH`; those that are as they were are passed over.
   *  @param onReplaced told of each row that takes the place of another, and of the JSON that was there  @returns how many differ */
  put(rows: readonly RowToStage[], onReplaced?: (index: number, before: string) => void): Promise<number>;
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
  let passed = 0;
  const write = async (statements: readonly Statement[]): Promise<void> => {
    await database.write([lease.renewal(), ...statements]);
  };

  const insert = async (rows: readonly (readonly SqlValue[])[]): Promise<void> => {
    await write([{ sql: `${insertRowsSql} ${valuesSql(rows.length, columnCount)}`, params: rows.flat() }]);
  };

  return {
    async put(rows, onReplaced) {
      const stored = published === 0 ? new Map<string, SqlRow>() : await readNewest(database, rows, published);
      const changed: SqlValue[][] = [];
      const variants: [string, string][] = [];
      for (const [index, { kind, id, handle, variantIds, json }] of rows.entries()) {
        const before = stored.get(`${kind} ${id}`);
        if (before?.data === json && before.deleted === 0) continue;
        if (before?.deleted === 0) onReplaced?.(index, String(before.data));
        if (before === undefined) position += 1;
        const list = variantIds.join("\n");
        if (before?.variant_ids !== list) for (const variant of variantIds) variants.push([variant, id]);
        changed.push([kind, id, revision, Number(before?.position ?? position), 0, handle, list, json]);
      }
      for (let at = 0; at < variants.length; at += VARIANTS_AT_ONCE) {
        await write([insertVariants(variants.slice(at, at + VARIANTS_AT_ONCE))]);
      }
      passed += changed.length === 0 ? 1 : 0;
      if (changed.length > 0) await insert(changed);
      else if (passed % RENEW_BATCHES === 0) await write([]);
      return changed.length;
    },
    remove: (rows) => insert(rows.map(({ kind, id, position: place }) => [kind, id, revision, place, 1, "", "", ""])),
    async publish() {
      await write([
        {
          sql: "UPDATE catalog_state SET revision = $1 WHERE revision = $2",
          params: [revision, published],
          requireRows: 1,
        },
        // No two imports have the same holder.
        ...nameRevision(revision, lease.holder),
      ]);
      return revision;
    },
  };
}

/** Variants written at once; one text of SQL for all of them, so a short list is filled up with its last one. */
const VARIANTS_AT_ONCE = 250;
const insertRowsSql =
  "INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data) VALUES";
const columnCount = 8;

function insertVariants(variants: readonly (readonly [string, string])[]): Statement {
  const last = variants.at(-1) ?? ["", ""];
  const full = Array.from({ length: VARIANTS_AT_ONCE }, (_, index) => variants[index] ?? last);
  const values = valuesSql(VARIANTS_AT_ONCE, 2);
  return {
    sql: `INSERT INTO catalog_variants (variant_id, product_id) VALUES ${values} ON CONFLICT DO NOTHING`,
    params: full.flat(),
  };
}

/** "($1, $2), ($3, $4)" */
function valuesSql(rows: number, columns: number): string {
  const list = (row: number) => Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
  return Array.from({ length: rows }, (_, row) => `(${list(row).join(", ")})`).join(", ");
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
      `SELECT id, position, deleted, variant_ids, data FROM catalog_rows
        WHERE kind = $1 AND revision <= $2 AND id IN (${list}) ORDER BY revision`,
      [kind, revision, ...ids],
    );
    for (const row of found) newest.set(`${kind} ${row.id}`, row);
  }
  return newest;
}
