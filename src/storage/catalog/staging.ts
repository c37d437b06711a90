import type { RowKeys } from "../../catalog/rows/row-keys.ts";
import { type Database, formatPlaceholders, type SqlRow, type SqlValue, type Statement } from "../database.ts";
import { stagedStockStatements } from "../stock-store.ts";
import { readCatalogState, readLastPosition, type StoredRow } from "./catalog-store.ts";
import type { CatalogLease } from "./lease.ts";
import { type ReplacedProduct, stageChangedStock } from "./lookups.ts";
import { saveRevisionToken } from "./revisions.ts";

/** Rows per write. A write takes about 10 milliseconds, and a write to a cart may wait that long. */
export const STAGE_BATCH_ROWS = 200;

/**
 * Rows per commit of a first import. The number is larger than for later imports, because no shopper waits while the
 * store is empty.
 */
const FIRST_IMPORT_BATCH_ROWS = 5_000;

/** Maximum characters per statement, so that long rows do not hold SQLite's lock too long. */
const MAX_STATEMENT_LENGTH = 1_000_000;

/** Number of batches without changed rows after which the lease is renewed. Comparing them takes about one second. */
const LEASE_RENEWAL_BATCHES = 50;

/** A row to write to the catalog. It stays invisible until the change is published. */
export interface StagedRow extends RowKeys {
  /** Row as JSON, in the format of the column `data`. */
  readonly json: string;
}

/**
 * Starts a change of the catalog that is invisible until `publish`. Requires the lease (`takeCatalogLease`), and that
 * no rows are staged (`deleteStagedRows`).
 */
export async function beginStaging(database: Database, lease: CatalogLease) {
  const { revision: publishedRevision } = await readCatalogState(database);
  const revision = publishedRevision + 1;
  let position = await readLastPosition(database);
  let unchangedBatchCount = 0;
  const write = async (statements: readonly Statement[]): Promise<void> => {
    await database.write([lease.createRenewalStatement(), ...statements]);
  };
  /** The last statement that stages rows. It waits for `publish`, so that a small change has one commit. */
  let lastStatement: Statement | undefined;
  /** Writes the statements one by one, except the last one, so that writes to carts can start in between. */
  const stage = async (statements: readonly Statement[]): Promise<void> => {
    for (const statement of statements) {
      const previousStatement = lastStatement;
      lastStatement = statement;
      if (previousStatement !== undefined) await write([previousStatement]);
    }
  };

  // The indexes are not needed while the catalog is empty.
  const isFirstImport = publishedRevision === 0 && database.defersIndexCreation;
  if (isFirstImport) await dropRowIndexes(database, lease);
  let hasStockChanges = false;

  return {
    /** Maximum number of rows per call of `put`. */
    batch: isFirstImport ? FIRST_IMPORT_BATCH_ROWS : STAGE_BATCH_ROWS,
    /**
     * Stages at most `batch` rows and skips unchanged rows.
     * @param onRowStaged receives the index in `rows` of each new or changed row, and the JSON that the row replaces;
     * undefined for a new row
     * @returns the number of changed rows
     */
    async put(rows: readonly StagedRow[], onRowStaged: (index: number, previousJson: string | undefined) => void) {
      const publishedRows =
        publishedRevision === 0 ? new Map<string, SqlRow>() : await readNewestRows(database, rows, publishedRevision);
      const changedRows: SqlValue[][] = [];
      const variants: [string, string][] = [];
      const products: ReplacedProduct[] = [];
      for (const [index, { kind, id, handle, variantIds, json }] of rows.entries()) {
        const previousRow = publishedRows.get(`${kind} ${id}`);
        if (previousRow?.data === json && previousRow.deleted === 0) continue;
        onRowStaged(index, previousRow?.deleted === 0 ? String(previousRow.data) : undefined);
        if (previousRow === undefined) position += 1;
        const variantIdList = variantIds.join("\n");
        if (previousRow?.variant_ids !== variantIdList) for (const variant of variantIds) variants.push([variant, id]);
        if (kind === "product" && previousRow?.deleted === 0)
          products.push({ json, previousJson: String(previousRow.data) });
        changedRows.push([
          kind,
          id,
          revision,
          Number(previousRow?.position ?? position),
          0,
          handle,
          variantIdList,
          json,
        ]);
      }
      const stock = stageChangedStock(products);
      hasStockChanges ||= stock.length > 0;
      const statements = [...stock, ...insertVariants(variants, !isFirstImport), ...insertRows(changedRows)];
      unchangedBatchCount += changedRows.length === 0 ? 1 : 0;
      if (isFirstImport) await write(statements);
      else if (changedRows.length > 0) await stage(statements);
      else if (unchangedBatchCount % LEASE_RENEWAL_BATCHES === 0) await write([]);
      return changedRows.length;
    },
    /** Stages the removal of at most `STAGE_BATCH_ROWS` rows. */
    async remove(rows: readonly Pick<StoredRow, "kind" | "id" | "position">[]) {
      await stage(insertRows(rows.map(({ kind, id, position }) => [kind, id, revision, position, 1, "", "", ""])));
    },
    /**
     * Publishes the change in one short write.
     * @param additionalStatements statements to run in the same transaction
     * @returns the new revision
     */
    async publish(additionalStatements: readonly Statement[]) {
      if (isFirstImport) await createRowIndexes(database, lease);
      await write([
        ...(lastStatement === undefined ? [] : [lastStatement]),
        {
          sql: "UPDATE catalog_state SET revision = $1 WHERE revision = $2",
          params: [revision, publishedRevision],
          requireRows: 1,
          topic: "catalog",
        },
        // The ID of the lease holder is unique for each import, so it can serve as the revision's name.
        ...saveRevisionToken(revision, lease.holder),
        ...(hasStockChanges ? stagedStockStatements : []),
        ...additionalStatements,
      ]);
      return revision;
    },
  };
}

