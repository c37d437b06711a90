import type { ParsedRules, QueryRule, SynonymRule } from "./parse-search-rules.ts";
import { queryKey } from "./rule-lines.ts";

/** The merchant's rules for searches, as they stand now. */
export interface SearchRules {
  /** Another number where a rule changed; part of what answers are kept by. */
  readonly revision: number;
  readonly synonyms: readonly SynonymRule[];
  /** What holds for a query in a language. */
  forQuery(query: string, locale: string): QueryRules;
}

/** What the merchant wants for one query. */
export interface QueryRules {
  /** Handles of products that come first, in this order, whether they match or not. */
  readonly pins: readonly string[];
  /** Handles of products that are not shown. */
  readonly hides: ReadonlySet<string>;
  /** A path of this store, where the full results page sends the shopper instead. */
  readonly redirect?: string;
  /** Where the rules stand that hold: "search/pins.txt:4". */
  readonly at: { readonly pins?: string; readonly hides: readonly string[]; readonly redirect?: string };
}

const nothing: QueryRules = { pins: [], hides: new Set(), at: { hides: [] } };

/** Of a shop whose merchant wants nothing. */
export const noSearchRules: SearchRules = { revision: 0, synonyms: [], forQuery: () => nothing };

/** Of pins and redirects the closest rule holds: one for the very query before one for its beginning, a longer beginning before a
 *  shorter one, then one of the language before one of all. Of hides all hold; what is hidden is not pinned. */
export function createSearchRules(parsed: ParsedRules, revision: number): SearchRules {
  const pins = ruleFinder(parsed.pins);
  const hides = ruleFinder(parsed.hides);
  const redirects = ruleFinder(parsed.redirects);
  const isEmpty = parsed.pins.length + parsed.hides.length + parsed.redirects.length === 0;
  return {
    revision,
    synonyms: parsed.synonyms,
    forQuery(query, locale) {
      const key = isEmpty ? "" : queryKey(query);
      if (key === "") return nothing;
      const [pin] = pins(key, locale);
      const hidden = [...hides(key, locale)];
      const [redirect] = redirects(key, locale);
      const handles = new Set(hidden.flatMap(({ value }) => value));
      return {
        pins: pin?.value.filter((handle) => !handles.has(handle)) ?? [],
        hides: handles,
        ...(redirect === undefined ? {} : { redirect: redirect.value }),
        at: {
          ...(pin === undefined ? {} : { pins: pin.at }),
          hides: hidden.map(({ at }) => at),
          ...(redirect === undefined ? {} : { redirect: redirect.at }),
        },
      };
    },
  };
}

/** Finds the rules for a query's key, the closest first. */
function ruleFinder<T>(rules: readonly QueryRule<T>[]): (key: string, locale: string) => Generator<QueryRule<T>, void> {
  const exact = new Map<string, QueryRule<T>>();
  const beginnings = new Map<string, QueryRule<T>>();
  let longest = -1;
  for (const rule of rules)
    for (const { key, isBeginning } of rule.patterns) {
      (isBeginning ? beginnings : exact).set(nameOf(key, rule.locale), rule);
      if (isBeginning) longest = Math.max(longest, key.length);
    }
  return function* (key, locale) {
    for (const language of [locale, undefined]) {
      const rule = exact.get(nameOf(key, language));
      if (rule !== undefined) yield rule;
    }
    for (let length = Math.min(longest, key.length); length >= 0; length -= 1)
      for (const language of [locale, undefined]) {
        const rule = beginnings.get(nameOf(key.slice(0, length), language));
        if (rule !== undefined) yield rule;
      }
  };
}

function nameOf(key: string, locale: string | undefined): string {
  return `${locale ?? ""} ${key}`;
}
