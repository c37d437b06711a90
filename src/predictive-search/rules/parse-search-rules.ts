import { normalize } from "@vitrine/search";
import {
  listed,
  type QueryPattern,
  queryPatterns,
  type RuleDates,
  type RuleFault,
  type RuleLine,
  ruleLines,
} from "./rule-lines.ts";

/** A rule for some queries. */
export interface QueryRule<T> {
  readonly patterns: readonly QueryPattern[];
  /** Absent: in every language. */
  readonly locale?: string;
  /** Absent: it always holds. */
  readonly dates?: RuleDates;
  readonly value: T;
  /** "search/pins.txt:4" */
  readonly at: string;
}

/** Words or phrases that mean the same; with `to`, what is searched by the first is found by the second, and not the other way. */
export interface SynonymRule {
  readonly from: readonly string[];
  readonly to?: readonly string[];
  readonly dates?: RuleDates;
  readonly at: string;
}

/** Products that come earlier for a query, where they hold its words. */
export interface Boost {
  readonly handles: readonly string[];
  /** Points beside those of the words, as explanations show them. */
  readonly points: number;
}

/** What the rules files say, file by file. Handles are products'. */
export interface ParsedRules {
  readonly synonyms: readonly SynonymRule[];
  readonly pins: readonly QueryRule<readonly string[]>[];
  readonly boosts: readonly QueryRule<Boost>[];
  readonly hides: readonly QueryRule<readonly string[]>[];
  /** Paths of this store, without locale prefix unless written so. */
  readonly redirects: readonly QueryRule<string>[];
}

export type RulesName = keyof ParsedRules;
export const rulesNames: readonly RulesName[] = ["synonyms", "pins", "boosts", "hides", "redirects"];

export interface RuleContext {
  /** The shop's languages. */
  readonly locales: readonly string[];
  /** The path a text names in this very store; undefined where it may lead elsewhere. */
  readonly parsePath: (text: string) => string | undefined;
}

export const noRules: ParsedRules = { synonyms: [], pins: [], boosts: [], hides: [], redirects: [] };

/** Reads the content of one rules file; what is wrong is reported and left out. @param file as faults and explanations name it */
export function parseRulesFile<N extends RulesName>(
  name: N,
  content: string,
  { locales, parsePath }: RuleContext,
  report: (fault: RuleFault) => void,
  file: string = fileOf(name),
): ParsedRules[N] {
  const fault = (line: number, message: string): void => report({ file, line, message });
  const lines = ruleLines(content, locales, fault);
  const read: { readonly [Name in RulesName]: () => ParsedRules[Name] } = {
    synonyms: () => parseSynonyms(lines, file, fault),
    pins: () => parseHandles(lines, file, fault),
    boosts: () => parseBoosts(lines, file, fault),
    hides: () => parseHandles(lines, file, fault),
    redirects: () => parseRedirects(lines, { file, locales, parsePath }, fault),
  };
  return read[name]();
}

/** "search/pins.txt" */
export function fileOf(name: RulesName): string {
  return `search/${name}.txt`;
}

type Fault = (line: number, message: string) => void;

function parseSynonyms(lines: readonly RuleLine[], file: string, fault: Fault): SynonymRule[] {
  const found: SynonymRule[] = [];
  for (const { line, text, locale, dates } of lines) {
    const sides = text.split(/\s*=>\s*/);
    const [from = [], to] = sides.map(listed);
    const mute = [...from, ...(to ?? [])].find((phrase) => normalize(phrase) === "");
    if (locale !== undefined) fault(line, "synonyms apply to all languages. Put them before the first [section].");
    else if (mute !== undefined) fault(line, `"${mute}" has no letter or digit.`);
    else if (sides.length > 2 || from.length === 0 || to?.length === 0)
      fault(line, 'a one-way synonym needs one "=>" with words on both sides: "ring light => lamp".');
    else if (to === undefined && from.length === 1)
      fault(line, `"${text}" has no synonym. Write words with the same meaning on one line: "sofa, couch".`);
    else found.push({ from, ...(to === undefined ? {} : { to }), ...datesOf(dates), at: `${file}:${line}` });
  }
  return found;
}

