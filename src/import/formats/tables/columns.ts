import type { IgnoredColumn } from "../read-value.ts";
import type { DecimalSign } from "./local-number.ts";

/**
 * Columns of a table. Each imported column has a key, such as "Variant Price", that does not depend on its name in the
 * file.
 */
export interface Columns {
  /** Column names as in the file. */
  readonly header: readonly string[];
  /** Keys of the imported columns, in file order. */
  readonly keys: readonly string[];
  has(key: string): boolean;
  /** Returns the name of a column in the file, for messages. */
  nameOf(key: string): string;
  /** Returns the index of a column, or -1. */
  indexOf(key: string): number;
  /** Returns the decimal sign of the numbers in a column; undefined if it is unknown or not the same in all rows. */
  decimalSign(key: string): DecimalSign | undefined;
  /** Counts the non-empty cells of a row in ignored columns. */
  countIgnoredCells(cells: readonly string[]): void;
  ignoredColumns(): readonly IgnoredColumn[];
}

/** Name of the column with the errors of rejected rows. It is ignored when the rows are imported again. */
export const REJECTION_COLUMN_NAME = "Left out because";
/** End of the names of files of rejected rows, without the extension. */
export const REJECTED_ROWS_SUFFIX = /-left-out(?:-\d+)?$/;

/**
 * Assigns the keys of an import format to the columns of a table header. If two columns have the same key, the one
 * whose name equals the key is read, otherwise the first.
 * @param findKey returns the key of a column in the import format, or undefined if the column is not imported
 */
export function matchColumns(
  header: readonly string[],
  findKey: (name: string) => string | undefined,
  decimalSign: Columns["decimalSign"],
): Columns {
  const indexesByKey = new Map<string, number>();
  const ignoredCellCounts = new Map<number, number>();
  for (const [index, name] of header.entries()) {
    const key = findKey(name);
    if (key === undefined) continue;
    const earlierName = header[indexesByKey.get(key) ?? -1];
    const isMetafield =
      normalizeColumnName(name) === normalizeColumnName(key) &&
      normalizeColumnName(earlierName ?? "") !== normalizeColumnName(key);
    if (earlierName === undefined || isMetafield) indexesByKey.set(key, index);
  }
  const usedIndexes = new Set(indexesByKey.values());
  for (const [index, name] of header.entries())
    if (!usedIndexes.has(index) && name !== REJECTION_COLUMN_NAME) ignoredCellCounts.set(index, 0);
  return {
    header,
    keys: [...indexesByKey.keys()],
    has: (key) => indexesByKey.has(key),
    nameOf: (key) => header[indexesByKey.get(key) ?? -1] ?? key,
    indexOf: (key) => indexesByKey.get(key) ?? -1,
    decimalSign,
    countIgnoredCells(cells) {
      for (const [index, rows] of ignoredCellCounts)
        if ((cells[index] ?? "").trim() !== "") ignoredCellCounts.set(index, rows + 1);
    },
    ignoredColumns: () =>
      [...ignoredCellCounts]
        .filter(([, rows]) => rows > 0)
        .map(([index, rows]) => ({ name: header[index] || `column ${index + 1}`, rows })),
  };
}

/** Normalizes the name of a column: "URL  Handle" equals "url handle". */
export function normalizeColumnName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, " ");
}

/** Returns the keys of columns by their normalized names: the key itself, and its other names. */
export function indexColumnNames(
  columns: Iterable<readonly [key: string, otherNames?: readonly string[]]>,
): ReadonlyMap<string, string> {
  return new Map(
    Array.from(columns, ([key, otherNames = []]) =>
      [key, ...otherNames].map((name) => [normalizeColumnName(name), key] as const),
    ).flat(),
  );
}

/** A row of a table, with the number of its first line. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly columns: Columns;
}

/** Returns the trimmed text of a cell, or "" if the table has no such column. */
export function readCell(row: TableRow | undefined, key: string): string {
  return readRawCell(row, key).trim();
}

export function readRawCell(row: TableRow | undefined, key: string): string {
  return row?.cells[row.columns.indexOf(key)] ?? "";
}
