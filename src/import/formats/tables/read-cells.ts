import { parseCsvFlag } from "../../../runtime/csv-line.ts";
import type { CellNote } from "../read-value.ts";
import { readAmount } from "./amount.ts";
import { type Columns, readCell, type TableRow } from "./columns.ts";
import { readLocalizedNumber } from "./local-number.ts";
import { isInPeriod } from "./sale-period.ts";

/** Collects errors and notes about the cells of one product. */
export class CellReporter {
  readonly errors: CellNote[] = [];
  readonly notes: CellNote[] = [];

  /**
   * Records an error of a cell.
   * @param key column, or "" for the entire row
   * @param cause errors with the same cause are reported once
   */
  error(row: CellRow | undefined, key: string, message: string, cause?: string): void {
    const itemId = row !== undefined && "values" in row ? row.values.get("id")?.[0] : undefined;
    const itemText = itemId === undefined ? "" : ` (item ${itemId})`;
    this.errors.push({
      ...positionOf(row, key),
      message: message + itemText,
      ...(cause === undefined ? {} : { cause }),
    });
  }

  note(row: CellRow | undefined, key: string, message: string): void {
    this.notes.push({ ...positionOf(row, key), message });
  }
}

/** A row of a table, or an item of a feed. */
type CellRow = { readonly line: number } & (
  | { readonly columns: Pick<Columns, "nameOf"> }
  // A feed may have all its items in one line, so errors also name the id of the item.
  | { readonly values: ReadonlyMap<string, readonly string[]>; nameOf(key: string): string }
);

/** Returns the line of the row, and the column's name in the file. */
function positionOf(row: CellRow | undefined, key: string): Pick<CellNote, "line" | "field"> {
  if (row === undefined || key === "") return { line: row?.line ?? 0, field: key };
  return { line: row.line, field: ("columns" in row ? row.columns : row).nameOf(key) };
}

/** Parses an amount of money. Returns minor units, or undefined if the cell is empty. */
export function readMoney(row: TableRow, key: string, currency: string, report: CellReporter): number | undefined {
  const text = readCell(row, key);
  if (text === "") return undefined;
  const result = readAmount(text, currency);
  if ("error" in result) {
    report.error(row, key, result.error, result.cause);
    return undefined;
  }
  if (result.isLocalFormat) report.note(row, key, "has a comma, a sign, or a thousands separator: read as an amount");
  return result.amount;
}

/** Parses a whole number, also as "3.0" or "1,000". */
export function readInteger(row: TableRow, key: string, report: CellReporter): number | undefined {
  return readNumberCell(row, key, "thousands", "a whole number", report, Number.isInteger);
}

/**
 * Parses a number of 0 or more.
 * @param unit unit such as "g" or "kg". In small units, "1,200" means 1200
 * @param description description for errors, such as "a weight in grams"
 */
export function readNumber(
  row: TableRow,
  key: string,
  unit: string,
  description: string,
  report: CellReporter,
): number | undefined {
  return readNumberCell(row, key, chooseSeparatorMeaning(unit), description, report, (value) => value >= 0);
}

/** Returns the more frequent meaning of "1,200" in a unit: 1200 g, but 1.2 kg. */
export function chooseSeparatorMeaning(unit: string): "thousands" | "decimals" {
  return smallUnitNames.has(unit) ? "thousands" : "decimals";
}

const smallUnitNames: ReadonlySet<string> = new Set(["mg", "g", "ml", "cl", "mm", "cm"]);

function readNumberCell(
  row: TableRow,
  key: string,
  fallback: "thousands" | "decimals",
  description: string,
  report: CellReporter,
  isPlausible: (value: number) => boolean,
): number | undefined {
  const text = readCell(row, key);
  if (text === "") return undefined;
  const result = readLocalizedNumber(text, row.columns.decimalSign(key), fallback);
  if (result === undefined || !isPlausible(result.value)) {
    report.error(row, key, `"${text.slice(0, 30)}" is not ${description}`);
    return undefined;
  }
  if (result.ambiguityNote !== undefined) report.note(row, key, result.ambiguityNote);
  return result.value;
}

/**
 * Parses a boolean of a spreadsheet: TRUE, 1, yes. Returns `fallback` if the cell is empty.
 * @param allowedTexts the values that an error names
 */
export function readFlag(
  row: TableRow | undefined,
  key: string,
  fallback: boolean,
  report: CellReporter,
  allowedTexts = "TRUE or FALSE",
): boolean {
  const text = readCell(row, key);
  const flag = text === "" ? fallback : parseCsvFlag(text);
  if (flag === undefined) report.error(row, key, `"${text.slice(0, 30)}" must be ${allowedTexts}`);
  return flag ?? fallback;
}

/** Returns a SKU or barcode without the apostrophe that makes spreadsheets treat a number as text. */
export function readCode(row: TableRow, key: string): string {
  return readCell(row, key).replace(/^'/, "");
}

/** Returns the barcode in a cell. Reports and ignores a number that a spreadsheet shortened. */
export function readBarcode(row: TableRow, key: string, report: CellReporter): string {
  return parseBarcode(readCell(row, key), row, key, report);
}

/** Like `readBarcode`, for the text of a cell or of an item. */
export function parseBarcode(text: string, row: CellRow, key: string, report: CellReporter): string {
  const barcode = text.replace(/^'/, "");
  if (!/^\d+(?:[.,]\d+)?e\+?\d+$/i.test(barcode)) return barcode;
  report.note(row, key, "is a number that a spreadsheet rounded, so digits are lost: ignored");
  return "";
}

/**
 * Returns whether a sale with these dates applies now, and reports that the dates themselves are not imported.
 * @param key column of the dates
 */
export function isSaleCurrent(
  row: CellRow,
  key: string,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  context: Parameters<typeof isInPeriod>[2],
  report: CellReporter,
): boolean {
  const isCurrent = isInPeriod(from, to, context);
  const note = isCurrent
    ? "the sale applies today: the lower price is imported and stays until the next import"
    : "the sale does not apply today: the lower price is ignored";
  report.note(row, key, note);
  return isCurrent;
}
