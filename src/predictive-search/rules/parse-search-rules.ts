import { phraseKey } from "../../search/suggest/phrases.ts";
import { listed, type QueryPattern, queryPatterns, type RuleFault, type RuleLine, ruleLines } from "./rule-lines.ts";

/** A rule for some queries. */
export interface QueryRule<T> {
  readonly patterns: readonly QueryPattern[];
  /** Absent: in every language. */
  readonly locale?: string;
  readonly value: T;
  /** "search/pins.txt:4" */
  readonly at: string;
}

/** Words or phrases that mean the same; with `to`, what is searched by the first is found by the second, and not the other way. */
export interface SynonymRule {
  readonly from: readonly string[];
  readonly to?: readonly string[];
  readonly at: string;
}

/** What the rules files say, file by file. Handles are products'. */
export interface ParsedRules {
  readonly synonyms: readonly SynonymRule[];
  readonly pins: readonly QueryRule<readonly string[]>[];
  readonly hides: readonly QueryRule<readonly string[]>[];
  /** Paths of this store, without locale prefix unless written so. */
  readonly redirects: readonly QueryRule<string>[];
}

export type RulesName = keyof ParsedRules;
export const rulesNames: readonly RulesName[] = ["synonyms", "pins", "hides", "redirects"];

export interface RuleContext {
  /** The shop's languages. */
  readonly locales: readonly string[];
  /** The path a text names in this very store; undefined where it may lead elsewhere. */
  readonly parsePath: (text: string) => string | undefined;
}

export const noRules: ParsedRules = { synonyms: [], pins: [], hides: [], redirects: [] };

/** Reads the content of one rules file; what is wrong is reported and left out. */
export function parseRulesFile<N extends RulesName>(
  name: N,
  content: string,
  { locales, parsePath }: RuleContext,
  report: (fault: RuleFault) => void,
): ParsedRules[N] {
  const file = fileOf(name);
  const fault = (line: number, message: string): void => report({ file, line, message });
  const lines = ruleLines(content, locales, fault);
  const read: { readonly [Name in RulesName]: () => ParsedRules[Name] } = {
    synonyms: () => parseSynonyms(lines, file, fault),
    pins: () => parseHandles(lines, file, fault),
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
  for (const { line, text, locale } of lines) {
    const sides = text.split(/\s*=>\s*/);
    const [from = [], to] = sides.map(listed);
    const mute = [...from, ...(to ?? [])].find((phrase) => phraseKey(phrase) === "");
    if (locale !== undefined) fault(line, "synonyms hold in all languages: put them before the first [section].");
    else if (mute !== undefined) fault(line, `"${mute}" holds no letter and no digit.`);
    else if (sides.length > 2 || from.length === 0 || to?.length === 0)
      fault(line, 'a one-way synonym has one "=>" with words on both sides: "ring light => lamp".');
    else if (to === undefined && from.length === 1)
      fault(line, `"${text}" stands alone: write words that mean the same on one line, "sofa, couch".`);
    else found.push({ from, ...(to === undefined ? {} : { to }), at: `${file}:${line}` });
  }
  return found;
}

function parseHandles(lines: readonly RuleLine[], file: string, fault: Fault): QueryRule<readonly string[]>[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ line, text, locale }) => {
    // A query may hold a colon, a handle never does.
    const colon = text.lastIndexOf(":");
    if (colon < 0) {
      fault(
        line,
        `there is no ":" in "${text}": write the query, a colon and products' handles, "raincoat: storm-smock".`,
      );
      return [];
    }
    const patterns = queryPatterns(text.slice(0, colon), (message) => fault(line, message));
    const handles = listed(text.slice(colon + 1));
    const odd = handles.find((handle) => /[\s/*]|->/.test(handle));
    if (handles.length === 0) fault(line, "no product is named: write handles behind the colon, separated by commas.");
    else if (odd !== undefined)
      fault(
        line,
        `"${odd}" is no handle: take the last part of the product's address, "storm-smock" of /products/storm-smock.`,
      );
    else if (patterns !== undefined && isFirst(patterns, locale, line, seen, fault))
      return [
        { patterns, value: [...new Set(handles)], at: `${file}:${line}`, ...(locale === undefined ? {} : { locale }) },
      ];
    return [];
  });
}

function parseRedirects(
  lines: readonly RuleLine[],
  { file, locales, parsePath }: RuleContext & { readonly file: string },
  fault: Fault,
): QueryRule<string>[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ line, text, locale }) => {
    const arrow = text.indexOf("->");
    if (arrow < 0) {
      fault(line, `there is no "->" in "${text}": write the query, an arrow and a path, "returns -> /pages/returns".`);
      return [];
    }
    const patterns = queryPatterns(text.slice(0, arrow), (message) => fault(line, message));
    const target = text.slice(arrow + 2).trim();
    const value = /\s/.test(target) ? undefined : parsePath(target);
    const first = value?.split(/[/?]/).filter((part) => part !== "" && !locales.includes(part))[0];
    if (value === undefined)
      fault(line, `"${target}" is no path of this shop: write one that begins with a slash, "/pages/returns".`);
    else if (first === "search")
      fault(line, "a redirect to the search would lead in a circle: use synonyms or pins instead.");
    else if (patterns?.some(({ key }) => key === ""))
      fault(line, '"*" would send every search away: name the queries.');
    else if (patterns !== undefined && isFirst(patterns, locale, line, seen, fault))
      return [{ patterns, value, at: `${file}:${line}`, ...(locale === undefined ? {} : { locale }) }];
    return [];
  });
}

/** Whether no line before has a rule for one of these queries in that language. */
function isFirst(
  patterns: readonly QueryPattern[],
  locale: string | undefined,
  line: number,
  seen: Map<string, number>,
  fault: Fault,
): boolean {
  for (const { key, isBeginning } of patterns) {
    const name = JSON.stringify([locale, key, isBeginning]);
    const before = seen.get(name);
    if (before !== undefined) {
      fault(line, `line ${before} has a rule for "${key}${isBeginning ? "*" : ""}" already: put both on one line.`);
      return false;
    }
    seen.set(name, line);
  }
  return true;
}
