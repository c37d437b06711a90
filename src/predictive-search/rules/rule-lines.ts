import { normalize } from "@vitrine/search";

/** One thing that is wrong with a rules file. */
export interface RuleFault {
  /** Path inside of the store's folder: "search/pins.txt". */
  readonly file: string;
  /** From 1; 0 where it is not one line's. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** A line of a rules file that says something. */
export interface RuleLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** The language of the section it stands in; absent: all. */
  readonly locale?: string;
  /** Absent: it always holds. */
  readonly dates?: RuleDates;
}

/** Days on which a rule holds, as "2026-11-27" in the shop's time zone, both included; absent: without end on that side. */
export interface RuleDates {
  readonly from?: string;
  readonly until?: string;
}

/** The queries a rule is for. */
export interface QueryPattern {
  /** What all spellings of the query have in common; of a beginning (`rain*`), what it begins with. */
  readonly key: string;
  readonly isBeginning: boolean;
}

/** Lines of a rules file without comments and empty ones. `[fr]` begins the rules of a language, `[all]` ends them.
 *  @param locales the shop's languages */
export function ruleLines(
  content: string,
  locales: readonly string[],
  report: (line: number, message: string) => void,
): RuleLine[] {
  const lines: RuleLine[] = [];
  let locale: string | undefined;
  // What stands under a language that is not known holds nowhere.
  let isKnown = true;
  for (const [index, text] of linesWithoutComments(content).entries()) {
    const line = index + 1;
    const section = /^\[(.*)\]$/.exec(text)?.[1]?.trim();
    if (section !== undefined) {
      locale = section === "all" ? undefined : section;
      isKnown = locale === undefined || locales.includes(locale);
      if (!isKnown)
        report(line, `"${section}" is not a language of this shop. Write ${choice(locales.map((one) => `[${one}]`))}.`);
    } else if (text !== "" && isKnown) {
      const dated = cutDates(text);
      if (dated === undefined)
        report(line, 'the dates are invalid. Write @ and two dates at the end: "@ 2026-11-27..2026-11-30".');
      else lines.push({ line, ...dated, ...(locale === undefined ? {} : { locale }) });
    }
  }
  return lines;
}

/** All lines, trimmed; those of comments are empty. */
export function linesWithoutComments(content: string): readonly string[] {
  return content
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/)
    .map((raw) => raw.replace(/(?:^|\s)#.*$/, "").trim());
}

/** "sale -> /pages/sale @ 2026-11-27..2026-11-30", of which one day may be left out. @returns undefined where the dates cannot be read */
function cutDates(text: string): Pick<RuleLine, "text" | "dates"> | undefined {
  const found = /\s@\s*([\d.-]+)$/.exec(text);
  if (found === null) return { text };
  const [from = "", until = "", ...more] = (found[1] ?? "").split("..");
  const isWhole = more.length === 0 && from + until !== "" && [from, until].every((day) => day === "" || isDay(day));
  if (!isWhole || !found[1]?.includes("..") || (until !== "" && until < from)) return undefined;
  const dates = { ...(from === "" ? {} : { from }), ...(until === "" ? {} : { until }) };
  return { text: text.slice(0, found.index).trim(), dates };
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Whether a rule holds on a day. @param today "2026-11-27" */
export function holdsOn({ dates }: { readonly dates?: RuleDates }, today: string): boolean {
  return dates === undefined || ((dates.from ?? today) <= today && today <= (dates.until ?? today));
}

/** The queries before the sign of a rule, separated by commas; undefined where one cannot be read. */
export function queryPatterns(text: string, report: (message: string) => void): QueryPattern[] | undefined {
  const names = listed(text);
  if (names.length === 0) {
    report("the query is missing. Write it at the start of the line.");
    return undefined;
  }
  const patterns: QueryPattern[] = [];
  for (const name of names) {
    const isBeginning = name.endsWith("*");
    const key = queryKey(isBeginning ? name.slice(0, -1) : name);
    if (name.slice(0, -1).includes("*")) report(`"${name}": * is only allowed at the end of a query.`);
    else if (key === "" && !isBeginning) report(`"${name}" has no letter or digit. Write a query.`);
    else patterns.push({ key, isBeginning });
  }
  return patterns.length === names.length ? patterns : undefined;
}

/** What all spellings of a query have in common for rules: its letters and digits, folded as the search folds them. Blanks and
 *  punctuation do not count: `T-Shirt`, `t shirt` and `tshirt` are one query. */
export function queryKey(query: string): string {
  return normalize(query).replaceAll(" ", "");
}

/** Items between commas, without empty ones. */
export function listed(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export function choice(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
