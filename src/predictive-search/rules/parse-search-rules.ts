import { normalize } from "@vitrine/search";
import { parseSameStorePath } from "../../security/same-store-path.ts";
import {
  parseQueryPatterns,
  parseRuleLines,
  type QueryPattern,
  type RuleDates,
  type RuleError,
  type RuleLine,
  splitList,
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
  readonly location: string;
}

/**
 * Equivalent words or phrases. A rule with `to` has one direction: a search for words in `from` also matches words in
 * `to`.
 */
export interface SynonymRule {
  readonly from: readonly string[];
  readonly to?: readonly string[];
  readonly dates?: RuleDates;
  readonly location: string;
}

/** Products that rank higher for a query if they match its words. */
export interface Boost {
  readonly handles: readonly string[];
  /** Number that is added to the product's score. */
  readonly points: number;
}

/** Part of a ranking rule: products that match the query get points, depending on their margin, stock, or age. */
export interface RankingFactor {
  readonly name: "margin" | "stock" | "newness";
  /**
   * Reference value of the factor. Stock: number of units from which a product gets all points. Newness: age in days
   * from which a product gets no points. Margin: margin in percent, always 100, at which a product would get all
   * points.
   */
  readonly amount: number;
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
  readonly ranking: readonly QueryRule<RankingFactor>[];
}

export const factorNames: readonly RankingFactor["name"][] = ["margin", "stock", "newness"];

export type RulesName = keyof ParsedRules;
export const rulesFileNames: readonly RulesName[] = ["synonyms", "pins", "boosts", "ranking", "hides", "redirects"];

/** Languages of the shop. */
export interface RuleLocales {
  readonly default: string;
  readonly others: readonly string[];
}

export const emptyRules: ParsedRules = { synonyms: [], pins: [], boosts: [], ranking: [], hides: [], redirects: [] };

/**
 * Parses the content of one rules file. Invalid lines are reported and skipped.
 * @param file name of the file in errors and explanations
 */
export function parseRulesFile<N extends RulesName>(
  name: N,
  content: string,
  shopLocales: RuleLocales,
  onError: (error: RuleError) => void,
  file: string = fileOf(name),
): ParsedRules[N] {
  const report = (line: number, message: string): void => onError({ file, line, message });
  const locales = [shopLocales.default, ...shopLocales.others];
  const lines = parseRuleLines(content, locales, report);
  const parsers: { readonly [Name in RulesName]: () => ParsedRules[Name] } = {
    synonyms: () => parseSynonyms(lines, file, report),
    pins: () => parseHandles(lines, file, report),
    boosts: () => parseBoosts(lines, file, report),
    hides: () => parseHandles(lines, file, report),
    ranking: () => parseRanking(lines, file, report),
    redirects: () => parseRedirects(lines, { file, locales }, report),
  };
  return parsers[name]();
}

/** Returns the path of a rules file, such as "search/pins.txt". */
export function fileOf(name: RulesName): string {
  return `search/${name}.txt`;
}

type RuleErrorReporter = (line: number, message: string) => void;

function parseSynonyms(lines: readonly RuleLine[], file: string, report: RuleErrorReporter): SynonymRule[] {
  const synonyms: SynonymRule[] = [];
  for (const { line, text, locale, dates } of lines) {
    const parts = text.split(/\s*=>\s*/);
    const [from = [], to] = parts.map(splitList);
    const emptyPhrase = [...from, ...(to ?? [])].find((phrase) => normalize(phrase) === "");
    if (locale !== undefined) report(line, "synonyms apply to all languages. Put them before the first [section].");
    else if (emptyPhrase !== undefined) report(line, `"${emptyPhrase}" has no letter or digit.`);
    else if (parts.length > 2 || from.length === 0 || to?.length === 0)
      report(line, 'a one-way synonym needs one "=>" with words on both sides: "ring light => lamp".');
    else if (to === undefined && from.length === 1)
      report(line, `"${text}" has no synonym. Write words with the same meaning on one line: "sofa, couch".`);
    else
      synonyms.push({
        from,
        ...(to === undefined ? {} : { to }),
        ...createDatesField(dates),
        location: `${file}:${line}`,
      });
  }
  return synonyms;
}

