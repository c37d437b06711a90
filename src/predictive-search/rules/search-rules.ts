import { getOrCreate } from "../../runtime/cache.ts";
import type { Boost, ParsedRules, QueryRule, RankingFactor, SynonymRule } from "./parse-search-rules.ts";
import { normalizeQuery, type QueryPattern } from "./rule-lines.ts";

/** The merchant's search rules. */
export interface SearchRules {
  /** Revision number, which changes with each change of rules. Cached responses depend on it. */
  readonly revision: number;
  readonly synonyms: readonly SynonymRule[];
  /** Returns the rules that apply to a query in a language. */
  getRulesForQuery(query: string, locale: string): QueryRules;
}

/** The rules that apply to one query. */
export interface QueryRules {
  /** Handles of the products that come first, in this order, even if they do not match the query. */
  readonly pins: readonly string[];
  /** Points that are added to a product's score, by product handle. */
  readonly boosts: ReadonlyMap<string, number>;
  /** Properties that add points to products, such as the stock. No property occurs twice. */
  readonly ranking: readonly RankingFactor[];
  /** Handles of the hidden products. */
  readonly hides: ReadonlySet<string>;
  /** Path in this store to which the results page redirects. */
  readonly redirect?: string;
  /** Locations of the applied rules, such as "search/pins.txt:4". */
  readonly locations: {
    readonly pins?: string;
    readonly boosts: readonly string[];
    readonly ranking: readonly string[];
    readonly hides: readonly string[];
    readonly redirect?: string;
  };
}

const emptyQueryRules: QueryRules = {
  pins: [],
  boosts: new Map(),
  ranking: [],
  hides: new Set(),
  locations: { boosts: [], ranking: [], hides: [] },
};

/** Empty rules, for a shop without search rules. */
export const emptySearchRules: SearchRules = { revision: 0, synonyms: [], getRulesForQuery: () => emptyQueryRules };

/**
 * Prepares rules for lookups. Only the most specific pin and redirect rules apply: a rule for the exact query precedes
 * a rule for a prefix, then a longer prefix precedes a shorter one, then a rule for the language precedes a rule for
 * all languages, and finally a later rule precedes an earlier one. The same applies to the rules of each ranking
 * factor. All hide rules apply. A product gets its greatest boost, and a hidden product is not pinned.
 */
export function createSearchRules(parsedRules: ParsedRules, revision: number): SearchRules {
  const findPinRules = createRuleFinder(parsedRules.pins);
  const findBoosts = createRuleFinder(parsedRules.boosts);
  const findRanking = createRuleFinder(parsedRules.ranking);
  const findHideRules = createRuleFinder(parsedRules.hides);
  const findRedirects = createRuleFinder(parsedRules.redirects);
  const { pins, boosts, ranking, hides, redirects } = parsedRules;
  const patterns = [pins, boosts, ranking, hides, redirects].flat().flatMap((rule) => rule.patterns);
  const isEmpty = patterns.length === 0;
  const mayMatch = createPatternMatcher(patterns);
  const findRules = (query: string, locale: string): QueryRules => {
    const key = normalizeQuery(query);
    if (key === "" || !mayMatch(key)) return emptyQueryRules;
    const [pinRule] = findPinRules(key, locale);
    const matchingBoosts = [...findBoosts(key, locale)];
    // Keeps only the first rule of each factor, which is the most specific one.
    const rankingRules = [...findRanking(key, locale)].filter(
      ({ value }, index, rules) => rules.findIndex((rule) => rule.value.name === value.name) === index,
    );
    const hidingRules = [...findHideRules(key, locale)];
    const [redirect] = findRedirects(key, locale);
    const handles = new Set(hidingRules.flatMap(({ value }) => value));
    return {
      pins: pinRule?.value.filter((handle) => !handles.has(handle)) ?? [],
      boosts: findGreatestBoosts(matchingBoosts.map(({ value }) => value)),
      ranking: rankingRules.map(({ value }) => value),
      hides: handles,
      ...(redirect === undefined ? {} : { redirect: redirect.value }),
      locations: {
        ...(pinRule === undefined ? {} : { pins: pinRule.location }),
        boosts: matchingBoosts.map(({ location }) => location),
        ranking: rankingRules.map(({ location }) => location),
        hides: hidingRules.map(({ location }) => location),
        ...(redirect === undefined ? {} : { redirect: redirect.location }),
      },
    };
  };
  // Cache the last lookup, because one response looks up the same query several times.
  let lastLookup = { query: "", locale: "", queryRules: emptyQueryRules };
  return {
    revision,
    synonyms: parsedRules.synonyms,
    getRulesForQuery(query, locale) {
      if (isEmpty) return emptyQueryRules;
      if (lastLookup.query !== query || lastLookup.locale !== locale)
        lastLookup = { query, locale, queryRules: findRules(query, locale) };
      return lastLookup.queryRules;
    },
  };
}

