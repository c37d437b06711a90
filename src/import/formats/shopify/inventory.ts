import type { Dialect, DialectFieldValue } from "../dialect.ts";
import { createValue, errorOf, isInvalidRow } from "../dialect.ts";
import { indexColumnNames, normalizeColumnName, readCell, type TableRow } from "../tables/columns.ts";
import { CellReporter, readCode, readInteger } from "../tables/read-cells.ts";

/** Stock of a variant in one row of an inventory export: at one location, or at all locations together. */
export interface StockCount {
  readonly handle: string;
  readonly sku: string;
  /** Option values, in order; empty if the product has no options. */
  readonly options: readonly string[];
  /** Quantity, or undefined if the variant is not stocked at the row's locations. */
  readonly quantity: number | undefined;
}

/**
 * Shopify's inventory export. It has one row per variant and location, or in the older format one column per location.
 */
export const shopifyInventory: Dialect = {
  name: "Shopify's inventory export",
  isStockList: true,
  hasCurrency: true,
  columnKeyOf: parseInventoryColumn,
  isNumber: (key) => key.startsWith(LOCATION_PREFIX) || quantityColumns.has(key),
  requiredColumns: [["Handle"], ["HS Code", "COO"], ["Option1 Value", "SKU"]],
  async *read(rows, context) {
    for await (const row of rows) yield isInvalidRow(row) ? errorOf(row, context) : parseCount(row);
  },
};

function parseCount(row: TableRow): DialectFieldValue {
  const report = new CellReporter();
  const values = [1, 2, 3].map((n) => readCell(row, `Option${n} Value`)).filter((value) => value !== "");
  const hasNoOptions = ["Title", ""].includes(readCell(row, "Option1 Name")) && values.join() === "Default Title";
  const count: StockCount = {
    handle: readCell(row, "Handle"),
    sku: readCode(row, "SKU"),
    options: hasNoOptions ? [] : values,
    quantity: readQuantity(row, report),
  };
  if (count.handle === "") report.error(row, "Handle", "is required");
  return createValue(count, [row], report);
}

/** Returns the available units: units on hand minus units committed to orders and other uses. */
function readQuantity(row: TableRow, report: CellReporter): number | undefined {
  const locationKeys = row.columns.keys.filter((key) => key.startsWith(LOCATION_PREFIX));
  const readCount = (key: string): number | undefined =>
    /^not stocked$/i.test(readCell(row, key)) ? undefined : readInteger(row, key, report);
  const onHandQuantity = readCount("On hand (new)") ?? readCount("On hand");
  if (onHandQuantity !== undefined)
    return onHandQuantity - (readCount("Committed") ?? 0) - (readCount("Unavailable") ?? 0);
  const availableQuantity = readCount("Available");
  if (availableQuantity !== undefined || row.columns.has("Location")) return availableQuantity;
  const quantities = locationKeys.map(readCount).filter((count) => count !== undefined);
  return quantities.length === 0 ? undefined : quantities.reduce((sum, count) => sum + count, 0);
}

const LOCATION_PREFIX = "place ";

function parseInventoryColumn(name: string): string | undefined {
  const normalizedName = normalizeColumnName(name);
  if (normalizedName === "" || ignoredColumns.has(normalizedName)) return undefined;
  return keysByName.get(normalizedName) ?? `${LOCATION_PREFIX}${name.trim()}`;
}

const quantityColumns: ReadonlySet<string> = new Set([
  "On hand (new)",
  "On hand",
  "Committed",
  "Unavailable",
  "Available",
]);
const keysByName = indexColumnNames([
  ["Handle", ["url handle"]],
  ...[1, 2, 3].flatMap((n) => [[`Option${n} Name`] as const, [`Option${n} Value`] as const]),
  ...["Title", "SKU", "Location", "On hand (new)"].map((key) => [key] as const),
  ["On hand", ["on hand (current)"]],
  ...["Committed", "Unavailable", "Available"].map((key) => [key, [`${key} (not editable)`]] as const),
]);
/** Columns that are neither locations nor available quantities, by normalized name. */
const ignoredColumns: ReadonlySet<string> = new Set([
  "hs code",
  "coo",
  "barcode",
  "bin name",
  "incoming (not editable)",
  "incoming",
  "left out because",
]);