function parseHandles(
  lines: readonly RuleLine[],
  file: string,
  report: RuleErrorReporter,
): QueryRule<readonly string[]>[] {
  const firstLineByKey = new Map<string, number>();
  return lines.flatMap(({ line, text, locale, dates }) => {
    // The last colon separates query and handles, since a query may contain a colon but a handle may not.
    const colonIndex = text.lastIndexOf(":");
    if (colonIndex < 0) {
      report(line, `"${text}" has no ":". Write the query, a colon and product handles: "raincoat: storm-smock".`);
      return [];
    }
    const patterns = parseQueryPatterns(text.slice(0, colonIndex), (message) => report(line, message));
    const handles = splitList(text.slice(colonIndex + 1));
    const invalidHandle = handles.find((handle) => /[\s/*]|->/.test(handle));
    if (handles.length === 0)
      report(line, "the product is missing. Write handles after the colon, separated by commas.");
    else if (invalidHandle !== undefined)
      report(
        line,
        `"${invalidHandle}" is not a handle. Use the last part of the product's URL: "storm-smock" of /products/storm-smock.`,
      );
    else if (patterns !== undefined && isFirstRule(patterns, { line, locale, dates }, firstLineByKey, report))
      return [{ patterns, value: [...new Set(handles)], ...locationOf(file, { line, locale, dates }) }];
    return [];
  });
}

/** Parses boosts. A line consists of a query, handles, and points: "rain*: storm-smock, harbour-raincoat +5". */
function parseBoosts(lines: readonly RuleLine[], file: string, report: RuleErrorReporter): QueryRule<Boost>[] {
  const boostsByLine = new Map<number, number>();
  const strippedLines = lines.map((line) => {
    const [, text = line.text, boostText] = /^(.*?)\s\+(\S*)$/.exec(line.text) ?? [];
    boostsByLine.set(
      line.line,
      boostText === undefined ? DEFAULT_BOOST : /^\d{1,3}$/.test(boostText) ? Number(boostText) : 0,
    );
    return { ...line, text };
  });
  return parseHandles(strippedLines, file, report).flatMap(({ value: handles, ...rule }) => {
    const line = Number(rule.location.slice(file.length + 1));
    const boost = boostsByLine.get(line) ?? 0;
    if (boost < 1 || boost > MAX_BOOST) report(line, boostMessage);
    else if (handles.length > MAX_BOOSTED_PRODUCTS)
      report(line, `a line can have at most ${MAX_BOOSTED_PRODUCTS} products.`);
    else return [{ ...rule, value: { handles, points: boost } }];
    return [];
  });
}

/** Parses ranking rules. A line consists of a query, a factor and points: "shoes: stock 20 +2". */
function parseRanking(lines: readonly RuleLine[], file: string, report: RuleErrorReporter): QueryRule<RankingFactor>[] {
  const firstLines = { margin: new Map<string, number>(), stock: new Map(), newness: new Map() };
  return lines.flatMap(({ line, text, locale, dates }) => {
    const [, queries = "", factorText = ""] = /^(.*):(.*)$/.exec(text) ?? [];
    const [, word = "", amountText, boostText] =
      /^([a-z]+)(?:\s+(\d{1,6}))?(?:\s+\+(\d{1,3}))?$/.exec(factorText.trim()) ?? [];
    const name = factorNames.find((candidate) => candidate === word);
    const patterns = parseQueryPatterns(queries, (message) => report(line, message));
    const points = boostText === undefined ? DEFAULT_BOOST : Number(boostText);
    if (patterns === undefined) return [];
    if (name === undefined || amountText === "0" || (name === "margin" && amountText !== undefined))
      report(
        line,
        `"${factorText.trim()}" is not a ranking. Write "margin +3", "stock 20 +3" or "newness 30 +3" after the colon.`,
      );
    else if (points < 1 || points > MAX_BOOST) report(line, boostMessage);
    else if (isFirstRule(patterns, { line, locale, dates }, firstLines[name], report)) {
      const amount = amountText === undefined ? amountsByFactor[name] : Number(amountText);
      return [{ patterns, value: { name, amount, points }, ...locationOf(file, { line, locale, dates }) }];
    }
    return [];
  });
}

const amountsByFactor: Readonly<Record<RankingFactor["name"], number>> = { margin: 100, stock: 1, newness: 30 };

/**
 * Default boost: about the score difference between a word in the title and the same word in a less important field.
 */
const DEFAULT_BOOST = 3;
const MAX_BOOST = 50;
const boostMessage = `points must be a whole number from 1 to ${MAX_BOOST} at the end of the line: "+${DEFAULT_BOOST}".`;
/** Maximum number of products in one line, since each of them is scored in every matching search. */
const MAX_BOOSTED_PRODUCTS = 50;

function locationOf(
  file: string,
  { line, locale, dates }: RuleScope,
): { readonly location: string; readonly locale?: string; readonly dates?: RuleDates } {
  return { location: `${file}:${line}`, ...(locale === undefined ? {} : { locale }), ...createDatesField(dates) };
}

function createDatesField(dates: RuleDates | undefined): { readonly dates?: RuleDates } {
  return dates === undefined ? {} : { dates };
}

interface RuleScope {
  readonly line: number;
  readonly locale: string | undefined;
  readonly dates: RuleDates | undefined;
}

function parseRedirects(
  lines: readonly RuleLine[],
  { file, locales }: { readonly file: string; readonly locales: readonly string[] },
  report: RuleErrorReporter,
): QueryRule<string>[] {
  const firstLineByKey = new Map<string, number>();
  return lines.flatMap(({ line, text, locale, dates }) => {
    const arrowIndex = text.indexOf("->");
    if (arrowIndex < 0) {
      report(line, `"${text}" has no "->". Write the query, an arrow and a path: "returns -> /pages/returns".`);
      return [];
    }
    const patterns = parseQueryPatterns(text.slice(0, arrowIndex), (message) => report(line, message));
    const target = text.slice(arrowIndex + 2).trim();
    const value = /\s/.test(target) ? undefined : parseSameStorePath(target);
    const firstSegment = value?.split(/[/?]/).filter((part) => part !== "" && !locales.includes(part))[0];
    if (value === undefined)
      report(line, `"${target}" is not a path of this shop. Write a path that starts with a slash: "/pages/returns".`);
    else if (firstSegment === "search")
      report(line, "a redirect to the search page causes a loop. Use synonyms or pins instead.");
    else if (patterns?.some(({ key }) => key === "")) report(line, '"*" redirects every search. Name the queries.');
    else if (patterns !== undefined && isFirstRule(patterns, { line, locale, dates }, firstLineByKey, report))
      return [{ patterns, value, ...locationOf(file, { line, locale, dates }) }];
    return [];
  });
}

/**
 * Returns whether this is the first rule for its queries, language, and days. Otherwise, reports the earlier rule as an
 * error.
 */
function isFirstRule(
  patterns: readonly QueryPattern[],
  { line, locale, dates }: RuleScope,
  firstLineByKey: Map<string, number>,
  report: RuleErrorReporter,
): boolean {
  for (const { key, isPrefix } of patterns) {
    const name = JSON.stringify([locale, key, isPrefix, dates?.from, dates?.until]);
    const firstLine = firstLineByKey.get(name);
    if (firstLine !== undefined) {
      report(
        line,
        `line ${firstLine} already has a rule for "${key}${isPrefix ? "*" : ""}". Combine them, or remove one.`,
      );
      return false;
    }
    firstLineByKey.set(name, line);
  }
  return true;
}
