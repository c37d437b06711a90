import { decodeEntities } from "../../../catalog/html-text.ts";
import { getOrCreate } from "../../../runtime/cache.ts";
import { listCategoryCollections, listCategoryPaths } from "../categories.ts";
import type { Dialect, DialectFieldValue, ReadContext } from "../dialect.ts";
import { errorOf, getSourceText, isInvalidRow } from "../dialect.ts";
import { readCell, type TableRow } from "../tables/columns.ts";
import { handleOf, removeTags } from "../text.ts";
import { readCategories, typesOf } from "./cells.ts";
import { parseWooColumn } from "./columns.ts";
import { parseWooProduct } from "./product.ts";

/**
 * WooCommerce's product export: rows of products, and separate rows of their variations. Categories become collections.
 */
export const wooProducts: Dialect = {
  name: "WooCommerce's product export",
  columnKeyOf: parseWooColumn,
  isNumber: (key) => /^(?:Stock|Regular price|Sale price|Weight .*)$/.test(key),
  requiredColumns: [["Name"], ["Regular price"], ["Type", "SKU", "ID"]],
  async *read(rows, context) {
    const { products, variations, unsupportedRows, errors } = await groupRows(rows, context);
    yield* errors;
    reportUnsupportedRows(unsupportedRows, context);
    const handles = new Set<string>();
    const categories = new Set<string>();
    for (const row of products) {
      const references = new Set([`id:${readCell(row, "ID")}`, readCell(row, "SKU")].filter((text) => text !== ""));
      const productVariations = [...references].flatMap((key) => variations.get(key) ?? []).sort(comparePositions);
      for (const key of references) variations.delete(key);
      for (const path of listCategoryPaths(readCategories(row))) categories.add(path);
      yield parseWooProduct(row, productVariations, chooseHandle(row, handles), context);
    }
    for (const row of [...variations.values()].flat()) yield createNoParentError(row);
    yield* listCategoryCollections(categories);
  },
};

interface ClassifiedRows {
  readonly products: readonly TableRow[];
  /** Rows of variations by the reference to their parent product, which is its SKU, or its id as "id:44". */
  readonly variations: Map<string, TableRow[]>;
  /** Rows whose product type the catalog does not support, by product type. */
  readonly unsupportedRows: ReadonlyMap<string, readonly TableRow[]>;
  readonly errors: readonly DialectFieldValue[];
}

/** Groups all rows first, because the variations of a product can be anywhere in the file. */
async function groupRows(rows: Parameters<Dialect["read"]>[0], context: ReadContext): Promise<ClassifiedRows> {
  const products: TableRow[] = [];
  const variations = new Map<string, TableRow[]>();
  const unsupportedRows = new Map<string, TableRow[]>();
  const errors: DialectFieldValue[] = [];
  for await (const rowOrError of rows) {
    if (isInvalidRow(rowOrError)) {
      errors.push(errorOf(rowOrError, context));
      continue;
    }
    const row: TableRow = { ...rowOrError, cells: unescapeCells(rowOrError) };
    const types = typesOf(row);
    const unsupportedType = [...types].find((type) => !supportedTypes.has(type));
    if (types.has("variation")) getOrCreate(variations, readCell(row, "Parent"), () => []).push(row);
    else if (unsupportedType === undefined) products.push(row);
    else getOrCreate(unsupportedRows, unsupportedType, () => []).push(row);
  }
  products.sort(comparePositions);
  return { products, variations, unsupportedRows, errors };
}

/**
 * Returns the cells of a row as the shop shows them. Exports write an apostrophe before text that a spreadsheet could
 * interpret as a formula, such as '-1. Texts such as names contain HTML, too, but are shown as plain text here.
 */
function unescapeCells({ cells, columns }: TableRow): readonly string[] {
  const htmlColumns = new Set(["Description", "Short description"].map((key) => columns.indexOf(key)));
  const metadataColumns = new Set(
    columns.keys.filter((key) => key.startsWith("metafield ")).map((key) => columns.indexOf(key)),
  );
  return cells.map((cell, index) => {
    const text = cell.replace(/^'(?=[=+\-@])/, "");
    if (htmlColumns.has(index)) return text;
    return decodeEntities(metadataColumns.has(index) ? text : removeTags(text));
  });
}

const supportedTypes: ReadonlySet<string> = new Set(["simple", "variable", "variation", "virtual", "downloadable"]);

/** Compares rows by WooCommerce's position. Rows without one keep the order of the file. */
function comparePositions(left: TableRow, right: TableRow): number {
  const positions = [left, right].map((row) => Number(readCell(row, "Position")) || 0);
  return (positions[0] ?? 0) - (positions[1] ?? 0);
}

function reportUnsupportedRows(unsupportedRows: ClassifiedRows["unsupportedRows"], { onNote }: ReadContext): void {
  for (const [type, rows] of unsupportedRows)
    for (const row of rows)
      onNote({
        line: row.line,
        field: "Type",
        message: `"${type.slice(0, 30)}" cannot be added to a cart: the row is ignored`,
      });
}

function createNoParentError(row: TableRow): DialectFieldValue {
  const parent = readCell(row, "Parent");
  const error =
    parent === ""
      ? "is a variation without a Parent"
      : `is a variation of "${parent}", which the file does not contain`;
  return { line: row.line, error, source: getSourceText([row]) };
}

/**
 * Derives a handle from the name, because exports contain no URLs. If two names are equal, the SKU or id is appended.
 */
function chooseHandle(row: TableRow, handles: Set<string>): string {
  const handleFromName = handleOf(readCell(row, "Name"));
  const candidates = [
    handleFromName,
    ...["SKU", "ID"].map((key) => `${handleFromName}-${handleOf(readCell(row, key))}`),
  ];
  const handle =
    candidates.find((candidate) => candidate !== "" && !candidate.endsWith("-") && !handles.has(candidate)) ??
    handleFromName;
  handles.add(handle);
  return handle;
}
