/** A line of a file, as it is shown beside what is wrong in it. */
export interface ExcerptLine {
  /** 1 for the first. */
  readonly number: number;
  readonly text: string;
  /** The line that is meant. */
  readonly isMarked?: true;
}

/** Lines shown before and after the one that is meant. */
const AROUND = 2;
/** Characters of a line that are shown; files made by programs have everything in one. */
const MAX_WIDTH = 160;

/** The line and its neighbours. @param column where long lines are cut out around */
export function excerptOf(text: string, line: number, column = 1): ExcerptLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  const from = Math.max(1, line - AROUND);
  const to = Math.min(lines.length, line + AROUND);
  const begin = Math.max(0, column - MAX_WIDTH / 2);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const number = from + index;
    const whole = lines[number - 1] ?? "";
    const shown = whole.length <= MAX_WIDTH ? whole : cut(whole, number === line ? begin : 0);
    return { number, text: shown, ...(number === line ? { isMarked: true as const } : {}) };
  });
}

function cut(line: string, begin: number): string {
  const part = line.slice(begin, begin + MAX_WIDTH).toWellFormed();
  return `${begin > 0 ? "…" : ""}${part}${begin + MAX_WIDTH < line.length ? "…" : ""}`;
}
