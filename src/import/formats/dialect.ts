import type { CellNote, ReadValue } from "./read-value.ts";
import type { Columns, TableRow } from "./tables/columns.ts";

/** A kind of table that other shop systems write. */
export interface Dialect {
  /** "Shopify's product export" */
  readonly name: string;
  /** The dialect's own name of a column; undefined: it does not read it. */
  keyOf(name: string): string | undefined;
  /** Its values are quantities of products that are told elsewhere: `StockCount`. */
  readonly isStock?: boolean;
  /** Its amounts name their currency. */
  readonly namesCurrency?: boolean;
  /** Whether a column holds numbers that are no amounts of money. */
  isNumber?(key: string): boolean;
  /** Columns without which it is not this dialect, by its own name or by theirs: one of each list. */
  readonly needed: readonly (readonly string[])[];
  /** What of the file's header is not as it has to be, though it is this dialect. */
  headerError?(header: readonly string[]): string | undefined;
  read(rows: AsyncIterable<TableRow | BrokenRow>, context: ReadContext): AsyncGenerator<DialectValue>;
}

/** A row that cannot be read. */
export interface BrokenRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly error: string;
  /** Nothing behind it can be read either. */
  readonly isOfFile: boolean;
}

export type DialectValue = Omit<ReadValue, "bytes">;

export interface ReadContext {
  /** ISO 4217, of amounts that name none. */
  readonly currency: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly columns: Columns;
  /** Tells what was taken otherwise than it says, of the file as a whole. */
  readonly onNote: (note: CellNote) => void;
}

export function isInvalid(row: TableRow | BrokenRow): row is BrokenRow {
  return "error" in row;
}

/** A row that cannot be read as a value that tells so. */
export function errorOf({ line, cells, error, isOfFile }: BrokenRow, { columns }: ReadContext): DialectValue {
  return { line, error, isOfFile, source: () => ({ columns: columns.header, rows: [cells] }) };
}

/** How rows are written again where they are left out. */
export function sourceOf(rows: readonly TableRow[]): ReadValue["source"] {
  const [first] = rows;
  return first && (() => ({ columns: first.columns.header, rows: rows.map(({ cells }) => cells) }));
}
