import type { IgnoredColumn } from "../read-value.ts";
import type { DecimalSign } from "./local-number.ts";

/** Columns of a table, by the keys of its format. */
export interface Columns {
  /** Column names as in the file. */
  readonly header: readonly string[];
  /** Keys that the format reads, in file order. */
  readonly keys: readonly string[];
  has(key: string): boolean;
  /** Returns the name of a column in the file, for messages. */
  nameOf(key: string): string;
  /** Returns the index of a column, or -1. */
  placeOf(key: string): number;
  /** Returns the decimal sign of a column's numbers. Undefined if no number shows it, or if numbers show both. */
  decimalSign(key: string): DecimalSign | undefined;
  /** Counts the non-empty cells of a row in ignored columns. */
  count(cells: readonly string[]): void;
  ignored(): readonly IgnoredColumn[];
}

/** Name of the column with the errors of rejected rows. It is ignored when the rows are imported again. */
export const REJECTED_COLUMN = "Left out because";

/**
 * Maps the columns of a header to the keys of a format. If two columns have the same key, the one whose name equals the
 * key is read, otherwise the first.
 * @param keyOf returns the format's key of a column, or undefined if the column is not read
 */
export function openColumns(
  header: readonly string[],
  keyOf: (name: string) => string | undefined,
  decimalSign: Columns["decimalSign"] = () => undefined,
): Columns {
  const places = new Map<string, number>();
  const unread = new Map<number, number>();
  for (const [place, name] of header.entries()) {
    const key = keyOf(name);
    if (key === undefined) continue;
    const other = header[places.get(key) ?? -1];
    const isMetafield = plainName(name) === plainName(key) && plainName(other ?? "") !== plainName(key);
    if (other === undefined || isMetafield) places.set(key, place);
  }
  const read = new Set(places.values());
  for (const [place, name] of header.entries()) if (!read.has(place) && name !== REJECTED_COLUMN) unread.set(place, 0);
  return {
    header,
    keys: [...places.keys()],
    has: (key) => places.has(key),
    nameOf: (key) => header[places.get(key) ?? -1] ?? key,
    placeOf: (key) => places.get(key) ?? -1,
    decimalSign,
    count(cells) {
      for (const [place, rows] of unread) if ((cells[place] ?? "").trim() !== "") unread.set(place, rows + 1);
    },
    ignored: () =>
      [...unread]
        .filter(([, rows]) => rows > 0)
        .map(([place, rows]) => ({ name: header[place] || `column ${place + 1}`, rows })),
  };
}

/** Normalizes the name of a column: "URL  Handle" equals "url handle". */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, " ");
}

/** A row of a table, with the number of its first line. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly columns: Columns;
}

/** Returns the trimmed text of a cell, or "" if the table has no such column. */
export function cell(row: TableRow | undefined, key: string): string {
  return rawCell(row, key).trim();
}

export function rawCell(row: TableRow | undefined, key: string): string {
  return row?.cells[row.columns.placeOf(key)] ?? "";
}
