import { normalize } from "@vitrine/search";
import { createCache } from "../runtime/cache.ts";
import { normalizeCountableTerm } from "./countable-term.ts";
import { isContinuation } from "./event-log.ts";
import type { VisitorSearch } from "./signals.ts";

/** Two searches of one visitor: the first had no success, and the second one led to a product. */
export interface Reformulation {
  readonly from: string;
  readonly to: string;
}

/** Maximum milliseconds between a search without success and a click after another search. */
const MAX_AGE_MS = 5 * 60_000;
/** Maximum number of visitors in memory. The least recently active visitor is removed first. */
const MAX_VISITORS = 10_000;

type Search = Pick<VisitorSearch, "q" | "locale">;

interface LatestSearches {
  readonly lastSearch: Search & { readonly at: number };
  /** Search before the latest one, if it had no success. */
  readonly priorFailedSearch: LatestSearches["lastSearch"] | undefined;
}

/** Finds the failed search that a visitor made before a successful one. The data is held in memory only. */
export function trackReformulations() {
  const searches = createCache<string, LatestSearches>({ name: "failed_searches", maxWeight: MAX_VISITORS });
  return {
    /** Records a complete search. It counts as failed until `recordSuccess`. */
    recordSearch(visitor: string, { q, locale }: Search, time: number) {
      const previousSearch = searches.get(visitor);
      const isRepeated = previousSearch !== undefined && isContinuation(previousSearch.lastSearch.q, q);
      const latestSearch = { q, locale, at: time };
      searches.set(visitor, {
        lastSearch: latestSearch,
        priorFailedSearch: isRepeated ? previousSearch.priorFailedSearch : previousSearch?.lastSearch,
      });
    },
    /** Records that a search led to a product.  @returns the failed search before it, if it was recent */
    recordSuccess(visitor: string, search: Search, time: number): string | undefined {
      const entry = searches.get(visitor);
      searches.delete(visitor);
      const failedSearch =
        entry !== undefined && isContinuation(entry.lastSearch.q, search.q)
          ? entry.priorFailedSearch
          : entry?.lastSearch;
      return failedSearch?.locale === search.locale && time - failedSearch.at <= MAX_AGE_MS
        ? failedSearch.q
        : undefined;
    },
  };
}

/**
 * Returns the normalized texts of two searches that may be synonyms. Returns undefined if one search contains all words
 * of the other, because it only refines the other search.
 */
export function findReformulation(failedQuery: string, query: string): Reformulation | undefined {
  const [from, to] = [failedQuery, query].map((text) => normalizeCountableTerm(normalize(text)));
  if (from === undefined || to === undefined) return undefined;
  const [previousWords, nextWords] = [new Set(from.split(" ")), new Set(to.split(" "))];
  return previousWords.isSubsetOf(nextWords) || nextWords.isSubsetOf(previousWords) ? undefined : { from, to };
}