function parseHandles(lines: readonly RuleLine[], file: string, fault: Fault): QueryRule<readonly string[]>[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ line, text, locale, dates }) => {
    // A query may hold a colon, a handle never does.
    const colon = text.lastIndexOf(":");
    if (colon < 0) {
      fault(line, `"${text}" has no ":". Write the query, a colon and product handles: "raincoat: storm-smock".`);
      return [];
    }
    const patterns = queryPatterns(text.slice(0, colon), (message) => fault(line, message));
    const handles = listed(text.slice(colon + 1));
    const odd = handles.find((handle) => /[\s/*]|->/.test(handle));
    if (handles.length === 0)
      fault(line, "the product is missing. Write handles after the colon, separated by commas.");
    else if (odd !== undefined)
      fault(
        line,
        `"${odd}" is not a handle. Use the last part of the product's URL: "storm-smock" of /products/storm-smock.`,
      );
    else if (patterns !== undefined && isFirst(patterns, { line, locale, dates }, seen, fault))
      return [{ patterns, value: [...new Set(handles)], ...placeOf(file, { line, locale, dates }) }];
    return [];
  });
}

/** "rain*: storm-smock, harbour-raincoat +5": handles as in pins, and points. */
function parseBoosts(lines: readonly RuleLine[], file: string, fault: Fault): QueryRule<Boost>[] {
  const points = new Map<number, number>();
  const plain = lines.map((line) => {
    const [, text = line.text, more] = /^(.*?)\s\+(\S*)$/.exec(line.text) ?? [];
    points.set(line.line, more === undefined ? usualBoost : /^\d{1,3}$/.test(more) ? Number(more) : 0);
    return { ...line, text };
  });
  return parseHandles(plain, file, fault).flatMap(({ value: handles, ...rule }) => {
    const line = Number(rule.at.slice(file.length + 1));
    const boost = points.get(line) ?? 0;
    if (boost < 1 || boost > mostBoost)
      fault(line, `points must be a whole number from 1 to ${mostBoost} at the end of the line: "+${usualBoost}".`);
    else if (handles.length > mostBoosted) fault(line, `a line can have at most ${mostBoosted} products.`);
    else return [{ ...rule, value: { handles, points: boost } }];
    return [];
  });
}

/** Points of a boost that says none: as much as a word in a title instead of in a lesser field. */
const usualBoost = 3;
const mostBoost = 50;
/** Products that one line lifts: each is looked at for every such search. */
const mostBoosted = 50;

function placeOf(
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
  fault: Fault,
): QueryRule<string>[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ line, text, locale, dates }) => {
    const arrow = text.indexOf("->");
    if (arrow < 0) {
      fault(line, `"${text}" has no "->". Write the query, an arrow and a path: "returns -> /pages/returns".`);
      return [];
    }
    const patterns = queryPatterns(text.slice(0, arrow), (message) => fault(line, message));
    const target = text.slice(arrow + 2).trim();
    const value = /\s/.test(target) ? undefined : parsePath(target);
    const first = value?.split(/[/?]/).filter((part) => part !== "" && !locales.includes(part))[0];
    if (value === undefined)
      fault(line, `"${target}" is not a path of this shop. Write a path that starts with a slash: "/pages/returns".`);
    else if (first === "search")
      fault(line, "a redirect to the search page causes a loop. Use synonyms or pins instead.");
    else if (patterns?.some(({ key }) => key === "")) fault(line, '"*" redirects every search. Name the queries.');
    else if (patterns !== undefined && isFirst(patterns, { line, locale, dates }, seen, fault))
      return [{ patterns, value, ...placeOf(file, { line, locale, dates }) }];
    return [];
  });
}

/** Whether no line before has a rule for one of these queries in that language and for these days. */
function isFirst(
  patterns: readonly QueryPattern[],
  { line, locale, dates }: Where,
  seen: Map<string, number>,
  fault: Fault,
): boolean {
  for (const { key, isBeginning } of patterns) {
    const name = JSON.stringify([locale, key, isBeginning, dates?.from, dates?.until]);
    const before = seen.get(name);
    if (before !== undefined) {
      fault(line, `line ${before} already has a rule for "${key}${isBeginning ? "*" : ""}". Combine them on one line.`);
      return false;
    }
    seen.set(name, line);
  }
  return true;
}
