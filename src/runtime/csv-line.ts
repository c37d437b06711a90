/** First character of a CSV file for spreadsheets. Without it, some read the file with the wrong encoding. */
export const BYTE_ORDER_MARK = "\ufeff";

/** Formats a line of CSV (RFC 4180), with its line end. */
export function formatCsvLine(cells: readonly (string | undefined)[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

/** Returns the text of a cell that `formatCsvLine` wrote, without the apostrophes in front of formulas. */
export function parseCsvCell(cell: string): string {
  return cell.replaceAll(escapedFormula, "$1");
}

const formula = /(^|[;\t\r\n] *)(?=[=+@＝＋－＠\t\r]|-(?!\d+(?:\.\d+)?$))/g;
const escapedFormula = new RegExp(formula.source.replace("(?=", "'(?="), "g");

/**
 * Formats a CSV cell. An apostrophe prevents spreadsheets from running text as a formula (CSV injection). It is added
 * at the start of the text, and after semicolons, tabs, and line breaks, at which some spreadsheets split cells.
 * Full-width signs also start formulas in East Asian spreadsheets.
 */
function formatCell(text = ""): string {
  const safeText = text.replaceAll(formula, "$1'");
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
