import type { Kind } from "../../catalog/catalog.ts";
import type { RowKeys } from "../../catalog/rows/row-keys.ts";
import type { Database, SqlRow, SqlValue, Statement } from "../database.ts";
import { publishStagedStock } from "../stock-store.ts";
import { lastPosition, readCatalogState } from "./catalog-store.ts";
import type { CatalogLease } from "./lease.ts";
import { type ReplacedProduct, stockToStage } from "./lookups.ts";
import { nameRevision } from "./revisions.ts";

/** Rows per write, which takes about 10 milliseconds. A write to a cart may wait that long. */
export const STAGE_BATCH = 200;

/** Rows per commit of a first import. No shopper waits while the store is empty. */
export const FIRST_BATCH = 5_000;

/** Maximum characters per statement, so that long rows do not hold SQLite's lock too long. */
const MAX_LENGTH = 1_000_000;

/** Number of unchanged batches after which the lease is renewed, about one second. */
const RENEW_BATCHES = 50;

/** A row to stage. */
export interface RowToStage extends RowKeys {
  /** JSON from `formatRow`. */
  readonly json: string;
}

/**
 * Starts a change of the catalog that is invisible until `publish`. Requires the lease (`takeCatalogLease`), and that
 * no rows are staged (`dropStaged`).
 */
export async function beginStaging(database: Database, lease: CatalogLease) {
  const { revision: published } = await readCatalogState(database);
  const revision = published + 1;
  let position = await lastPosition(database);
  let passed = 0;
  const write = async (statements: readonly Statement[]): Promise<void> => {
    await database.write([lease.renewal(), ...statements]);
  };

  // The indexes are not needed while the catalog is empty.
  const isFirst = published === 0 && database.indexesLast;
  if (isFirst) await dropRowIndexes(database, lease);
  let setsStock = false;

  return {
    /** Best number of rows for `put`. */
    batch: isFirst ? FIRST_BATCH : STAGE_BATCH,
    /**
     * Stages at most `batch` rows and skips unchanged rows.
     * @param onReplaced receives the index of each row that replaces another row, and the replaced JSON
     * @returns the number of changed rows
     */
    async put(rows: readonly RowToStage[], onReplaced?: (index: number, before: string) => void) {
      const stored = published === 0 ? new Map<string, SqlRow>() : await readNewest(database, rows, published);
      const changed: SqlValue[][] = [];
      const variants: [string, string][] = [];
      const products: ReplacedProduct[] = [];
      for (const [index, { kind, id, handle, variantIds, json }] of rows.entries()) {
        const before = stored.get(`${kind} ${id}`);
        if (before?.data === json && before.deleted === 0) continue;
        if (before?.deleted === 0) onReplaced?.(index, String(before.data));
        if (before === undefined) position += 1;
        const list = variantIds.join("\n");
        if (before?.variant_ids !== list) for (const variant of variantIds) variants.push([variant, id]);
        if (kind === "product" && before?.deleted === 0) products.push({ json, before: String(before.data) });
        changed.push([kind, id, revision, Number(before?.position ?? position), 0, handle, list, json]);
      }
      const stock = stockToStage(products);
      setsStock ||= stock.length > 0;
      const statements = [...stock, ...insertVariants(variants, !isFirst), ...insertRows(changed)];
      passed += changed.length === 0 ? 1 : 0;
      if (isFirst) await write(statements);
      else if (changed.length > 0) for (const statement of statements) await write([statement]);
      else if (passed % RENEW_BATCHES === 0) await write([]);
      return changed.length;
    },
    /** Stages the removal of at most `STAGE_BATCH` rows. */
    async remove(rows: readonly { readonly kind: Kind; readonly id: string; readonly position: number }[]) {
      await write(insertRows(rows.map(({ kind, id, position: place }) => [kind, id, revision, place, 1, "", "", ""])));
    },
    /**
     * Publishes the change in one short write.
     * @param beside statements of the same transaction
     * @returns the new revision
     */
    async publish(beside: readonly Statement[] = []) {
      if (isFirst) await makeRowIndexes(database, lease);
      await write([
        {
          sql: "UPDATE catalog_state SET revision = $1 WHERE revision = $2",
          params: [revision, published],
          requireRows: 1,
        },
        // The holder of the lease is unique for each import, so it can serve as the name.
        ...nameRevision(revision, lease.holder),
        ...(setsStock ? publishStagedStock : []),
        ...beside,
      ]);
      return revision;
    },
  };
}

