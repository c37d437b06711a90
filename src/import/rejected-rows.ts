import { rename, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { BYTE_ORDER_MARK } from "../runtime/csv-line.ts";
import type { ValueSource } from "./formats/read-value.ts";
import { REJECTED_ROWS_SUFFIX, REJECTION_COLUMN_NAME } from "./formats/tables/columns.ts";
import type { RejectedRows } from "./read-catalog.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

/**
 * Writes rejected rows with their errors to files in `dir`, one per source file. The user corrects them and imports
 * them again.
 * @returns the names of the files, with their numbers of rows
 */
export async function writeRejectedRows(
  rows: readonly InvalidRow[],
  dir: string,
): Promise<readonly { readonly file: string; readonly rows: number }[]> {
  const writtenFiles: { readonly file: string; readonly rows: number }[] = [];
  for (const [name, fileRows] of Map.groupBy(rows, ({ file }) => file)) {
    const hasTableRows = fileRows.some(({ source }) => source !== undefined && "rows" in source);
    const stem = join(dir, `${basename(name, extname(name)).replace(REJECTED_ROWS_SUFFIX, "")}-left-out`);
    const extension = hasTableRows ? "csv" : "jsonl";
    // Files of several folders may have the same name.
    let file = `${stem}.${extension}`;
    for (let number = 2; writtenFiles.some((written) => written.file === file); number += 1)
      file = `${stem}-${number}.${extension}`;
    // Writing to a temporary file first allows the target to be the file that is being imported.
    await writeFile(`${file}.part`, hasTableRows ? formatTable(fileRows) : formatRows(fileRows));
    await rename(`${file}.part`, file);
    writtenFiles.push({ file, rows: fileRows.length });
  }
  return writtenFiles;
}

/** Formats rows as JSON lines, each preceded by comments with its errors. */
function formatRows(rows: readonly InvalidRow[]): string {
  return rows
    .flatMap(({ reasons, source }) => [
      ...reasons.map((reason) => `// ${reason.replace(/\s+/g, " ")}`),
      ...(source !== undefined && "text" in source && source.text !== "" ? [source.text] : []),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function formatTable(rows: readonly InvalidRow[]): string {
  const sources = rows.flatMap(({ source, reasons }) =>
    source !== undefined && "rows" in source ? [{ ...source, reason: reasons.join("; ") }] : [],
  );
  const columnNames = sources.flatMap(({ columns }) => columns).filter((name) => name !== REJECTION_COLUMN_NAME);
  const [firstSource] = sources;
  const columns =
    firstSource !== undefined && sources.every((source) => source.columns === firstSource.columns)
      ? firstSource.columns
      : [...new Set(columnNames)];
  const copiedColumns = columns.flatMap((name, columnIndex) =>
    name === REJECTION_COLUMN_NAME ? [] : [{ name, place: columnIndex }],
  );
  const lines = sources.flatMap((source) => {
    const hasSameColumns = source.columns === columns;
    return source.rows.map((cells, index) => [
      ...copiedColumns.map(({ name, place }) => cells[hasSameColumns ? place : source.columns.indexOf(name)] ?? ""),
      index === 0 ? source.reason : "",
    ]);
  });
  const header = [...copiedColumns.map(({ name }) => name), REJECTION_COLUMN_NAME];
  // Spreadsheets of countries with decimal commas open only such files as tables.
  const separator = firstSource?.separator === ";" ? ";" : ",";
  return BYTE_ORDER_MARK + [header, ...lines].map((cells) => `${cells.map(quoteCsvCell).join(separator)}\n`).join("");
}

function quoteCsvCell(cell: string): string {
  return /[",;\t|\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A row that cannot be imported. */
export interface InvalidRow {
  readonly file: string;
  readonly line: number;
  /** Error messages, such as "line 4: Variant Price: is required". */
  readonly reasons: readonly string[];
  /** The row's text in its file. If undefined, the row cannot be written to the file of rejected rows. */
  readonly source?: ValueSource;
}

export interface InvalidRows extends RejectedRows {
  rows(): readonly InvalidRow[];
}

/**
 * Rejects invalid rows until all remaining rows are valid. Several passes are needed, because a reference to a rejected
 * row is an error too.
 * @param readRows reads all rows that are not rejected, and reports each error
 */
export async function findInvalidRows(
  readRows: (rejectedRows: RejectedRows, onError: (error: RowError) => void) => Promise<void>,
): Promise<InvalidRows> {
  const reasons = new Map<string, { readonly file: string; readonly line: number; readonly reasons: string[] }>();
  const sources = new Map<string, ValueSource>();
  const rowKeyOf = (file: string, ordinal: number): string => `${file}\n${ordinal}`;
  const rejectedRows: RejectedRows = {
    has: (file, ordinal) => reasons.has(rowKeyOf(file, ordinal)),
    record: (file, ordinal, source) => sources.set(rowKeyOf(file, ordinal), source),
  };
  for (let previousCount = -1; previousCount < reasons.size; ) {
    previousCount = reasons.size;
    const errors: RowError[] = [];
    await readRows(rejectedRows, (error) => errors.push(error));
    for (const error of errors) {
      // An error of the entire file cannot be skipped.
      if (error.row === undefined) continue;
      const key = rowKeyOf(error.file, error.row.ordinal);
      const invalidRow = reasons.get(key) ?? { file: error.file, line: error.row.line, reasons: [] };
      const position = error.line === 0 ? "" : `line ${error.line}: `;
      invalidRow.reasons.push(`${position}${describeRowError({ ...error, file: "", line: 0 }).replace(/^: /, "")}`);
      reasons.set(key, invalidRow);
    }
  }
  return {
    ...rejectedRows,
    rows: () =>
      [...reasons].map(([key, row]) => {
        const source = sources.get(key);
        return source === undefined ? row : { ...row, source };
      }),
  };
}
