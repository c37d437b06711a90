import { normalize } from "@vitrine/search";
import { isIsoDay } from "../../catalog/rows/zoned-dates.ts";

/** An error in a rules file. */
export interface RuleError {
  /** Path of the file in the store's folder, such as "search/pins.txt". */
  readonly file: string;
  /** Line number, starting at 1; 0 for an error of the file itself. */
  readonly line: number;
  /** Description of the error and how to fix it. */
  readonly message: string;
}

/** A line of a rules file that contains a rule. */
export interface RuleLine {
  /** Line number, starting at 1. */
  readonly line: number;
  readonly text: string;
  /** Language of the section that contains the line. Default: all languages. */
  readonly locale?: string;
  /** Days on which the rule applies. Default: always. */
  readonly dates?: RuleDates;
}

/** First and last day on which a rule applies, such as "2026-11-27", in the shop's time zone. Default: no limit. */
export interface RuleDates {
  readonly from?: string;
  readonly until?: string;
}

/** The queries to which a rule applies. */
export interface QueryPattern {
  /** Normalized query (see `normalizeQuery`). For a pattern such as `rain*`, the normalized prefix. */
  readonly key: string;
  readonly isPrefix: boolean;
}

/**
 * Returns the lines of a rules file without comments and empty lines. A line `[fr]` starts the rules of a language;
 * `[all]` ends them.
 * @param locales languages of the shop
 */
export function parseRuleLines(
  content: string,
  locales: readonly string[],
  report: (line: number, message: string) => void,
): RuleLine[] {
  const lines: RuleLine[] = [];
  let locale: string | undefined;
  // Rules of an unknown language never apply.
  let isKnownLocale = true;
  for (const [index, text] of removeCommentLines(content).entries()) {
    const line = index + 1;
    const sectionName = /^\[(.*)\]$/.exec(text)?.[1]?.trim();
    if (sectionName !== undefined) {
      locale = sectionName === "all" ? undefined : sectionName;
      isKnownLocale = locale === undefined || locales.includes(locale);
      if (!isKnownLocale)
        report(
          line,
          `"${sectionName}" is not a language of this shop. Write ${formatChoices(locales.map((language) => `[${language}]`))}.`,
        );
    } else if (text !== "" && isKnownLocale) {
      const ruleParts = extractDates(text);
      if (ruleParts === undefined)
        report(line, 'the dates are invalid. Write @ and two dates at the end: "@ 2026-11-27..2026-11-30".');
      else lines.push({ line, ...ruleParts, ...(locale === undefined ? {} : { locale }) });
    }
  }
  return lines;
}

/** Trims all lines, and replaces comments with empty lines. */
export function removeCommentLines(content: string): readonly string[] {
  return content
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trim());
}

/**
 * Splits a rule line into text and dates: "sale -> /pages/sale @ 2026-11-27..2026-11-30". One of the dates may be
 * missing.
 * @returns undefined if the dates are invalid
 */
function extractDates(text: string): Pick<RuleLine, "text" | "dates"> | undefined {
  const dateMatch = /\s@\s*([\d.-]+)$/.exec(text);
  if (dateMatch === null) return { text };
  const [from = "", until = "", ...extraParts] = (dateMatch[1] ?? "").split("..");
  const areDatesValid =
    extraParts.length === 0 && from + until !== "" && [from, until].every((day) => day === "" || isIsoDay(day));
  if (!areDatesValid || !dateMatch[1]?.includes("..") || (until !== "" && until < from)) return undefined;
  const dates = { ...(from === "" ? {} : { from }), ...(until === "" ? {} : { until }) };
  return { text: text.slice(0, dateMatch.index).trim(), dates };
}

/** Returns whether a rule applies on a day.  @param today day such as "2026-11-27" */
export function isRuleActive({ dates }: { readonly dates?: RuleDates }, today: string): boolean {
  return dates === undefined || ((dates.from ?? today) <= today && today <= (dates.until ?? today));
}

/** Parses the query patterns of a rule, which are separated by commas.  @returns undefined if a pattern is invalid */
export function parseQueryPatterns(text: string, report: (message: string) => void): QueryPattern[] | undefined {
  const names = splitList(text);
  if (names.length === 0) {
    report("the query is missing. Write it at the start of the line.");
    return undefined;
  }
  const patterns: QueryPattern[] = [];
  for (const name of names) {
    const isPrefix = name.endsWith("*");
    const key = normalizeQuery(isPrefix ? name.slice(0, -1) : name);
    if (name.slice(0, -1).includes("*")) report(`"${name}": * is only allowed at the end of a query.`);
    else if (key === "" && !isPrefix) report(`"${name}" has no letter or digit. Write a query.`);
    else patterns.push({ key, isPrefix });
  }
  return patterns.length === names.length ? patterns : undefined;
}

/**
 * Returns the key by which rules match a query: its letters and digits, normalized as in the search. Blanks and
 * punctuation are ignored, so `T-Shirt`, `t shirt` and `tshirt` have the same key.
 */
export function normalizeQuery(query: string): string {
  return normalize(query).replaceAll(" ", "");
}

/** Splits a text at commas, and omits empty items. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function formatChoices(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
