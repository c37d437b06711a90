import type { Kind } from "../../catalog/catalog.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import { type CatalogStock, stageStock } from "../stock-store.ts";
import { isNewestSql, type StoredRow, storedColumnsSql, toStoredRow } from "./catalog-store.ts";

/** Location of a catalog row, and the key that matched. */
export interface FoundRow {
  readonly kind: Kind;
  readonly id: string;
  readonly position: number;
  /** Handle of the row, or ID of the variant. */
  readonly key: string;
}

/**
 * Finds the rows of a revision with these handles or IDs. The result contains their handles.
 * @param column the column that contains `keys`
 */
export async function findRows(
  database: Database,
  revision: number,
  kind: Kind,
  column: "handle" | "id",
  keys: readonly string[],
): Promise<readonly FoundRow[]> {
  const rows = await readLists(database, keys, (list) => [
    `SELECT r.id, r.position, r.handle AS found FROM catalog_rows r
      WHERE r.kind = $2 AND r.${column} IN (${placesOf(list, 3)}) AND r.revision <= $1 AND r.deleted = 0 AND ${isNewestSql}`,
    [revision, kind, ...list],
  ]);
  return rows.map((row) => toFound(kind, row));
}

/** Reads the rows of a revision with these IDs. */
export async function readRowsById(
  database: Database,
  revision: number,
  kind: Kind,
  ids: readonly string[],
): Promise<readonly StoredRow[]> {
  const rows = await readLists(database, ids, (list) => [
    `SELECT ${storedColumnsSql} FROM catalog_rows r
      WHERE r.kind = $2 AND r.id IN (${placesOf(list, 3)}) AND r.revision <= $1 AND r.deleted = 0 AND ${isNewestSql}`,
    [revision, kind, ...list],
  ]);
  return rows.map(toStoredRow);
}

/** Finds the products of a revision that contain these variants. */
export async function findByVariant(
  database: Database,
  revision: number,
  variantIds: readonly string[],
): Promise<readonly FoundRow[]> {
  const rows = await readLists(database, variantIds, (list) => [
    // CROSS JOIN prevents SQLite from reading all products first.
    `SELECT r.id, r.position, r.variant_ids, v.variant_id AS found FROM catalog_variants v CROSS JOIN catalog_rows r
      WHERE v.variant_id IN (${placesOf(list, 2)}) AND r.kind = 'product' AND r.id = v.product_id
        AND r.revision <= $1 AND r.deleted = 0 AND ${isNewestSql}`,
    [revision, ...list],
  ]);
  // The table may contain variants that a product no longer contains.
  const has = ({ variant_ids: ids, found }: SqlRow): boolean => String(ids).split("\n").includes(String(found));
  return rows.filter(has).map((row) => toFound("product", row));
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
  const rows = await readLists(database, variantIds, (list) => [
    // CROSS JOIN as in `findByVariant`. The lookup table may name a product that no longer contains the variant, so the
    // result is filtered.
    `SELECT r.data FROM catalog_variants v CROSS JOIN catalog_rows r
      WHERE v.variant_id IN (${placesOf(list, 2)}) AND r.kind = 'product' AND r.id = v.product_id
        AND r.revision <= $1 AND r.deleted = 0 AND ${isNewestSql}`,
    [revision, ...list],
  ]);
  const stated = new Map(rows.flatMap(({ data }) => [...quantitiesIn(String(data))]));
  return new Map(variantIds.flatMap((id) => (stated.has(id) ? [[id, stated.get(id)]] : [])));
}

/** Reads all rows of one kind at a revision. */
export async function readRowsOfKind(database: Database, revision: number, kind: Kind): Promise<readonly StoredRow[]> {
  const sql = `SELECT ${storedColumnsSql} FROM catalog_rows r
    WHERE r.kind = $2 AND r.revision <= $1 AND r.deleted = 0 AND ${isNewestSql} ORDER BY r.position`;
  return (await database.read(sql, [revision, kind])).map(toStoredRow);
}

/** Values per query. A short list repeats its last value, so that the SQL text is always the same. */
const LIST = 250;

async function readLists(
  database: Database,
  values: readonly string[],
  statement: (list: readonly string[]) => readonly [string, readonly (string | number)[]],
): Promise<readonly SqlRow[]> {
  const found: SqlRow[] = [];
  for (let at = 0; at < values.length; at += LIST) {
    const part = values.slice(at, at + LIST);
    const full = Array.from({ length: LIST }, (_, index) => part[index] ?? part.at(-1) ?? "");
    found.push(...(await database.read(...statement(full))));
  }
  return found;
}

/** Returns SQL placeholders: "$3, $4, …". */
function placesOf(list: readonly string[], from: number): string {
  return list.map((_, index) => `$${from + index}`).join(", ");
}

function toFound(kind: Kind, row: SqlRow): FoundRow {
  return { kind, id: String(row.id), position: Number(row.position), key: String(row.found) };
}

/** The new row of a product, and the row that it replaces. */
export interface ReplacedProduct {
  /** JSON from `formatRow`. */
  readonly json: string;
  readonly before: string;
}

/**
 * Stages the quantities that differ from the replaced row. An unchanged quantity does not change the counted stock. A
 * variant that returns after its removal does not change it either, because earlier sales still count.
 */
export function stockToStage(products: readonly ReplacedProduct[]): readonly Statement[] {
  const set = new Map(products.flatMap(({ json, before }) => quantitiesSet(json, before)));
  return stageStock([...set].map(([variantId, quantity]): CatalogStock => ({ variantId, quantity })));
}

function quantitiesSet(json: string, before: string): (readonly [string, number])[] {
  const stated = quantitiesIn(before);
  return [...quantitiesIn(json)].flatMap(([id, quantity]) =>
    quantity !== undefined && stated.has(id) && stated.get(id) !== quantity ? [[id, quantity] as const] : [],
  );
}

/** Returns the `inventory_quantity` of each variant ID. A value is undefined if stock is not tracked. */
export function quantitiesIn(json: string): ReadonlyMap<string, number | undefined> {
  const { variants = [] } = JSON.parse(json) as { readonly variants?: readonly StoredVariant[] };
  return new Map(variants.map(({ id, inventory_quantity: quantity }) => [String(id), quantity]));
}

interface StoredVariant {
  readonly id: string | number;
  readonly inventory_quantity?: number;
}
