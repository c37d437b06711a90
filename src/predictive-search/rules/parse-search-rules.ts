import { normalize } from "@vitrine/search";
import {
  listed,
  type QueryPattern,
  queryPatterns,
  type RuleDates,
  type RuleError,
  type RuleLine,
  ruleLines,
} from "./rule-lines.ts";

/** A rule for one query, or for queries with a prefix. */
export interface QueryRule<T> {
  readonly patterns: readonly QueryPattern[];
  /** Language of the rule. Default: all languages. */
  readonly locale?: string;
  /** Days on which the rule applies. Default: always. */
  readonly dates?: RuleDates;
  readonly value: T;
  /** Location of the rule, such as "search/pins.txt:4". */
  readonly at: string;
}

/**
 * Equivalent words or phrases. With `to`, the rule has one direction: a search for the words of `from` also matches
 * those of `to`.
 */
export interface SynonymRule {
  readonly from: readonly string[];
  readonly to?: readonly string[];
  readonly dates?: RuleDates;
  readonly at: string;
}

/** Products that rank higher for a query if they match its words. */
export interface Boost {
  readonly handles: readonly string[];
  /** Points that are added to the score, in the unit of explanations. */
  readonly points: number;
}

/** Parsed rules by kind. All handles are handles of products. */
export interface ParsedRules {
  readonly synonyms: readonly SynonymRule[];
  readonly pins: readonly QueryRule<readonly string[]>[];
  readonly boosts: readonly QueryRule<Boost>[];
  readonly hides: readonly QueryRule<readonly string[]>[];
  /** Target paths in this store, usually without a locale prefix. */
  readonly redirects: readonly QueryRule<string>[];
}

export type RulesName = keyof ParsedRules;
export const rulesNames: readonly RulesName[] = ["synonyms", "pins", "boosts", "hides", "redirects"];

export interface RuleContext {
  /** The shop's languages. */
  readonly locales: readonly string[];
  /** Returns a path of this store; undefined if the text may lead to another site. */
  readonly parsePath: (text: string) => string | undefined;
}

export const noRules: ParsedRules = { synonyms: [], pins: [], boosts: [], hides: [], redirects: [] };

/**
 * Parses the content of one rules file. Invalid lines are reported and skipped.
 * @param file name of the file in errors and explanations
 */
export function parseRulesFile<N extends RulesName>(
  name: N,
  content: string,
  { locales, parsePath }: RuleContext,
  onError: (error: RuleError) => void,
  file: string = fileOf(name),
): ParsedRules[N] {
  const report = (line: number, message: string): void => onError({ file, line, message });
  const lines = ruleLines(content, locales, report);
  const read: { readonly [Name in RulesName]: () => ParsedRules[Name] } = {
    synonyms: () => parseSynonyms(lines, file, report),
    pins: () => parseHandles(lines, file, report),
    boosts: () => parseBoosts(lines, file, report),
    hides: () => parseHandles(lines, file, report),
    redirects: () => parseRedirects(lines, { file, locales, parsePath }, report),
  };
  return read[name]();
}

/** Returns the path of a rules file, such as "search/pins.txt". */
export function fileOf(name: RulesName): string {
  return `search/${name}.txt`;
}

type Report = (line: number, message: string) => void;

function parseSynonyms(lines: readonly RuleLine[], file: string, report: Report): SynonymRule[] {
  const found: SynonymRule[] = [];
  for (const { line, text, locale, dates } of lines) {
    const sides = text.split(/\s*=>\s*/);
    const [from = [], to] = sides.map(listed);
    const mute = [...from, ...(to ?? [])].find((phrase) => normalize(phrase) === "");
    if (locale !== undefined) report(line, "synonyms apply to all languages. Put them before the first [section].");
    else if (mute !== undefined) report(line, `"${mute}" has no letter or digit.`);
    else if (sides.length > 2 || from.length === 0 || to?.length === 0)
      report(line, 'a one-way synonym needs one "=>" with words on both sides: "ring light => lamp".');
    else if (to === undefined && from.length === 1)
      report(line, `"${text}" has no synonym. Write words with the same meaning on one line: "sofa, couch".`);
    else found.push({ from, ...(to === undefined ? {} : { to }), ...datesOf(dates), at: `${file}:${line}` });
  }
  return found;
}

