import type { RowKind } from "../../catalog/catalog.ts";
import type { VersionedRow } from "../../catalog/catalog-records.ts";
import { type Database, formatPlaceholders, readInBatches, type SqlRow, type Statement } from "../database.ts";
import { type CatalogStock, stageStock } from "../stock-store.ts";
import { newestRowSql, type StoredRow, storedColumnsSql, toStoredRow } from "./catalog-store.ts";

/** A catalog row that was found by handle, ID, or variant ID. */
export interface RowMatch {
  readonly kind: RowKind;
  readonly id: string;
  readonly position: number;
  /** Handle of the row, or the variant ID by which the row was found. */
  readonly key: string;
}

/**
 * Finds the rows of a revision with these handles or IDs. `key` in the result is the row's handle in both cases.
 * @param column column to compare with `keys`
 */
export async function findRows(
  database: Database,
  revision: number,
  kind: RowKind,
  column: "handle" | "id",
  keys: readonly string[],
): Promise<readonly RowMatch[]> {
  const rows = await readRows(database, revision, "r.id, r.position, r.handle AS found", { kind, column, keys });
  return rows.map((row) => toRowMatch(kind, row));
}

/** Reads the rows of a revision with these IDs. */
export async function readRowsById(
  database: Database,
  revision: number,
  kind: RowKind,
  ids: readonly string[],
): Promise<readonly StoredRow[]> {
  return (await readRows(database, revision, storedColumnsSql, { kind, column: "id", keys: ids })).map(toStoredRow);
}

/** SQL columns of a row with its revision. The table needs the alias `r`. */
export const versionColumnsSql = "r.id, r.handle, r.revision, r.position, r.data";

/** Reads the rows of a revision with these handles or IDs, with the revisions that changed them last. */
export async function readRowVersions(
  database: Database,
  revision: number,
  kind: RowKind,
  column: "handle" | "id",
  keys: readonly string[],
): Promise<readonly VersionedRow[]> {
  return (await readRows(database, revision, versionColumnsSql, { kind, column, keys })).map(toVersionedRow);
}

export function toVersionedRow({ id, handle, revision, position, data }: SqlRow): VersionedRow {
  return {
    ...{ id: String(id), handle: String(handle), json: String(data) },
    ...{ revision: Number(revision), position: Number(position) },
  };
}

/** Finds the products of a revision that contain these variants. */
export async function findVariantRows(
  database: Database,
  revision: number,
  variantIds: readonly string[],
): Promise<readonly RowMatch[]> {
  const searchedIds = new Set(variantIds);
  const rows = await readVariantRows(database, revision, "r.id, r.position, r.variant_ids", variantIds);
  return rows.flatMap((row) => {
    const foundIds = String(row.variant_ids)
      .split("\n")
      .filter((id) => searchedIds.has(id));
    return foundIds.map((found) => toRowMatch("product", { ...row, found }));
  });
}

/**
 * Reads the stock of variants in the catalog at a revision, by variant ID. A value is undefined if stock is not
 * tracked. Unknown variants are omitted.
 */
export async function readCatalogStock(
  database: Database,
  revision: number,
  variantIds: readonly string[],
): Promise<ReadonlyMap<string, number | undefined>> {
  const rows = await readVariantRows(database, revision, "r.data", variantIds);
  const stockByVariant = new Map(rows.flatMap(({ data }) => [...readQuantities(String(data))]));
  return new Map(variantIds.flatMap((id) => (stockByVariant.has(id) ? [[id, stockByVariant.get(id)]] : [])));
}

/**
 * Reads columns of the products of a revision that contain, or contained earlier, these variants. Two reads, because
 * PostgreSQL without statistics, as after a first import, reads all products for a join.
 */
async function readVariantRows(
  database: Database,
  revision: number,
  columnsSql: string,
  variantIds: readonly string[],
): Promise<readonly SqlRow[]> {
  const variants = await readInBatches(database, variantIds, (list) => [
    `SELECT product_id FROM catalog_variants WHERE variant_id IN (${formatPlaceholders(list.length)})`,
    list,
  ]);
  const keys = [...new Set(variants.map(({ product_id: id }) => String(id)))];
  return readRows(database, revision, columnsSql, { kind: "product", column: "id", keys });
}

/** Reads all rows of one kind at a revision. */
export async function readRowsOfKind(
  database: Database,
  revision: number,
  kind: RowKind,
): Promise<readonly StoredRow[]> {
  const sql = `SELECT ${storedColumnsSql} FROM catalog_rows r
    WHERE r.kind = $2 AND r.revision <= $1 AND r.deleted = 0 AND ${newestRowSql} ORDER BY r.position`;
  return (await database.read(sql, [revision, kind])).map(toStoredRow);
}

/** Reads columns of the rows of a revision with these handles or IDs. */
function readRows(
  database: Database,
  revision: number,
  columnsSql: string,
  {
    kind,
    column,
    keys,
  }: { readonly kind: RowKind; readonly column: "handle" | "id"; readonly keys: readonly string[] },
): Promise<readonly SqlRow[]> {
  return readInBatches(database, keys, (list) => [
    `SELECT ${columnsSql} FROM catalog_rows r
      WHERE r.kind = $2 AND r.${column} IN (${formatPlaceholders(list.length, 3)}) AND r.revision <= $1 AND r.deleted = 0 AND ${newestRowSql}`,
    [revision, kind, ...list],
  ]);
}

function toRowMatch(kind: RowKind, row: SqlRow): RowMatch {
  return { kind, id: String(row.id), position: Number(row.position), key: String(row.found) };
}

/** The new row of a product, and the row that it replaces. */
export interface ReplacedProduct {
  /** Row as JSON, in the format of the column `data`. */
  readonly json: string;
  readonly previousJson: string;
}

/**
 * Stages new stock for variants whose quantity in the catalog changed. All other variants keep their current stock,
 * even if they were removed from the catalog and added again, because their earlier sales still count.
 */
export function stageChangedStock(products: readonly ReplacedProduct[]): readonly Statement[] {
  const changedQuantities = new Map(
    products.flatMap(({ json, previousJson }) => findChangedQuantities(json, previousJson)),
  );
  return stageStock([...changedQuantities].map(([variantId, quantity]): CatalogStock => ({ variantId, quantity })));
}

function findChangedQuantities(json: string, previousJson: string): (readonly [string, number])[] {
  const previousQuantities = readQuantities(previousJson);
  return [...readQuantities(json)].flatMap(([id, quantity]) =>
    quantity !== undefined && previousQuantities.has(id) && previousQuantities.get(id) !== quantity
      ? [[id, quantity] as const]
      : [],
  );
}

/** Returns the `inventory_quantity` of each variant ID. A value is undefined if stock is not tracked. */
function readQuantities(json: string): ReadonlyMap<string, number | undefined> {
  const { variants = [] } = JSON.parse(json) as { readonly variants?: readonly StoredVariant[] };
  return new Map(variants.map(({ id, inventory_quantity: quantity }) => [String(id), quantity]));
}

interface StoredVariant {
  readonly id: string | number;
  readonly inventory_quantity?: number;
}
