import { type CatalogFault, describeFault } from "./faults.ts";
import type { Source } from "./formats/read-value.ts";
import type { LeftOut } from "./read-catalog.ts";

/** A row that cannot be taken. */
export interface BadRow {
  readonly file: string;
  readonly line: number;
  /** "line 4: Variant Price: is required" */
  readonly reasons: readonly string[];
  /** What it was read from; absent: nothing that can be written again. */
  readonly source?: Source;
}

export interface BadRows extends LeftOut {
  rows(): readonly BadRow[];
}

/** Looks for rows that cannot be taken, until the others stand without them: what names a row that is left out has a fault too.
 *  @param look reads all rows but those left out, and tells of each fault */
export async function findBadRows(
  look: (leftOut: LeftOut, onFault: (fault: CatalogFault) => void) => Promise<void>,
): Promise<BadRows> {
  const reasons = new Map<string, { readonly file: string; readonly line: number; readonly reasons: string[] }>();
  const sources = new Map<string, Source>();
  const keyOf = (file: string, ordinal: number): string => `${file}\n${ordinal}`;
  const leftOut: LeftOut = {
    has: (file, ordinal) => reasons.has(keyOf(file, ordinal)),
    tell: (file, ordinal, source) => sources.set(keyOf(file, ordinal), source),
  };
  for (let known = -1; known < reasons.size; ) {
    known = reasons.size;
    const found: CatalogFault[] = [];
    await look(leftOut, (fault) => found.push(fault));
    for (const fault of found) {
      // A fault of the file itself stays one.
      if (fault.row === undefined) continue;
      const key = keyOf(fault.file, fault.row.ordinal);
      const bad = reasons.get(key) ?? { file: fault.file, line: fault.row.line, reasons: [] };
      const at = fault.line === 0 ? "" : `line ${fault.line}: `;
      bad.reasons.push(`${at}${describeFault({ ...fault, file: "", line: 0 }).replace(/^: /, "")}`);
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
