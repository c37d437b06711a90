import type { IgnoredColumn } from "../read-value.ts";
import type { DecimalSign } from "./local-number.ts";

/** The columns of a table, by the names under which a format knows them. */
export interface Columns {
  /** As the file has them. */
  readonly header: readonly string[];
  /** Those that the format reads, in the file's order. */
  readonly keys: readonly string[];
  has(key: string): boolean;
  /** The column's name in the file, for messages. */
  nameOf(key: string): string;
  /** Place of the column's cells in their row; -1 where there is no such column. */
  placeOf(key: string): number;
  /** The sign before decimals that the column's numbers show; undefined if they show none, or both. */
  decimalSign(key: string): DecimalSign | undefined;
  /** Counts what a row holds in columns that nobody reads. */
  count(cells: readonly string[]): void;
  ignored(): readonly IgnoredColumn[];
}

/** The column in which left-out rows say why; it is passed over when they come again. */
export const REJECTED_COLUMN = "Left out because";

/** @param keyOf the format's own name of a column; undefined: it does not read it. Of two columns with one key the one of that very name is
 *  read, else the first */
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
    const isOwn = plainName(name) === plainName(key) && plainName(other ?? "") !== plainName(key);
    if (other === undefined || isOwn) places.set(key, place);
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

/** A column's name, however it is written: "URL  Handle" and "url handle" are one. */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, " ");
}

/** A row of a table, with the line on which it begins. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly columns: Columns;
}

/** What a row holds, without blanks around it; "" where it has no such column. */
export function cell(row: TableRow | undefined, key: string): string {
  return rawCell(row, key).trim();
}

export function rawCell(row: TableRow | undefined, key: string): string {
  return row?.cells[row.columns.placeOf(key)] ?? "";
}
