/** First character of a CSV file for spreadsheets. Without it, some read the file with the wrong encoding. */
export const BYTE_ORDER_MARK = "\ufeff";

/** First bytes of a workbook, as Latin-1: a zip file (`.xlsx`, `.ods`), or a compound file (`.xls`). */
export const workbookStart = /^(?:PK\u0003\u0004|ÐÏ\u0011à)/;

/**
 * Parses a boolean in a cell: "1", "yes", or the word for TRUE that spreadsheets write in their language. Returns
 * undefined for other texts.
 */
export function parseCsvFlag(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return trueWords.has(word) ? true : falseWords.has(word) ? false : undefined;
}

// The lower-case form of "I" is "i", also in the words of Turkish.
const trueWords: ReadonlySet<string> = new Set(
  "1 true yes y wahr ja vrai oui verdadero sí si sì vero verdadeiro sim waar prawda tak sant sand sann tosi kyllä pravda ano igaz igen adevărat da cert doğru evet истина да істина αληθες αληθης ναι".split(
    " ",
  ),
);
const falseWords: ReadonlySet<string> = new Set(
  "0 false no n falsch nein faux non falso não onwaar nee fałsz nie falskt nej falsk usann nei epätosi ei nepravda ne hamis nem fals nu yanliş yanlış hayir hayır ложь нет лъжа не хибність ψευδες ψευδης όχι".split(
    " ",
  ),
);

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