function findGreatestBoosts(boosts: readonly Boost[]): ReadonlyMap<string, number> {
  const boostsByHandle = new Map<string, number>();
  for (const boost of boosts)
    for (const handle of boost.handles)
      boostsByHandle.set(handle, Math.max(boostsByHandle.get(handle) ?? 0, boost.points));
  return boostsByHandle;
}

/** A node in a tree of query patterns. Each level of the tree is one letter. */
interface PatternNode {
  readonly children: Map<number, PatternNode>;
  /** Whether this node ends a pattern that must equal the entire query. */
  endsExactPattern: boolean;
  /** Whether this node ends a pattern that matches the start of a query. */
  endsPrefixPattern: boolean;
}

/**
 * Returns a function that tells whether a query matches any pattern. For most queries, the function reads only the
 * first letters.
 */
function createPatternMatcher(patterns: readonly QueryPattern[]): (key: string) => boolean {
  const createNode = (): PatternNode => ({ children: new Map(), endsExactPattern: false, endsPrefixPattern: false });
  const root = createNode();
  for (const { key, isPrefix } of patterns) {
    let node = root;
    for (let index = 0; index < key.length; index += 1)
      node = getOrCreate(node.children, key.charCodeAt(index), createNode);
    if (isPrefix) node.endsPrefixPattern = true;
    else node.endsExactPattern = true;
  }
  return (key) => {
    let node: PatternNode | undefined = root;
    for (let index = 0; index < key.length && !node.endsPrefixPattern; index += 1) {
      node = node.children.get(key.charCodeAt(index));
      if (node === undefined) return false;
    }
    return node.endsPrefixPattern || node.endsExactPattern;
  };
}

/**
 * Returns a function that yields the rules for a query's key, the most specific rule first. Of equally specific rules,
 * it yields the last one first.
 */
function createRuleFinder<T>(
  rules: readonly QueryRule<T>[],
): (key: string, locale: string) => Generator<QueryRule<T>, void> {
  const rulesByQuery = new Map<string, QueryRule<T>[]>();
  const prefixRules = new Map<string, QueryRule<T>[]>();
  let longestPrefixLength = -1;
  for (const rule of rules.toReversed())
    for (const { key, isPrefix } of rule.patterns) {
      const rulesByKey = isPrefix ? prefixRules : rulesByQuery;
      const name = formatRuleName(key, rule.locale);
      rulesByKey.set(name, [...(rulesByKey.get(name) ?? []), rule]);
      if (isPrefix) longestPrefixLength = Math.max(longestPrefixLength, key.length);
    }
  return function* (key, locale) {
    for (const language of [locale, undefined]) yield* rulesByQuery.get(formatRuleName(key, language)) ?? [];
    for (let length = Math.min(longestPrefixLength, key.length); length >= 0; length -= 1)
      for (const language of [locale, undefined])
        yield* prefixRules.get(formatRuleName(key.slice(0, length), language)) ?? [];
  };
}

function formatRuleName(key: string, locale: string | undefined): string {
  return `${locale ?? ""} ${key}`;
}
