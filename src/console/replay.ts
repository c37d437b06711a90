import { isDeepStrictEqual } from "node:util";
import { predictiveHits } from "../predictive-search/predictive-search.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";

/** A search to run again. */
export interface ReplayedSearch {
  readonly q: string;
  readonly locale: string;
  /** Number of times that shoppers made the search; 0 for a search derived from the catalog. */
  readonly searched: number;
}

/** First results of a search. */
export interface FirstResults {
  /** Document numbers of products, the best first. */
  readonly products: readonly number[];
  readonly redirect?: string;
}

export interface ReplayChange extends ReplayedSearch {
  readonly before: FirstResults;
  readonly after: FirstResults;
}

export interface ReplayReport {
  readonly searches: number;
  /** Number of searches whose first results differ. */
  readonly changed: number;
  /** Changed searches, the most frequent first, at most 100. */
  readonly changes: readonly ReplayChange[];
  readonly ms: number;
}

/** Number of first results to compare. */
export const firstResults = 5;
/** Maximum number of changes in a report. */
const MAX_CHANGES = 100;
/** Milliseconds of work before the event loop may run other tasks. */
const SLICE_MS = 4;

/**
 * Runs searches with two sets of rules and reports the searches whose first results differ.
 * @param options.hasSameSynonyms whether both sets have the same synonyms. If so, searches are skipped if their other
 * rules are equal
 * @param options.endSlice ends the current time slice
 */
export async function replay(
  searches: Iterable<ReplayedSearch>,
  before: Omit<SearchContext, "locale">,
  after: Omit<SearchContext, "locale">,
  { hasSameSynonyms, endSlice }: { readonly hasSameSynonyms: boolean; readonly endSlice: () => Promise<void> },
): Promise<ReplayReport> {
  const start = performance.now();
  const changes: ReplayChange[] = [];
  let [searchCount, until] = [0, start + SLICE_MS];
  for (const search of searches) {
    searchCount += 1;
    const { q, locale } = search;
    const isUnaffected =
      hasSameSynonyms && isDeepStrictEqual(before.rules?.forQuery(q, locale), after.rules?.forQuery(q, locale));
    if (!isUnaffected) {
      const [resultsBefore, resultsAfter] = [searchFirstResults(search, before), searchFirstResults(search, after)];
      if (!isSameResult(resultsBefore, resultsAfter))
        changes.push({ ...search, before: resultsBefore, after: resultsAfter });
    }
    if (performance.now() < until) continue;
    await endSlice();
    until = performance.now() + SLICE_MS;
  }
  changes.sort((a, b) => b.searched - a.searched);
  const ms = performance.now() - start;
  return { searches: searchCount, changed: changes.length, changes: changes.slice(0, MAX_CHANGES), ms };
}

function searchFirstResults({ q, locale }: ReplayedSearch, at: Omit<SearchContext, "locale">): FirstResults {
  const params = {
    q,
    types: ["product"],
    limit: firstResults,
    limitScope: "each",
    unavailableProducts: "last",
  } as const;
  const { hits, redirect } = predictiveHits(params, { ...at, locale });
  return {
    products: hits.product.map(({ externalId }) => externalId),
    ...(redirect === undefined ? {} : { redirect }),
  };
}

function isSameResult(left: FirstResults, right: FirstResults): boolean {
  return (
    left.redirect === right.redirect &&
    left.products.length === right.products.length &&
    left.products.every((number, at) => number === right.products[at])
  );
}
