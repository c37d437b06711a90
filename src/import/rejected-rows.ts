import { rename, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { Source } from "./formats/read-value.ts";
import { REJECTED_COLUMN } from "./formats/tables/columns.ts";
import type { RejectedRows } from "./read-catalog.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

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

/** A row that cannot be taken. */
export interface InvalidRow {
  readonly file: string;
  readonly line: number;
  /** "line 4: Variant Price: is required" */
  readonly reasons: readonly string[];
  /** What it was read from; absent: nothing that can be written again. */
  readonly source?: Source;
}

export interface InvalidRows extends RejectedRows {
  rows(): readonly InvalidRow[];
}

/** Looks for rows that cannot be taken, until the others stand without them: what names a row that is left out has a fault too.
 *  @param look reads all rows but those left out, and tells of each fault */
export async function findInvalidRows(
  look: (leftOut: RejectedRows, onError: (error: RowError) => void) => Promise<void>,
): Promise<InvalidRows> {
  const reasons = new Map<string, { readonly file: string; readonly line: number; readonly reasons: string[] }>();
  const sources = new Map<string, Source>();
  const keyOf = (file: string, ordinal: number): string => `${file}\n${ordinal}`;
  const leftOut: RejectedRows = {
    has: (file, ordinal) => reasons.has(keyOf(file, ordinal)),
    record: (file, ordinal, source) => sources.set(keyOf(file, ordinal), source),
  };
  for (let known = -1; known < reasons.size; ) {
    known = reasons.size;
    const found: RowError[] = [];
    await look(leftOut, (error) => found.push(error));
    for (const error of found) {
      // A fault of the file itself stays one.
      if (error.row === undefined) continue;
      const key = keyOf(error.file, error.row.ordinal);
      const bad = reasons.get(key) ?? { file: error.file, line: error.row.line, reasons: [] };
      const at = error.line === 0 ? "" : `line ${error.line}: `;
      bad.reasons.push(`${at}${describeRowError({ ...error, file: "", line: 0 }).replace(/^: /, "")}`);
      reasons.set(key, bad);
    }
  }
  return {
    ...leftOut,
    rows: () =>
      [...reasons].map(([key, row]) => {
        const source = sources.get(key);
        return source === undefined ? row : { ...row, source };
      }),
  };
}