/** Variants per statement. */
const VARIANTS_AT_ONCE = 250;
const insertRowsSql =
  "INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data) VALUES";
const columnCount = 8;

function insertRows(rows: readonly (readonly SqlValue[])[]): readonly Statement[] {
  return inParts(rows, STAGE_BATCH, (row) => String(row.at(-1)).length).map((part) => ({
    sql: `${insertRowsSql} ${valuesSql(part.length, columnCount)}`,
    params: part.flat(),
  }));
}

/**
 * Returns statements that insert rows of the variant lookup.
 * @param isFilled whether a short list repeats its last variant, so that the SQL text is always the same
 */
function insertVariants(variants: readonly (readonly [string, string])[], isFilled: boolean): readonly Statement[] {
  return inParts(variants, VARIANTS_AT_ONCE).map((part) => {
    const last = part.at(-1) ?? ["", ""];
    const list = isFilled ? Array.from({ length: VARIANTS_AT_ONCE }, (_, index) => part[index] ?? last) : part;
    const values = valuesSql(list.length, 2);
    return {
      sql: `INSERT INTO catalog_variants (variant_id, product_id) VALUES ${values} ON CONFLICT DO NOTHING`,
      params: list.flat(),
    };
  });
}

/**
 * Splits a list into parts of at most `max` items and `MAX_LENGTH` characters. A longer item gets its own part.
 * @param lengthOf returns the length of an item in characters
 */
function inParts<T>(
  list: readonly T[],
  max: number,
  lengthOf: (one: T) => number = () => 0,
): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let room = 0;
  for (const one of list) {
    const length = lengthOf(one);
    const last = parts.at(-1);
    if (last === undefined || last.length === max || length > room) {
      parts.push([one]);
      room = MAX_LENGTH - length;
    } else {
      last.push(one);
      room -= length;
    }
  }
  return parts;
}

/** Returns SQL placeholders for rows: "($1, $2), ($3, $4)". */
function valuesSql(rows: number, columns: number): string {
  const list = (row: number) => Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
  return Array.from({ length: rows }, (_, row) => `(${list(row).join(", ")})`).join(", ");
}

/**
 * Reads the published rows of the same kinds and IDs. Includes deleted rows, because their positions are used again.
 */
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

/**
 * Indexes that a first import creates after it stored all rows, so that each index is sorted once. Row-by-row updates
 * would rewrite most index pages in each commit.
 */
const indexes = {
  catalog_rows_key: "UNIQUE INDEX IF NOT EXISTS catalog_rows_key ON catalog_rows (kind, id, revision)",
  catalog_rows_handle: "INDEX IF NOT EXISTS catalog_rows_handle ON catalog_rows (kind, handle)",
  catalog_variants_key: "UNIQUE INDEX IF NOT EXISTS catalog_variants_key ON catalog_variants (variant_id, product_id)",
} as const;

/**
 * Drops the indexes before a first import, and empties the variant lookup, which may contain rows of a canceled import.
 */
export async function dropRowIndexes(database: Database, lease: CatalogLease): Promise<void> {
  const drops = Object.keys(indexes).map((name): Statement => ({ sql: `DROP INDEX IF EXISTS ${name}`, params: [] }));
  await database.write([lease.renewal(), { sql: "DELETE FROM catalog_variants", params: [] }, ...drops]);
}

/** Creates the missing indexes. */
export async function makeRowIndexes(database: Database, lease: CatalogLease): Promise<void> {
  for (const index of Object.values(indexes))
    await database.write([lease.renewal(), { sql: `CREATE ${index}`, params: [] }]);
}
