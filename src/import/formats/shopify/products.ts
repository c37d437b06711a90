import type { Dialect, DialectFieldValue, ReadContext } from "../dialect.ts";
import { errorOf, groupAdjacentRows } from "../dialect.ts";
import { describeOtherSystem } from "../other-systems.ts";
import { normalizeColumnName, readCell, type TableRow } from "../tables/columns.ts";
import { parseShopifyProduct } from "./product.ts";
import { marketOf, parseProductColumn } from "./product-columns.ts";

/**
 * Shopify's product export. Adjacent rows with the same handle are one product.
 * @param market market whose prices are read. Default: the shop's prices
 */
export function createShopifyDialect(market?: string): Dialect {
  return {
    name: "Shopify's product export",
    columnKeyOf: (name) => parseProductColumn(name, market),
    isNumber: (key) => /^(?:Variant (?:Inventory Qty|Grams|Weight)|Unit Price \w+ Measure)$/.test(key),
    requiredColumns: [
      ["Handle", "Title"],
      ["Title"],
      ["Variant Price", "Option1 Value", "Variant SKU", "Body (HTML)", "Vendor"],
    ],
    findHeaderError(header) {
      const keys = new Set(header.map((name) => parseProductColumn(name, market)));
      if (!keys.has("Variant Price") && !keys.has("Market Price"))
        return 'has no column "Variant Price": export the products with all columns, or add this column';
      if (!keys.has("Handle")) {
        const otherSystem = describeOtherSystem(header);
        if (otherSystem !== undefined) return otherSystem;
        const names = header.filter((name) => name.trim() !== "");
        const knownNames = names.filter((name) => parseProductColumn(name, market) !== undefined);
        if (knownNames.length * 2 < names.length)
          return 'has no column "Handle", and few columns of Shopify: if it is from another system, export a Google Merchant Center feed there';
      }
      const markets = [...new Set(header.flatMap((name) => marketOf(name) ?? []))];
      if (market === undefined || markets.map(normalizeColumnName).includes(normalizeColumnName(market)))
        return undefined;
      const availableMarkets =
        markets.length === 0 ? "it has no prices of any market" : `it has prices of ${markets.join(", ")}`;
      return `has no prices of the market "${market}": ${availableMarkets}`;
    },
    async *read(rows, context) {
      reportMissingQuantities(context);
      for await (const group of groupAdjacentRows(rows, isVariantOf)) {
        if ("error" in group) yield errorOf(group, context);
        else yield* parseProduct(group, context);
      }
    },
  };
}

/** Yields the product of adjacent rows, unless the file asks its importer to delete or ignore the product. */
function* parseProduct(rows: readonly TableRow[], context: ReadContext): Generator<DialectFieldValue> {
  const command = readCell(rows[0], "Command").toUpperCase();
  if (command === "DELETE" || command === "IGNORE")
    context.onNote({
      line: rows[0]?.line ?? 1,
      field: "Command",
      message: `is ${command}: the product is not imported`,
    });
  else yield parseShopifyProduct(rows, context);
}

/** Reports missing quantities: the export of a shop with several locations contains none. */
function reportMissingQuantities({ columns, onNote }: ReadContext): void {
  if (columns.has("Variant Inventory Qty") || !columns.has("Variant Inventory Tracker")) return;
  onNote({
    line: 1,
    field: "",
    message:
      'has no column "Variant Inventory Qty": stock is not tracked and all variants are available until you import Shopify\'s inventory export',
  });
}

/** Returns whether a row belongs to the same product as `firstRow`. */
function isVariantOf(firstRow: TableRow, row: TableRow): boolean {
  const title = readCell(row, "Title");
  const handle = readCell(row, "Handle");
  if (title !== "" && title !== readCell(firstRow, "Title")) return false;
  return handle === readCell(firstRow, "Handle") || (handle === "" && title === "");
}
