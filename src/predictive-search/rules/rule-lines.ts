import { cutQuery } from "../../search/analysis/chunks.ts";
import { phraseKey } from "../../search/suggest/phrases.ts";

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
  for (const [index, raw] of content
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/)
    .entries()) {
    const text = raw.replace(/(?:^|\s)#.*$/, "").trim();
    const line = index + 1;
    const section = /^\[(.*)\]$/.exec(text)?.[1]?.trim();
    if (section !== undefined) {
      locale = section === "all" ? undefined : section;
      isKnown = locale === undefined || locales.includes(locale);
      if (!isKnown)
        report(line, `"${section}" is no language of this shop: write ${choice(locales.map((one) => `[${one}]`))}.`);
    } else if (text !== "" && isKnown) lines.push({ line, text, ...(locale === undefined ? {} : { locale }) });
  }
  return lines;
}

/** The queries before the sign of a rule, separated by commas; undefined where one cannot be read. */
export function queryPatterns(text: string, report: (message: string) => void): QueryPattern[] | undefined {
  const names = listed(text);
  if (names.length === 0) {
    report("the query is missing: write what shoppers type at the start of the line.");
    return undefined;
  }
  const patterns: QueryPattern[] = [];
  for (const name of names) {
    const isBeginning = name.endsWith("*");
    const key = queryKey(isBeginning ? name.slice(0, -1) : name);
    if (name.slice(0, -1).includes("*")) report(`"${name}": a * stands at the end of a query alone.`);
    else if (key === "" && !isBeginning) report(`"${name}" holds no letter and no digit: write what shoppers type.`);
    else patterns.push({ key, isBeginning });
  }
  return patterns.length === names.length ? patterns : undefined;
}

/** What all spellings of a query have in common for rules: its letters and digits, folded as the search folds them. Blanks and
 *  punctuation do not count: `T-Shirt`, `t shirt` and `tshirt` are one query. */
export function queryKey(query: string): string {
  return phraseKey(cutQuery(query)).replaceAll(" ", "");
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
