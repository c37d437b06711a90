/** A line of the excerpt that a diagnostic shows. */
export interface ExcerptLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The line of the diagnostic. */
  readonly isMarked?: true;
}

/** Number of lines before and after it. */
const AROUND = 2;
/** Maximum characters of a line; generated files have long ones. */
const MAX_WIDTH = 160;

/** Returns the line and its neighbors.  @param column center of the cut in long lines */
export function excerptOf(text: string, line: number, column = 1): ExcerptLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  const from = Math.max(1, line - AROUND);
  const to = Math.min(lines.length, line + AROUND);
  const begin = Math.max(0, column - MAX_WIDTH / 2);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const number = from + index;
    const fullLine = lines[number - 1] ?? "";
    const shown = fullLine.length <= MAX_WIDTH ? fullLine : cut(fullLine, number === line ? begin : 0);
    return { number, text: shown, ...(number === line ? { isMarked: true as const } : {}) };
  });
}

function cut(line: string, begin: number): string {
  const part = line.slice(begin, begin + MAX_WIDTH).toWellFormed();
  return `${begin > 0 ? "…" : ""}${part}${begin + MAX_WIDTH < line.length ? "…" : ""}`;
}
