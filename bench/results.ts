import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Cells = readonly string[];

/** The first two cells of every row: the date and the commit. */
export function today(): [string, string] {
  return [
    new Date().toISOString().slice(0, 10),
    execFileSync("git", ["rev-parse", "--short", "HEAD"]).toString().trim(),
  ];
}

/** Adds rows to the table below a heading of results.md, which need not be the last of the file.
 *  @throws Error where the heading is not there */
export function appendRows(heading: string, rows: readonly Cells[]): void {
  const file = fileURLToPath(new URL("./results.md", import.meta.url));
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`results.md has no heading "${heading}"`);
  const table = text.indexOf("\n|", start);
  const end = text.indexOf("\n\n", table);
  const at = end < 0 ? text.length : end + 1;
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  writeFileSync(file, text.slice(0, at) + lines + text.slice(at));
}
