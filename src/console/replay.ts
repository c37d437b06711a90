import { isDeepStrictEqual } from "node:util";
import { findSuggestionHits } from "../predictive-search/field-hits.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";
import type { SuggestParams } from "../predictive-search/suggest-params.ts";

/** A search that is run again with other rules. */
export interface ReplayedSearch {
  readonly q: string;
  readonly locale: string;
  /** How often shoppers made this search; 0 for a search that was derived from the catalog. */
  readonly searchCount: number;
}

/** The first results of a search. */
export interface TopResults {
  /** Internal numbers of the products, the best first. */
  readonly products: readonly number[];
  readonly redirect?: string;
}

export interface ChangedSearch extends ReplayedSearch {
  readonly oldResults: TopResults;
  readonly newResults: TopResults;
}

export interface ReplayReport {
  readonly searchCount: number;
  /** Number of searches with different first results. */
  readonly changedCount: number;
  /** Searches with different first results, the most frequent first, at most 100. */
  readonly changes: readonly ChangedSearch[];
  readonly durationMs: number;
}

interface ReplayOptions {
  readonly hasSameSynonyms: boolean;
  readonly yieldTurn: () => Promise<void>;
  readonly maxDurationMs: number;
}

/** Number of results of each search that are compared. */
export const FIRST_RESULT_COUNT = 5;
/** Maximum number of changed searches that a report lists. */
const MAX_CHANGES = 100;
/** Maximum milliseconds for which a replay blocks other requests. */
const YIELD_INTERVAL_MS = 4;

/**
 * Runs searches with two versions of the rules and reports the searches with different first results.
 * @param hasSameSynonyms whether both versions have the same synonyms. Searches to which the same other rules
 * apply in both versions are then skipped
 * @param yieldTurn lets other requests run
 * @param maxDurationMs milliseconds after which the remaining searches are skipped
 */
export async function replaySearches(
  searches: Iterable<ReplayedSearch>,
  oldContext: Omit<SearchContext, "locale">,
  newContext: Omit<SearchContext, "locale">,
  { hasSameSynonyms, yieldTurn, maxDurationMs }: ReplayOptions,
): Promise<ReplayReport> {
  const start = performance.now();
  const changes: ChangedSearch[] = [];
  let [searchCount, timeSliceEnd] = [0, start + YIELD_INTERVAL_MS];
  for (const search of searches) {
    searchCount += 1;
    const { q, locale } = search;
    const hasSameRules =
      hasSameSynonyms &&
      isDeepStrictEqual(oldContext.rules?.getRulesForQuery(q, locale), newContext.rules?.getRulesForQuery(q, locale));
    if (!hasSameRules) {
      const [oldResults, newResults] = [findTopResults(search, oldContext), findTopResults(search, newContext)];
      if (!isDeepStrictEqual(oldResults, newResults)) changes.push({ ...search, oldResults, newResults });
    }
    if (performance.now() < timeSliceEnd) continue;
    if (performance.now() - start >= maxDurationMs) break;
    await yieldTurn();
    timeSliceEnd = performance.now() + YIELD_INTERVAL_MS;
  }
  changes.sort((a, b) => b.searchCount - a.searchCount);
  const durationMs = performance.now() - start;
  return { searchCount, changedCount: changes.length, changes: changes.slice(0, MAX_CHANGES), durationMs };
}

function findTopResults({ q, locale }: ReplayedSearch, context: Omit<SearchContext, "locale">): TopResults {
  const params: SuggestParams = {
    q,
    types: ["product"],
    limit: FIRST_RESULT_COUNT,
    limitScope: "each",
    unavailableProducts: "last",
  };
  const { hits, redirect } = findSuggestionHits(params, { ...context, locale });
  return {
    products: hits.product.map(({ externalId }) => externalId),
    ...(redirect === undefined ? {} : { redirect }),
  };
}
