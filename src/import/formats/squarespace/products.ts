import { capitalize } from "../../../runtime/capitalize.ts";
import { parseCsvFlag } from "../../../runtime/csv-line.ts";
import { listCategoryCollections, listCategoryPaths } from "../categories.ts";
import type { Dialect, DialectFieldValue, ReadContext } from "../dialect.ts";
import { errorOf, getSourceText, groupAdjacentRows } from "../dialect.ts";
import { parseShopifyProduct } from "../shopify/product.ts";
import { normalizeColumnName, readCell, type TableRow } from "../tables/columns.ts";

/**
 * Squarespace's product export: a row of a product and its first variant, and a row of each other variant. Categories
 * become collections.
 */
export const squarespaceProducts: Dialect = {
  name: "Squarespace's product export",
  columnKeyOf: (name) => keysByName.get(normalizeColumnName(name)),
  isNumber: (key) => key === "Variant Inventory Qty",
  // No other system has a column with the name of the first.
  requiredColumns: [["Product Type [Non Editable]"], ["Title"], ["Variant Price"]],
  async *read(rows, context) {
    const paths = new Set<string>();
    for await (const group of groupAdjacentRows(rows, (_, row) => readCell(row, "Title") === "")) {
      if ("error" in group) yield errorOf(group, context);
      else yield* parseProduct(group, context, paths);
    }
    yield* listCategoryCollections(paths);
  },
};

/** Yields a product.  @param paths receives the paths of its categories */
function* parseProduct(
  rows: readonly TableRow[],
  context: ReadContext,
  paths: Set<string>,
): Generator<DialectFieldValue> {
  const [firstRow] = rows;
  if (firstRow === undefined) return;
  const tags = listCategoryPaths(readCategories(firstRow));
  for (const path of tags) paths.add(path);
  const shopifyRows = rows.map((row) => toShopifyRow(row, firstRow, tags));
  yield { ...parseShopifyProduct(shopifyRows, context), source: getSourceText(rows) };
}

/** Columns by the name of the column with the same content in Shopify's export, if there is one. */
const keysByName: ReadonlyMap<string, string> = new Map([
  ["product type [non editable]", "Product Type [Non Editable]"],
  ["product url", "Handle"],
  ["title", "Title"],
  ["description", "Body (HTML)"],
  ["sku", "Variant SKU"],
  ["gtin", "Variant Barcode"],
  ...[1, 2, 3, 4, 5, 6].flatMap((n): [string, string][] => [
    [`option name ${n}`, `Option${n} Name`],
    [`option value ${n}`, `Option${n} Value`],
  ]),
  ["price", "Variant Price"],
  ["sale price", "Sale Price"],
  ["on sale", "On Sale"],
  ["stock", "Variant Inventory Qty"],
  ["categories", "Categories"],
  ["tags", "Tags"],
  ["visible", "Published"],
  ["hosted image urls", "Image Src"],
]);

/** Returns the row as it is in Shopify's export. */
function toShopifyRow(row: TableRow, firstRow: TableRow, categories: readonly string[]): TableRow {
  const isFirst = row === firstRow;
  const type = readCell(firstRow, "Product Type [Non Editable]").toUpperCase();
  const isOnSale = parseCsvFlag(readCell(row, "On Sale")) === true;
  const priceKey = isOnSale ? "Sale Price" : "Variant Price";
  const isUnlimited = readCell(row, "Variant Inventory Qty").toLowerCase() === "unlimited";
  const cells = new Map([
    ...row.columns.keys.map((key) => [key, readCell(row, key)] as const),
    ["Handle", readCell(firstRow, "Handle")],
    ["Tags", isFirst ? [readCell(row, "Tags"), ...categories].filter((tag) => tag !== "").join() : ""],
    ["Variant Requires Shipping", ["", "PHYSICAL"].includes(type) ? "TRUE" : "FALSE"],
    ["Gift Card", isFirst && type === "GIFT_CARD" ? "TRUE" : ""],
    ["Variant Compare At Price", isOnSale ? readCell(row, "Variant Price") : ""],
    ["Variant Price", readCell(row, priceKey)],
    ["Variant Inventory Qty", isUnlimited ? "" : readCell(row, "Variant Inventory Qty")],
  ]);
  const keys = [...cells.keys()];
  const sourceKeys: Readonly<Record<string, string>> = {
    "Variant Price": priceKey,
    "Variant Compare At Price": "Variant Price",
  };
  const columns = {
    ...row.columns,
    keys,
    has: cells.has.bind(cells),
    nameOf: (key: string) => row.columns.nameOf(sourceKeys[key] ?? key),
    indexOf: (key: string) => keys.indexOf(key),
  };
  return { line: row.line, cells: [...cells.values()], columns };
}

/** Returns the names of each category and its parents. The file contains their URLs, such as "/shirts/long-sleeves". */
function readCategories(row: TableRow): readonly (readonly string[])[] {
  return readCell(row, "Categories")
    .split(",")
    .map((url) =>
      url
        .trim()
        .split("/")
        .filter((part) => part !== "")
        .map((part) => capitalize(part.replaceAll("-", " "))),
    );
}
