import type { StockLevel } from "../catalog/stock.ts";
import {
  type Database,
  formatPlaceholders,
  readInBatches,
  type SqlRow,
  type Statement,
  splitByPowersOfTwo,
} from "./database.ts";

const columns = "variant_id, quantity, held, changed";
const stockNumberSql = "(SELECT number FROM stock_sequence WHERE id = 1)";
/** SQL expression for the reserved units after a release, at least 0. */
const reservedAfterReleaseSql = "CASE WHEN held < CAST($2 AS BIGINT) THEN 0 ELSE held - CAST($2 AS BIGINT) END";

/** Quantity of a variant in the catalog. */
export interface CatalogStock {
  readonly variantId: string;
  readonly quantity: number;
}

/**
 * First statement of a transaction that changes stock. Such transactions wait for each other here, which prevents
 * deadlocks. Change numbers therefore become visible in order, so that a reader of the changes misses none.
 */
export const stockNumberStatement: Statement = {
  sql: "UPDATE stock_sequence SET number = number + 1 WHERE id = 1",
  params: [],
  requireRows: 1,
  topic: "stock",
};

/**
 * Inserts missing stock rows with the variants' catalog quantities at a revision. If a product changed since that
 * revision, no row is inserted, and the caller must retry with the newer catalog.
 */
export function ensureStockRows(stock: readonly CatalogStock[], revision: number): readonly Statement[] {
  return splitByPowersOfTwo(stock).map((part) => ({
    sql: `INSERT INTO stock_levels (variant_id, quantity, held, changed)
      SELECT v.column1, v.column2, 0, ${stockNumberSql} FROM (${formatValuesSql(part.length, 2)}) AS v
      WHERE NOT EXISTS (
        SELECT 1 FROM catalog_variants c CROSS JOIN catalog_rows r CROSS JOIN catalog_state s
          WHERE c.variant_id = v.column1 AND r.kind = 'product' AND r.id = c.product_id AND r.revision > $1 AND r.revision <= s.revision)
      ON CONFLICT (variant_id) DO NOTHING`,
    params: [revision, ...part.flatMap(({ variantId, quantity }) => [variantId, quantity])],
  }));
}

/**
 * Reserves units for a checkout and returns the new stock level as a row. The transaction fails if too few units
 * remain, unless the variant may be oversold.
 */
export function reserveStock(variantId: string, units: number, policy: "deny" | "continue"): Statement {
  const condition = policy === "continue" ? "" : " AND quantity - held >= CAST($2 AS BIGINT)";
  return {
    sql: `UPDATE stock_levels SET held = held + CAST($2 AS BIGINT), changed = ${stockNumberSql}
      WHERE variant_id = $1${condition} RETURNING ${columns}`,
    params: [variantId, units],
    requireRows: 1,
  };
}

/** Releases reserved units and returns the new stock level as a row. */
export function releaseStock(variantId: string, units: number): Statement {
  return {
    sql: `UPDATE stock_levels SET held = ${reservedAfterReleaseSql}, changed = ${stockNumberSql} WHERE variant_id = $1 RETURNING ${columns}`,
    params: [variantId, units],
  };
}

/**
 * Sells reserved units and returns the new stock level as a row. Has no effect if the variant has no row in the table.
 */
export function sellStock(variantId: string, units: number): Statement {
  return {
    sql: `UPDATE stock_levels SET quantity = quantity - CAST($2 AS BIGINT), held = ${reservedAfterReleaseSql}, changed = ${stockNumberSql}
      WHERE variant_id = $1 RETURNING ${columns}`,
    params: [variantId, units],
  };
}

/**
 * Sets the units on hand, including reserved units, and returns the new stock levels as rows. Inserts missing rows.
 * @param stock quantities, with each variant once
 */
export function setStock(stock: readonly CatalogStock[]): readonly Statement[] {
  return splitByPowersOfTwo(stock).map((part) => ({
    sql: `INSERT INTO stock_levels (variant_id, quantity, held, changed)
      SELECT v.column1, v.column2, 0, ${stockNumberSql} FROM (${formatValuesSql(part.length, 1)}) AS v WHERE true
      ON CONFLICT (variant_id) DO UPDATE SET quantity = excluded.quantity, changed = excluded.changed RETURNING ${columns}`,
    params: part.flatMap(({ variantId, quantity }) => [variantId, quantity]),
  }));
}

/**
 * Adds units to the units on hand, or subtracts them. The transaction fails if a variant has no row (see
 * `ensureStockRows`). Uses an INSERT with a conflict in every row, because SQLite would read the entire table for UPDATE
 * ... FROM with a long list.
 * @param changes differences, with each variant once
 */
