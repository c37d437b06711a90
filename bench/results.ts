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
  const older = existsSync(historyFile)
    ? readFileSync(historyFile, "utf8")
    : `# History of ${script}\n\nOlder rows of [results.md](../results.md).\n`;
  writeFileSync(historyFile, withHistory(older, history));
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
  const start = lines.findIndex((line) => line.startsWith(heading));
  if (start < 0) throw new Error(`the results have no heading "${heading}"`);
  const head = lines.findIndex((line, index) => index > start && line.startsWith("|"));
  const first = head + 2;
  const end = first + lines.slice(first).findIndex((line) => !line.startsWith("|"));
  const columns = cellsOf(lines[head] ?? "");
  const [, key = ""] = /^<!-- key: (.*) -->$/m.exec(lines.slice(start, head).join("\n")) ?? [];
  const indexes = key === "" ? [] : key.split("; ").map((column) => columns.indexOf(column));
  const keyOf = (cells: Cells): string => indexes.map((index) => cells[index]).join("\n");
  const keys = new Set(rows.map(keyOf));
  const old = lines.slice(first, end);
  const moved = old.filter((line) => keys.has(keyOf(cellsOf(line))));
  const table = [...old.filter((line) => !moved.includes(line)), ...rows.map((cells) => `| ${cells.join(" | ")} |`)];
  return {
    text: [...lines.slice(0, first), ...table, ...lines.slice(end)].join("\n"),
    history: moved.length === 0 ? [] : [lines[start] ?? "", ...lines.slice(head, first), ...moved],
  };
}

/** Adds rows to a history file, at the end of the table below their heading or in a new table. */
export function withHistory(text: string, [heading = "", ...lines]: readonly string[]): string {
  const all = text.trimEnd().split("\n");
  const start = all.indexOf(heading);
  if (start < 0) return `${[...all, "", heading, "", ...lines].join("\n")}\n`;
  const last = all.findLastIndex((line, index) => line.startsWith("|") && !all.slice(start + 1, index).some(isHeading));
  return `${all.toSpliced(last + 1, 0, ...lines.slice(2)).join("\n")}\n`;
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
