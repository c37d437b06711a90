import { rename, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { REJECTED_COLUMN } from "./formats/tables/columns.ts";
import type { InvalidRow } from "./invalid-rows.ts";

/** Writes rows that were left out, with why, into files that can be mended and imported again: beside each other in `dir`, one for each file they
 *  came from. @returns their names, with how many rows each holds */
export async function writeRejected(
  rows: readonly InvalidRow[],
  dir: string,
): Promise<readonly { readonly file: string; readonly rows: number }[]> {
  const written: { readonly file: string; readonly rows: number }[] = [];
  for (const [name, some] of Map.groupBy(rows, ({ file }) => file)) {
    const isTable = some.some(({ source }) => source !== undefined && "rows" in source);
    const file = join(
      dir,
      `${basename(name, extname(name)).replace(/-left-out$/, "")}-left-out.${isTable ? "csv" : "jsonl"}`,
    );
    // The file may be the one that is being imported.
    await writeFile(`${file}.part`, isTable ? tableOf(some) : linesOf(some));
    await rename(`${file}.part`, file);
    written.push({ file, rows: some.length });
  }
  return written;
}

/** Each row as it was written, below why it was left out. */
function linesOf(rows: readonly InvalidRow[]): string {
  return rows
    .flatMap(({ reasons, source }) => [
      ...reasons.map((reason) => `// ${reason.replace(/\s+/g, " ")}`),
      ...(source !== undefined && "text" in source && source.text !== "" ? [source.text] : []),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function tableOf(rows: readonly InvalidRow[]): string {
  const sources = rows.flatMap(({ source, reasons }) =>
    source !== undefined && "rows" in source ? [{ ...source, reason: reasons.join("; ") }] : [],
  );
  const named = sources.flatMap(({ columns }) => columns).filter((name) => name !== REJECTED_COLUMN);
  const columns = isOneHeader(sources.map((one) => one.columns)) ? (sources[0]?.columns ?? []) : [...new Set(named)];
  const kept = columns.flatMap((name, place) => (name === REJECTED_COLUMN ? [] : [{ name, place }]));
  const lines = sources.flatMap((source) => {
    const isSame = source.columns === columns;
    return source.rows.map((cells, index) => [
      ...kept.map(({ name, place }) => cells[isSame ? place : source.columns.indexOf(name)] ?? ""),
      index === 0 ? source.reason : "",
    ]);
  });
  const header = [...kept.map(({ name }) => name), REJECTED_COLUMN];
  return [header, ...lines].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function isOneHeader(headers: readonly (readonly string[])[]): boolean {
  return headers.every((one) => one === headers[0]);
}

function quoted(cell: string): string {
  return /[",;\t|\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
