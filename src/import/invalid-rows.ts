import type { Source } from "./formats/read-value.ts";
import type { RejectedRows } from "./read-catalog.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

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
