import { getOrCreate } from "../../runtime/cache.ts";
import type { Boost, ParsedRules, RankingFactor, SynonymRule } from "./parse-search-rules.ts";
import { normalizeQuery } from "./rule-lines.ts";

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
  const findMatches = createRuleFinder(parsedRules);
  const isEmpty = queryRuleKinds.every((kind) => parsedRules[kind].length === 0);
  const findRules = (query: string, locale: string): QueryRules => {
    const key = normalizeQuery(query);
    const matches = key === "" ? [] : findMatches(key, locale);
    if (matches.length === 0) return emptyQueryRules;
    const selectRules = <Kind extends QueryRuleKind>(kind: Kind): readonly ParsedRules[Kind][number][] =>
      matches.flatMap((match) => (match.kind === kind ? [match.rule as ParsedRules[Kind][number]] : []));
    const [pinRule] = selectRules("pins");
    const matchingBoosts = selectRules("boosts");
    // Keeps only the first rule of each factor, which is the most specific one.
    const rankingRules = selectRules("ranking").filter(
      ({ value }, index, rules) => rules.findIndex((rule) => rule.value.name === value.name) === index,
    );
    const hidingRules = selectRules("hides");
    const [redirect] = selectRules("redirects");
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

const queryRuleKinds = ["pins", "boosts", "ranking", "hides", "redirects"] as const;
type QueryRuleKind = (typeof queryRuleKinds)[number];

interface RuleOfKind {
  readonly kind: QueryRuleKind;
  readonly rule: ParsedRules[QueryRuleKind][number];
}

/**
 * Returns a function that returns the rules for a query's key, the most specific rule first. Of equally specific rules,
 * the last one is first.
 */
function createRuleFinder(parsedRules: ParsedRules): (key: string, locale: string) => readonly RuleOfKind[] {
  const rulesByQuery = new Map<string, RuleOfKind[]>();
  // Also contains each start of a prefix, so that the lookups of most queries end after a few letters.
  const rulesByPrefix = new Map<string, RuleOfKind[]>();
  for (const kind of queryRuleKinds)
    for (const rule of parsedRules[kind].toReversed())
      for (const { key, isPrefix } of rule.patterns) {
        if (isPrefix)
          for (let length = 0; length < key.length; length += 1)
            getOrCreate(rulesByPrefix, key.slice(0, length), () => []);
        getOrCreate(isPrefix ? rulesByPrefix : rulesByQuery, key, () => []).push({ kind, rule });
      }
  return (key, locale) => {
    const matches: RuleOfKind[] = [];
    const addMatches = (rules: readonly RuleOfKind[] = []): void => {
      matches.push(...rules.filter(({ rule }) => rule.locale === locale));
      matches.push(...rules.filter(({ rule }) => rule.locale === undefined));
    };
    addMatches(rulesByQuery.get(key));
    let length = 0;
    while (length <= key.length && rulesByPrefix.has(key.slice(0, length))) length += 1;
    while (length > 0) {
      length -= 1;
      addMatches(rulesByPrefix.get(key.slice(0, length)));
    }
    return matches;
  };
}
