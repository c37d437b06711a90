import type { LocalTimeFormat } from "../../catalog/rows/zoned-dates.ts";
import type { CellNote, ParsedValue } from "./read-value.ts";
import type { Columns, TableRow } from "./tables/columns.ts";
import type { CellReporter } from "./tables/read-cells.ts";

/** A table format of another e-commerce platform. */
export interface Dialect {
  /** Name in messages, such as "Shopify's product export". */
  readonly name: string;
  /** Returns the internal key of a column by its name in the file, or undefined if the column is not imported. */
  columnKeyOf(name: string): string | undefined;
  /** Whether rows are stock quantities of products in other files (`StockCount`). */
  readonly isStockList?: boolean;
  /** Whether each amount contains a currency code. */
  readonly hasCurrency?: boolean;
  /** Returns whether a column contains numbers that are not amounts of money. */
  isNumber?(key: string): boolean;
  /** Required columns, by key or name. A file needs one column of each inner list. */
  readonly requiredColumns: readonly (readonly string[])[];
  /** Returns an error if the header is invalid in this format, otherwise undefined. */
  findHeaderError?(header: readonly string[]): string | undefined;
  read(rows: AsyncIterable<TableRow | UnreadableRow>, context: ReadContext): AsyncGenerator<DialectFieldValue>;
}

/** A row that cannot be read. */
export interface UnreadableRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly error: string;
  /** Whether the rest of the file cannot be read either. */
  readonly isFileError: boolean;
}

export type DialectFieldValue = Omit<ParsedValue, "bytes">;

export interface ReadContext {
  /** ISO 4217 code for amounts without a currency. */
  readonly currency: string;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** Formats a time in milliseconds since 1970 in the time zone of dates without a zone. */
  readonly formatLocalTime: LocalTimeFormat;
  readonly columns: Columns;
  /** Receives notes about the entire file. */
  readonly onNote: (note: CellNote) => void;
}

export function isInvalidRow(row: TableRow | UnreadableRow): row is UnreadableRow {
  return "error" in row;
}

/** Converts an unreadable row to a value that contains only its error and its source text. */
export function errorOf(
  { line, cells, error, isFileError }: UnreadableRow,
  { columns }: ReadContext,
): DialectFieldValue {
  return { line, error, isFileError, source: () => ({ columns: columns.header, rows: [cells] }) };
}

/** Returns a value with the errors and notes of its cells.  @param rows rows from which the value was read */
export function createValue(value: unknown, rows: readonly TableRow[], report: CellReporter): DialectFieldValue {
  const { errors: cellErrors, notes: cellNotes } = report;
  return { line: rows[0]?.line ?? 0, value, cellErrors, cellNotes, source: getSourceText(rows) };
}

/**
 * Yields the adjacent rows of each product together. An unreadable row is yielded alone, and ends the product before it.
 * @param isSameProduct returns whether a row belongs to the product whose first row is `firstRow`
 */
export async function* groupAdjacentRows(
  rows: AsyncIterable<TableRow | UnreadableRow>,
  isSameProduct: (firstRow: TableRow, row: TableRow) => boolean,
): AsyncGenerator<readonly TableRow[] | UnreadableRow> {
  let product: TableRow[] = [];
  for await (const row of rows) {
    const [firstRow] = product;
    if (firstRow !== undefined && (isInvalidRow(row) || !isSameProduct(firstRow, row))) {
      yield product;
      product = [];
    }
    if (isInvalidRow(row)) yield row;
    else product.push(row);
  }
  if (product.length > 0) yield product;
}

/** Returns the source text of rows, for the file of rejected rows. */
export function getSourceText(rows: readonly TableRow[]): ParsedValue["source"] {
  const [firstRow] = rows;
  return firstRow && (() => ({ columns: firstRow.columns.header, rows: rows.map(({ cells }) => cells) }));
}