const VARIANTS_PER_STATEMENT = 250;
const insertRowsSql =
  "INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data) VALUES";
const columnCount = 8;

function insertRows(rows: readonly (readonly SqlValue[])[]): readonly Statement[] {
  return splitIntoParts(rows, STAGE_BATCH_ROWS, (row) => String(row.at(-1)).length).map((part) => ({
    sql: `${insertRowsSql} ${formatValuesSql(part.length, columnCount)}`,
    params: part.flat(),
  }));
}

/**
 * Returns statements that insert variants into the lookup table.
 * @param padsShortLists whether a short list repeats its last variant, so that the SQL text is always the same
 */
function insertVariants(
  variants: readonly (readonly [string, string])[],
  padsShortLists: boolean,
): readonly Statement[] {
  return splitIntoParts(variants, VARIANTS_PER_STATEMENT).map((part) => {
    const lastVariant = part.at(-1) ?? ["", ""];
    const paddedVariants = padsShortLists
      ? Array.from({ length: VARIANTS_PER_STATEMENT }, (_, index) => part[index] ?? lastVariant)
      : part;
    const values = formatValuesSql(paddedVariants.length, 2);
    return {
      sql: `INSERT INTO catalog_variants (variant_id, product_id) VALUES ${values} ON CONFLICT DO NOTHING`,
      params: paddedVariants.flat(),
    };
  });
}

/**
 * Splits a list into parts of at most `max` items and `MAX_STATEMENT_LENGTH` characters. A longer item gets its own
 * part.
 * @param getLength returns the length of an item in characters
 */
function splitIntoParts<T>(
  list: readonly T[],
  max: number,
  getLength: (item: T) => number = () => 0,
): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let remainingLength = 0;
  for (const item of list) {
    const length = getLength(item);
    const lastPart = parts.at(-1);
    if (lastPart === undefined || lastPart.length === max || length > remainingLength) {
      parts.push([item]);
      remainingLength = MAX_STATEMENT_LENGTH - length;
    } else {
      lastPart.push(item);
      remainingLength -= length;
    }
  }
  return parts;
}

/** Returns SQL placeholders for rows, such as "($1, $2), ($3, $4)". */
function formatValuesSql(rows: number, columns: number): string {
  return Array.from({ length: rows }, (_, row) => `(${formatPlaceholders(columns, row * columns + 1)})`).join(", ");
}

/** Reads the published versions of these rows. Includes deleted rows, because their positions are reused. */
async function readNewestRows(
  database: Database,
  rows: readonly StagedRow[],
  revision: number,
): Promise<Map<string, SqlRow>> {
  const newestRows = new Map<string, SqlRow>();
  for (const [kind, group] of Map.groupBy(rows, (row) => row.kind)) {
    const ids = group.map((row) => row.id);
    const matchingRows = await database.read(
      `SELECT id, position, deleted, variant_ids, data FROM catalog_rows
        WHERE kind = $1 AND revision <= $2 AND id IN (${formatPlaceholders(ids.length, 3)}) ORDER BY revision`,
      [kind, revision, ...ids],
    );
    for (const row of matchingRows) newestRows.set(`${kind} ${row.id}`, row);
  }
  return newestRows;
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
 * Drops the indexes before a first import. Also empties the lookup table of variants, which may contain rows of a
 * canceled import.
 */
async function dropRowIndexes(database: Database, lease: CatalogLease): Promise<void> {
  const dropIndexSql = Object.keys(indexes).map(
    (name): Statement => ({ sql: `DROP INDEX IF EXISTS ${name}`, params: [] }),
  );
  await database.write([
    lease.createRenewalStatement(),
    { sql: "DELETE FROM catalog_variants", params: [] },
    ...dropIndexSql,
  ]);
}

/** Creates the missing indexes. */
export async function createRowIndexes(database: Database, lease: CatalogLease): Promise<void> {
  for (const index of Object.values(indexes))
    await database.write([lease.createRenewalStatement(), { sql: `CREATE ${index}`, params: [] }]);
}
