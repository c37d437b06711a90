/** A line in the excerpt of a diagnostic. */
export interface ExcerptLine {
  /** 1-based line number. */
  readonly number: number;
  readonly text: string;
  /** Present if the diagnostic refers to this line. */
  readonly isMarked?: true;
}

/** Number of lines before and after the marked line. */
const EXCERPT_CONTEXT_LINES = 2;
/** Maximum number of characters of a line. Generated files can have very long lines. */
const MAX_WIDTH = 160;

/** Returns a line with its surrounding lines.  @param column center of the visible part if the line is too long */
export function extractExcerpt(text: string, line: number, column = 1): ExcerptLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  const firstLineNumber = Math.max(1, line - EXCERPT_CONTEXT_LINES);
  const lastLineNumber = Math.min(lines.length, line + EXCERPT_CONTEXT_LINES);
  const firstColumn = Math.max(0, column - MAX_WIDTH / 2);
  return Array.from({ length: Math.max(0, lastLineNumber - firstLineNumber + 1) }, (_, index) => {
    const number = firstLineNumber + index;
    const sourceLine = lines[number - 1] ?? "";
    const visibleText =
      sourceLine.length <= MAX_WIDTH ? sourceLine : truncateLine(sourceLine, number === line ? firstColumn : 0);
    return { number, text: visibleText, ...(number === line ? { isMarked: true as const } : {}) };
  });
}

function truncateLine(line: string, start: number): string {
  const visiblePart = line.slice(start, start + MAX_WIDTH).toWellFormed();
  return `${start > 0 ? "…" : ""}${visiblePart}${start + MAX_WIDTH < line.length ? "…" : ""}`;
}
