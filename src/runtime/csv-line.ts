/** First character of a CSV file for spreadsheets. Without it, some read the file with the wrong encoding. */
export const BYTE_ORDER_MARK = "\ufeff";

/** Formats a line of CSV (RFC 4180), with its line end. */
export function formatCsvLine(cells: readonly (string | undefined)[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

/**
 * Formats a CSV cell. An apostrophe prevents spreadsheets from running text as a formula (CSV injection). It is added
 * at the start of the text, and after semicolons, tabs, and line breaks, at which some spreadsheets split cells.
 * Full-width signs also start formulas in East Asian spreadsheets.
 */
function formatCell(text = ""): string {
  const safeText = text.replaceAll(/(^|[;\t\r\n] *)(?=[=+@＝＋－＠\t\r]|-(?!\d+(?:\.\d+)?$))/g, "$1'");
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
