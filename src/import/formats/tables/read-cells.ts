import type { CellNote } from "../read-value.ts";
import { readAmount } from "./amount.ts";
import { cell, type TableRow } from "./columns.ts";
import { readLocalNumber } from "./local-number.ts";

/** What is said of the cells of one product. */
export interface CellReports {
  readonly errors: CellNote[];
  readonly notes: CellNote[];
}

export function reports(): CellReports {
  return { errors: [], notes: [] };
}

/** Where a report belongs: the row's line, and the column as the file names it. */
export function at(row: TableRow | undefined, key: string): Pick<CellNote, "line" | "field"> {
  return { line: row?.line ?? 0, field: row?.columns.nameOf(key) ?? key };
}

/** Rows with the same cause are reported once. */
export function sharedBy({ cause }: { readonly cause?: string }): { readonly cause?: string } {
  return cause === undefined ? {} : { cause };
}

/** Minor units; undefined where the cell is empty. */
export function readMoney(row: TableRow, key: string, currency: string, told: CellReports): number | undefined {
  const text = cell(row, key);
  if (text === "") return undefined;
  const read = readAmount(text, currency);
  if ("error" in read) {
    told.errors.push({ ...at(row, key), message: read.error, ...sharedBy(read) });
    return undefined;
  }
  if (read.isMended)
    told.notes.push({
      ...at(row, key),
      message: "is written with a comma, a sign or thousands apart: read as an amount",
    });
  return read.amount;
}

/** A whole number; "3.0" and "1,000" are some. */
export function readInteger(row: TableRow, key: string, told: CellReports): number | undefined {
  return readLocal(row, key, "thousands", "a whole number", told, Number.isInteger);
}

/** A number from 0 on. @param unit "g", "kg": what is small is written in thousands  @param what "a weight in grams" */
export function readNumber(
  row: TableRow,
  key: string,
  unit: string,
  what: string,
  told: CellReports,
): number | undefined {
  return readLocal(row, key, thousandsOrDecimals(unit), what, told, (value) => value >= 0);
}

/** What "1,200" of a unit more often is: 1200 g, but 1.2 kg. */
export function thousandsOrDecimals(unit: string): "thousands" | "decimals" {
  return smallUnits.has(unit) ? "thousands" : "decimals";
}

const smallUnits: ReadonlySet<string> = new Set(["mg", "g", "ml", "cl", "mm", "cm"]);

function readLocal(
  row: TableRow,
  key: string,
  fallback: "thousands" | "decimals",
  what: string,
  told: CellReports,
  isRight: (value: number) => boolean,
): number | undefined {
  const text = cell(row, key);
  if (text === "") return undefined;
  const read = readLocalNumber(text, row.columns.decimalSign(key), fallback);
  if (read === undefined || !isRight(read.value)) {
    told.errors.push({ ...at(row, key), message: `"${text.slice(0, 30)}" is not ${what}` });
    return undefined;
  }
  if (read.guess !== undefined) told.notes.push({ ...at(row, key), message: read.guess });
  return read.value;
}

/** True or false as spreadsheets write it: TRUE, 1, yes; `fallback` where the cell is empty. */
export function readFlag(row: TableRow | undefined, key: string, fallback: boolean, told: CellReports): boolean {
  const text = cell(row, key).toLowerCase();
  if (text === "") return fallback;
  if (yes.has(text)) return true;
  if (no.has(text)) return false;
  told.errors.push({ ...at(row, key), message: `"${text.slice(0, 30)}" must be TRUE or FALSE` });
  return fallback;
}

const yes: ReadonlySet<string> = new Set(["true", "1", "yes", "y", "wahr", "vrai", "verdadero", "vero", "waar"]);
const no: ReadonlySet<string> = new Set(["false", "0", "no", "n", "falsch", "faux", "falso", "onwaar"]);

/** A barcode as a text: without the mark by which spreadsheets keep a number one. What a spreadsheet has cut short is left out, and told. */
export function readBarcode(row: TableRow, key: string, told: CellReports): string {
  const text = cell(row, key).replace(/^'/, "");
  if (!/^\d+(?:[.,]\d+)?e\+?\d+$/i.test(text)) return text;
  told.notes.push({
    ...at(row, key),
    message: "is a number that a spreadsheet has rounded, so that its digits are lost: left out",
  });
  return "";
}
