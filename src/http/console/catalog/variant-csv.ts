import { parse } from "csv-parse";
import { formatVariantTitle } from "../../../catalog/catalog.ts";
import type { Variant } from "../../../catalog/product.ts";
import { formatDecimalMoney } from "../../../pricing/money.ts";
import {
  BYTE_ORDER_MARK,
  formatCsvLine,
  parseCsvCell,
  parseCsvFlag,
  workbookStart,
} from "../../../runtime/csv-line.ts";
import type { EditableProduct } from "./variant-edits.ts";

/** Column names by field. "baseline" contains the values at download, to detect changes by other users since then. */
const columns = {
  handle: "Handle",
  title: "Title",
  variant: "Variant",
  id: "Variant ID",
  sku: "SKU",
  published: "Published",
  price: "Price",
  compare: "Compare-at price",
  quantity: "Stock",
  baseline: "Values at download",
} as const;

type ColumnName = keyof typeof columns;

/** Fields of a variant that a file can change. */
export const editableFields = ["published", "price", "compare", "quantity"] as const;

/** Names of the columns that a user may change, and of the column with the values at download. */
const { published, price, compare, quantity, baseline } = columns;
export const editableColumns = { published, price, compare, quantity } as const;
export const baselineColumn = baseline;

export type EditableField = (typeof editableFields)[number];

/** Values of a variant as strings. A field without a value, such as stock that is not tracked, is undefined. */
export type FieldTexts = Readonly<Partial<Record<EditableField, string>>>;

/** Byte order mark and the column names. */
export const csvHeader = `${BYTE_ORDER_MARK}${formatCsvLine(Object.values(columns))}`;

/** Formats one line for each variant of a product. */
export function formatVariantLines(entry: EditableProduct, currency: string): string {
  const { product } = entry;
  return product.variants
    .map((variant) => {
      const texts = formatFields(entry, variant, currency);
      const baselineCells = editableFields.flatMap((field) =>
        texts[field] === undefined ? [] : `${field}=${texts[field]}`,
      );
      return formatCsvLine([
        ...[product.handle, product.title, formatVariantTitle({ product, variant }), variant.id, variant.sku],
        ...editableFields.map((field) => texts[field]),
        baselineCells.join(" "),
      ]);
    })
    .join("");
}

export function formatFields({ product, quantities }: EditableProduct, variant: Variant, currency: string): FieldTexts {
  const quantity = quantities.get(variant.id);
  return {
    published: product.published ? "yes" : "no",
    price: formatDecimalMoney(variant.price, currency),
    compare: variant.compareAtPrice === undefined ? "" : formatDecimalMoney(variant.compareAtPrice, currency),
    ...(quantity === undefined ? {} : { quantity: String(quantity) }),
  };
}

/** A line of an uploaded file. */
export interface UploadedLine {
  readonly line: number;
  readonly handle: string;
  readonly variant: string;
  readonly id: string;
  readonly sku: string;
  /** Cells of the columns that the file contains. */
  readonly cells: FieldTexts;
  /** The cells, with "yes" or "no" for booleans, and with decimal points. */
  readonly texts: FieldTexts;
  /** Values at the time of the download; empty if the file does not contain them. */
  readonly baseline: FieldTexts;
}

/**
 * Parses a CSV file with the columns of the downloaded file, in any order. Required are only a column that identifies
 * the variant (ID, SKU, or handle), and the columns with changed values.
 * @param text lines with fields separated by commas, semicolons, or tabs
 * @param yieldToRequests called after every 256 lines
 * @returns the lines, or an error message if the file is invalid
 */
export async function parseVariantLines(
  text: string,
  yieldToRequests: () => Promise<void>,
): Promise<readonly UploadedLine[] | string> {
  if (workbookStart.test(text)) return "The file is a workbook: save it as CSV.";
  const headerText = /^\ufeff?(?:"?sep=.[^\n]*\n)?([^\r\n]*)/i.exec(text)?.[1] ?? "";
  const [separator = ","] = [",", ";", "\t"].toSorted(
    (a, b) => headerText.split(b).length - headerText.split(a).length,
  );
  const body = text.slice(text.indexOf(headerText));
  const parser = parse({ delimiter: separator, relax_column_count: true, skip_empty_lines: true, info: true });
  parser.end(body);
  const lines: UploadedLine[] = [];
  let indexes: ReadonlyMap<ColumnName, number> | undefined;
  let count = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      count += 1;
      if (count % LINES_PER_YIELD === 0) await yieldToRequests();
      if (indexes === undefined) {
        indexes = findColumns(record);
        if (!indexes.has("id") && !indexes.has("sku") && !indexes.has("handle"))
          return "The file has no column Variant ID, SKU, or Handle. Download the file, and edit it.";
        continue;
      }
      if (record.some((cell) => cell.trim() !== "")) lines.push(parseLine(record, info.lines, indexes));
    }
  } catch (error) {
    return `The file cannot be read as CSV: ${error instanceof Error ? error.message.slice(0, 200) : ""}`;
  }
  return lines.length === 0 ? "The file contains no lines." : lines;
}

const LINES_PER_YIELD = 256;

function findColumns(header: readonly string[]): ReadonlyMap<ColumnName, number> {
  const names = header.map((name) => name.trim().toLowerCase());
  return new Map(
    Object.entries(columns).flatMap(([column, name]) => {
      const index = names.indexOf(name.toLowerCase());
      return index < 0 ? [] : [[column as ColumnName, index] as const];
    }),
  );
}

function parseLine(record: readonly string[], line: number, indexes: ReadonlyMap<ColumnName, number>): UploadedLine {
  const textOf = (column: ColumnName): string => parseCsvCell(record[indexes.get(column) ?? -1] ?? "").trim();
  const baselineText = textOf("baseline");
  const cells = editableFields.filter((field) => indexes.has(field)).map((field) => [field, textOf(field)] as const);
  return {
    line,
    ...{ handle: textOf("handle"), variant: textOf("variant"), id: textOf("id"), sku: textOf("sku") },
    cells: Object.fromEntries(cells),
    texts: Object.fromEntries(cells.map(([field, text]) => [field, normalizeText(field, text)])),
    baseline: Object.fromEntries(
      [...baselineText.matchAll(/\b(\w+)=(\S*)/g)].map(([, field, value]) => [field, value]),
    ),
  };
}

function normalizeText(field: EditableField, text: string): string {
  if (field !== "published") return text.replace(/^(\d+),(\d{1,3})$/, "$1.$2");
  const flag = parseCsvFlag(text);
  return flag === undefined ? text : flag ? "yes" : "no";
}
