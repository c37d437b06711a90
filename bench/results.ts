import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

export type Cells = readonly string[];

/** Returns the first two cells of every row: date and commit. */
export function today(): [string, string] {
  return [
    new Date().toISOString().slice(0, 10),
    execFileSync("git", ["rev-parse", "--short", "HEAD"]).toString().trim(),
  ];
}

/**
 * Adds rows to the table below a heading in a file of results. Older rows with the same key move to `history/` next to
 * the file. A comment `<!-- key: column; column -->` below the heading names the key columns. Without it, all older
 * rows move.
 * @param file default: results.md in this folder
 * @throws Error if the file does not have the heading
 */
export function recordRows(
  heading: string,
  rows: readonly Cells[],
  file = new URL("./results.md", import.meta.url),
): void {
  const { text, history } = withRows(readFileSync(file, "utf8"), heading, rows);
  writeFileSync(file, text);
  if (history.length === 0) return;
  const script = /^## ([a-z-]+)/.exec(heading)?.[1] ?? "other";
  const historyFile = new URL(`history/${script}.md`, file);
  mkdirSync(new URL("history/", file), { recursive: true });
  const oldHistory = existsSync(historyFile)
    ? readFileSync(historyFile, "utf8")
    : `# History of ${script}\n\nOlder rows of [results.md](../results.md).\n`;
  writeFileSync(historyFile, withHistory(oldHistory, history));
}

/**
 * Adds rows to a table in a text.
 * @returns the new text, and the lines that move to the history: heading, table header and rows, or none
 */
export function withRows(
  text: string,
  heading: string,
  rows: readonly Cells[],
): { readonly text: string; readonly history: readonly string[] } {
  const lines = text.split("\n");
  const headingLine = lines.findIndex((line) => line.startsWith(heading));
  if (headingLine < 0) throw new Error(`the results have no heading "${heading}"`);
  const headerRow = lines.findIndex((line, index) => index > headingLine && line.startsWith("|"));
  const firstRow = headerRow + 2;
  const endRow = firstRow + lines.slice(firstRow).findIndex((line) => !line.startsWith("|"));
  const columns = cellsOf(lines[headerRow] ?? "");
  const [, key = ""] = /^<!-- key: (.*) -->$/m.exec(lines.slice(headingLine, headerRow).join("\n")) ?? [];
  const indexes = key === "" ? [] : key.split("; ").map((column) => columns.indexOf(column));
  const keyOf = (cells: Cells): string => indexes.map((index) => cells[index]).join("\n");
  const keys = new Set(rows.map(keyOf));
  const oldRows = lines.slice(firstRow, endRow);
  const movedRows = oldRows.filter((line) => keys.has(keyOf(cellsOf(line))));
  const table = [
    ...oldRows.filter((line) => !movedRows.includes(line)),
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ];
  return {
    text: [...lines.slice(0, firstRow), ...table, ...lines.slice(endRow)].join("\n"),
    history:
      movedRows.length === 0 ? [] : [lines[headingLine] ?? "", ...lines.slice(headerRow, firstRow), ...movedRows],
  };
}

/** Adds rows to a history file, at the end of the table below their heading or in a new table. */
export function withHistory(text: string, [heading = "", ...lines]: readonly string[]): string {
  const allLines = text.trimEnd().split("\n");
  const headingLine = allLines.indexOf(heading);
  if (headingLine < 0) return `${[...allLines, "", heading, "", ...lines].join("\n")}\n`;
  const lastRow = allLines.findLastIndex(
    (line, index) => line.startsWith("|") && !allLines.slice(headingLine + 1, index).some(isHeading),
  );
  return `${allLines.toSpliced(lastRow + 1, 0, ...lines.slice(2)).join("\n")}\n`;
}

function isHeading(line: string): boolean {
  return line.startsWith("## ");
}

function cellsOf(line: string): Cells {
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}