export function adjustStock(changes: readonly { readonly variantId: string; readonly units: number }[]) {
  return splitByPowersOfTwo(changes).map(
    (part): Statement => ({
      sql: `INSERT INTO stock_levels (variant_id, quantity, held, changed)
        SELECT v.column1, v.column2, 0, ${stockNumberSql} FROM (${formatValuesSql(part.length, 1)}) AS v
        WHERE EXISTS (SELECT 1 FROM stock_levels s WHERE s.variant_id = v.column1)
        ON CONFLICT (variant_id) DO UPDATE SET quantity = stock_levels.quantity + excluded.quantity, changed = excluded.changed
        RETURNING ${columns}`,
      params: part.flatMap(({ variantId, units }) => [variantId, units]),
      requireRows: part.length,
    }),
  );
}

/**
 * Returns statements that fail the transaction if a variant has another quantity, or no row (see `ensureStockRows`).
 * @param stock expected quantities, with each variant once
 */
export function requireQuantities(stock: readonly CatalogStock[]): readonly Statement[] {
  return splitByPowersOfTwo(stock).map((part) => ({
    sql: `INSERT INTO stock_levels (variant_id, quantity, held, changed)
      SELECT v.column1, v.column2, 0, ${stockNumberSql} FROM (${formatValuesSql(part.length, 1)}) AS v
      WHERE EXISTS (SELECT 1 FROM stock_levels s WHERE s.variant_id = v.column1 AND s.quantity = v.column2)
      ON CONFLICT (variant_id) DO UPDATE SET quantity = excluded.quantity RETURNING variant_id`,
    params: part.flatMap(({ variantId, quantity }) => [variantId, quantity]),
    requireRows: part.length,
  }));
}

/**
 * Stages stock: stores the quantities that the import in progress will set when it is published.
 * @param stock quantities, with each variant once
 */
export function stageStock(stock: readonly CatalogStock[]): readonly Statement[] {
  return splitByPowersOfTwo(stock).map((part) => ({
    sql: `INSERT INTO stock_staged (variant_id, quantity) ${formatValuesSql(part.length, 1)}
      ON CONFLICT (variant_id) DO UPDATE SET quantity = excluded.quantity`,
    params: part.flatMap(({ variantId, quantity }) => [variantId, quantity]),
  }));
}

/**
 * Sets the stock that an import has staged. Only variants that have a row in the table of stock levels are changed.
 * Other variants have the quantity of the catalog, and get a row only if the shop reports low stock.
 */
export const stagedStockStatements: readonly Statement[] = [
  stockNumberStatement,
  {
    sql: `INSERT INTO stock_levels (variant_id, quantity, held, changed)
      SELECT s.variant_id, s.quantity, 0, ${stockNumberSql} FROM stock_staged s
      WHERE EXISTS (SELECT 1 FROM sequences WHERE name = 'stock_low')
        OR EXISTS (SELECT 1 FROM stock_levels l WHERE l.variant_id = s.variant_id)
      ON CONFLICT (variant_id) DO UPDATE SET quantity = excluded.quantity, changed = excluded.changed`,
    params: [],
  },
];

/** SQL that finds a staged quantity, and SQL that removes at most 5,000 of them. */
export const stagedStockQueries = {
  find: "SELECT 1 AS one FROM stock_staged LIMIT 1",
  remove: "DELETE FROM stock_staged WHERE variant_id IN (SELECT variant_id FROM stock_staged LIMIT 5000)",
};

/** Reads the number of the last stock change. */
export async function readLastStockNumber(database: Database): Promise<number> {
  const [row] = await database.read("SELECT number FROM stock_sequence");
  return Number(row?.number);
}

/** Reads the stock levels that changed after a change number, oldest first. Returns at most `limit` levels. */
export async function readStockChanges(
  database: Database,
  lastChange: { readonly changeNumber: number; readonly variantId: string },
  limit: number,
): Promise<readonly StockLevel[]> {
  const rows = await database.read(
    `SELECT ${columns} FROM stock_levels WHERE (changed, variant_id) > ($1, $2) ORDER BY changed, variant_id LIMIT $3`,
    [lastChange.changeNumber, lastChange.variantId, limit],
  );
  return rows.map(toStockLevel);
}

/** Reads the stock levels of variants. Variants without a row are omitted. */
export async function readStockLevels(
  database: Database,
  variantIds: readonly string[],
): Promise<readonly StockLevel[]> {
  const rows = await readInBatches(database, variantIds, (ids) => [
    `SELECT ${columns} FROM stock_levels WHERE variant_id IN (${formatPlaceholders(ids.length)})`,
    ids,
  ]);
  return rows.map(toStockLevel);
}

export function toStockLevel(row: SqlRow): StockLevel {
  return {
    variantId: String(row.variant_id),
    quantity: Number(row.quantity),
    reserved: Number(row.held),
    changeNumber: Number(row.changed),
  };
}

/**
 * Returns SQL such as "VALUES (CAST($2 AS TEXT), CAST($3 AS BIGINT)), ..." with the columns `column1` and `column2`.
 * @param from number of the first parameter
 */
function formatValuesSql(rows: number, from: number): string {
  const formatRowSql = (index: number) =>
    `(CAST($${from + index * 2} AS TEXT), CAST($${from + index * 2 + 1} AS BIGINT))`;
  return `VALUES ${Array.from({ length: rows }, (_, index) => formatRowSql(index)).join(", ")}`;
}
