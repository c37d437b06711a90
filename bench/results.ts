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

/** Appends rows to the table below a heading of a file of results.
 *  @param file default: results.md in this folder  @throws Error if the file has no such heading */
export function appendRows(
  heading: string,
  rows: readonly Cells[],
  file = new URL("./results.md", import.meta.url),
): void {
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`${fileURLToPath(file)} has no heading "${heading}"`);
  const table = text.indexOf("\n|", start);
  const end = text.indexOf("\n\n", table);
  const at = end < 0 ? text.length : end + 1;
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  writeFileSync(file, text.slice(0, at) + lines + text.slice(at));
}
