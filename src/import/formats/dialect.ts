import type { CellNote, ReadValue } from "./read-value.ts";
import type { Columns, TableRow } from "./tables/columns.ts";

/** A table format of another shop system. */
export interface Dialect {
  /** "Shopify's product export" */
  readonly name: string;
  /** Returns the dialect's name of a column; undefined if it does not read it. */
  keyOf(name: string): string | undefined;
  /** Whether its values are quantities of products in other files: `StockCount`. */
  readonly isStock?: boolean;
  /** Its amounts name their currency. */
  readonly namesCurrency?: boolean;
  /** Whether a column holds numbers that are no amounts of money. */
  isNumber?(key: string): boolean;
  /** Required columns, by their key or their name: one of each list. */
  readonly needed: readonly (readonly string[])[];
  /** Returns an error in the file's header, although the file has this format. */
  headerError?(header: readonly string[]): string | undefined;
  read(rows: AsyncIterable<TableRow | BrokenRow>, context: ReadContext): AsyncGenerator<DialectValue>;
}

/** A row that cannot be read. */
export interface BrokenRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly error: string;
  /** Whether nothing after it can be read either. */
  readonly isOfFile: boolean;
}

export type DialectValue = Omit<ReadValue, "bytes">;

export interface ReadContext {
  /** ISO 4217 code for amounts without a currency. */
  readonly currency: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly columns: Columns;
  /** Receives notes about the file as a whole. */
  readonly onNote: (note: CellNote) => void;
}

export function isInvalid(row: TableRow | BrokenRow): row is BrokenRow {
  return "error" in row;
}

/** Returns a row that cannot be read as a value with an error. */
export function errorOf({ line, cells, error, isOfFile }: BrokenRow, { columns }: ReadContext): DialectValue {
  return { line, error, isOfFile, source: () => ({ columns: columns.header, rows: [cells] }) };
}

/** Returns how rejected rows are written. */
export function sourceOf(rows: readonly TableRow[]): ReadValue["source"] {
  const [first] = rows;
  return first && (() => ({ columns: first.columns.header, rows: rows.map(({ cells }) => cells) }));
}
