import type { Dialect, DialectValue, ReadContext } from "../dialect.ts";
import { errorOf, isInvalid } from "../dialect.ts";
import { cell, type TableRow } from "../tables/columns.ts";
import { handleOf } from "../text.ts";
import { categoriesOf, typesOf } from "./cells.ts";
import { wooColumn } from "./columns.ts";
import { wooProduct } from "./product.ts";

/**
 * WooCommerce's product export: rows of products, and separate rows of their variations. Categories become collections.
 */
export const wooProducts: Dialect = {
  name: "WooCommerce's product export",
  keyOf: wooColumn,
  isNumber: (key) => key === "Stock" || key.startsWith("Weight "),
  needed: [["Name"], ["Regular price", "Sale price"], ["Type", "SKU", "ID"]],
  async *read(rows, context) {
    const { products, variations, unsupported, errors } = await sortRows(rows, context);
    yield* errors;
    reportUnsupported(unsupported, context);
    const handles = new Set<string>();
    const categories = new Set<string>();
    for (const row of products) {
      const matching = variations.get(`id:${cell(row, "ID")}`) ?? [];
      const bySku = cell(row, "SKU") === "" ? [] : (variations.get(cell(row, "SKU")) ?? []);
      const all = [...new Set([...matching, ...bySku])].sort(byPosition);
      for (const one of all) for (const key of parentKeys(one)) variations.delete(key);
      for (const path of categoriesOf(row)) categories.add(path);
      yield wooProduct(row, all, chosenHandle(row, handles), context);
    }
    for (const strays of new Set(variations.values())) yield* strays.map((row) => strayOf(row, context));
    yield* collectionsOf(categories);
  },
};

interface SortedRows {
  readonly products: readonly TableRow[];
  /** Variations by their parent, which is a SKU or "id:44". */
  readonly variations: Map<string, TableRow[]>;
  /** Rows by product type that the catalog does not support. */
  readonly unsupported: ReadonlyMap<string, readonly TableRow[]>;
  readonly errors: readonly DialectValue[];
}

/** Groups all rows first, because the variations of a product can be anywhere in the file. */
async function sortRows(rows: Parameters<Dialect["read"]>[0], context: ReadContext): Promise<SortedRows> {
  const products: TableRow[] = [];
  const variations = new Map<string, TableRow[]>();
  const unsupported = new Map<string, TableRow[]>();
  const errors: DialectValue[] = [];
  for await (const read of rows) {
    if (isInvalid(read)) {
      errors.push(errorOf(read, context));
      continue;
    }
    // Exports write an apostrophe before text that a spreadsheet could interpret as a formula, such as '-1.
    const row: TableRow = { ...read, cells: read.cells.map((text) => text.replace(/^'(?=[=+\-@])/, "")) };
    const types = typesOf(row);
    const strange = [...types].find((type) => !known.has(type));
    if (types.has("variation"))
      for (const key of parentKeys(row)) variations.set(key, [...(variations.get(key) ?? []), row]);
    else if (strange === undefined) products.push(row);
    else unsupported.set(strange, [...(unsupported.get(strange) ?? []), row]);
  }
  products.sort(byPosition);
  return { products, variations, unsupported, errors };
}

const known: ReadonlySet<string> = new Set(["simple", "variable", "variation", "virtual", "downloadable"]);

function parentKeys(row: TableRow): readonly string[] {
  return [cell(row, "Parent")];
}

/** Compares rows by WooCommerce's position. Rows without one keep the order of the file. */
function byPosition(one: TableRow, other: TableRow): number {
  const positions = [one, other].map((row) => Number(cell(row, "Position")) || 0);
  return (positions[0] ?? 0) - (positions[1] ?? 0);
}

function reportUnsupported(unsupported: SortedRows["unsupported"], { onNote }: ReadContext): void {
  for (const [type, rows] of unsupported)
    for (const row of rows)
      onNote({
        line: row.line,
        field: "Type",
        message: `"${type.slice(0, 30)}" cannot be added to a cart: the row is ignored`,
      });
}

function strayOf(row: TableRow, context: ReadContext): DialectValue {
  const parent = cell(row, "Parent");
  const error =
    parent === ""
      ? "is a variation that names no Parent"
      : `is a variation of "${parent}", which the file does not hold`;
  return { line: row.line, error, source: () => ({ columns: context.columns.header, rows: [row.cells] }) };
}

/**
 * Derives a handle from the name, because exports contain no URLs. If two names are equal, the SKU or id is appended.
 */
function chosenHandle(row: TableRow, handles: Set<string>): string {
  const ofName = handleOf(cell(row, "Name"));
  const candidates = [ofName, ...["SKU", "ID"].map((key) => `${ofName}-${handleOf(cell(row, key))}`)];
  const handle = candidates.find((one) => one !== "" && !one.endsWith("-") && !handles.has(one)) ?? ofName;
  handles.add(handle);
  return handle;
}

/**
 * Yields a collection for each category. It selects products by tag, so an import of a few products keeps the others in
 * it.
 */
function* collectionsOf(categories: ReadonlySet<string>): Generator<DialectValue> {
  for (const path of categories) {
    const title = path.split(" > ").at(-1) ?? path;
    yield {
      line: 1,
      isGenerated: true,
      value: { kind: "collection", handle: handleOf(path), title, rules: { tag: path } },
    };
  }
}