function parseHandles(lines: readonly RuleLine[], file: string, report: Report): QueryRule<readonly string[]>[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ line, text, locale, dates }) => {
    // The last colon separates query and handles, since a query may contain a colon but a handle may not.
    const colon = text.lastIndexOf(":");
    if (colon < 0) {
      report(line, `"${text}" has no ":". Write the query, a colon and product handles: "raincoat: storm-smock".`);
      return [];
    }
    const patterns = queryPatterns(text.slice(0, colon), (message) => report(line, message));
    const handles = listed(text.slice(colon + 1));
    const invalid = handles.find((handle) => /[\s/*]|->/.test(handle));
    if (handles.length === 0)
      report(line, "the product is missing. Write handles after the colon, separated by commas.");
    else if (invalid !== undefined)
      report(
        line,
        `"${invalid}" is not a handle. Use the last part of the product's URL: "storm-smock" of /products/storm-smock.`,
      );
    else if (patterns !== undefined && isFirst(patterns, { line, locale, dates }, seen, report))
      return [{ patterns, value: [...new Set(handles)], ...locationOf(file, { line, locale, dates }) }];
    return [];
  });
}

/** Parses boosts. A line consists of a query, handles, and points: "rain*: storm-smock, harbour-raincoat +5". */
function parseBoosts(lines: readonly RuleLine[], file: string, report: Report): QueryRule<Boost>[] {
  const points = new Map<number, number>();
  const plain = lines.map((line) => {
    const [, text = line.text, more] = /^(.*?)\s\+(\S*)$/.exec(line.text) ?? [];
    points.set(line.line, more === undefined ? usualBoost : /^\d{1,3}$/.test(more) ? Number(more) : 0);
    return { ...line, text };
  });
  return parseHandles(plain, file, report).flatMap(({ value: handles, ...rule }) => {
    const line = Number(rule.at.slice(file.length + 1));
    const boost = points.get(line) ?? 0;
    if (boost < 1 || boost > maxBoost)
      report(line, `points must be a whole number from 1 to ${maxBoost} at the end of the line: "+${usualBoost}".`);
    else if (handles.length > maxBoostedProducts)
      report(line, `a line can have at most ${maxBoostedProducts} products.`);
    else return [{ ...rule, value: { handles, points: boost } }];
    return [];
  });
}

/** Default points of a boost: the difference between a word in a title and in a less important field. */
const usualBoost = 3;
const maxBoost = 50;
/** Maximum number of products in one line, since each of them is scored in every matching search. */
const maxBoostedProducts = 50;

function locationOf(
  file: string,
  { line, locale, dates }: Where,
): { readonly at: string; readonly locale?: string; readonly dates?: RuleDates } {
  return { at: `${file}:${line}`, ...(locale === undefined ? {} : { locale }), ...datesOf(dates) };
}

function datesOf(dates: RuleDates | undefined): { readonly dates?: RuleDates } {
  return dates === undefined ? {} : { dates };
}

interface Where {
  readonly line: number;
  readonly locale: string | undefined;
  readonly dates: RuleDates | undefined;
}

function parseRedirects(
  lines: readonly RuleLine[],
  { file, locales, parsePath }: RuleContext & { readonly file: string },
  report: Report,
): QueryRule<string>[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ line, text, locale, dates }) => {
    const arrow = text.indexOf("->");
    if (arrow < 0) {
      report(line, `"${text}" has no "->". Write the query, an arrow and a path: "returns -> /pages/returns".`);
      return [];
    }
    const patterns = queryPatterns(text.slice(0, arrow), (message) => report(line, message));
    const target = text.slice(arrow + 2).trim();
    const value = /\s/.test(target) ? undefined : parsePath(target);
    const first = value?.split(/[/?]/).filter((part) => part !== "" && !locales.includes(part))[0];
    if (value === undefined)
      report(line, `"${target}" is not a path of this shop. Write a path that starts with a slash: "/pages/returns".`);
    else if (first === "search")
      report(line, "a redirect to the search page causes a loop. Use synonyms or pins instead.");
    else if (patterns?.some(({ key }) => key === "")) report(line, '"*" redirects every search. Name the queries.');
    else if (patterns !== undefined && isFirst(patterns, { line, locale, dates }, seen, report))
      return [{ patterns, value, ...locationOf(file, { line, locale, dates }) }];
    return [];
  });
}

/** Returns whether no earlier rule names the same query with the same language and days. */
function isFirst(
  patterns: readonly QueryPattern[],
  { line, locale, dates }: Where,
  seen: Map<string, number>,
  report: Report,
): boolean {
  for (const { key, isPrefix: isBeginning } of patterns) {
    const name = JSON.stringify([locale, key, isBeginning, dates?.from, dates?.until]);
    const before = seen.get(name);
    if (before !== undefined) {
      report(
        line,
        `line ${before} already has a rule for "${key}${isBeginning ? "*" : ""}". Combine them on one line.`,
      );
      return false;
    }
    seen.set(name, line);
  }
  return true;
}
