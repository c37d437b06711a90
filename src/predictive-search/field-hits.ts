import { isMatchAllQuery, parseFieldQuery } from "./field-query.ts";
import { sortSoldOutLast } from "./live-availability.ts";
import { findPredictiveHits, type PredictiveSearchHits } from "./predictive-search.ts";
import type { SearchContext } from "./search-context.ts";
import { findResults } from "./search-results.ts";
import type { SuggestParams } from "./suggest-params.ts";

/** Finds suggestions for a search by text or by fields, without those of a tested draft of the rules. */
export function findSuggestionHits(params: SuggestParams, context: SearchContext): PredictiveSearchHits {
  return findFieldHits(params, context) ?? findPredictiveHits(params, context);
}

/**
 * Finds suggestions for a search by fields, such as `product_type:Lamps AND oak`, which themes send if the search form
 * has a list of product types. They are the first products of the results page.
 * @returns undefined if the search names no field
 */
export function findFieldHits(params: SuggestParams, context: SearchContext): PredictiveSearchHits | undefined {
  const { q, types, limit, unavailableProducts } = params;
  if (isMatchAllQuery(q) || parseFieldQuery(q) === undefined) return undefined;
  const foundNumbers = [...findResults(params, context).numbers.subarray(0, limit)];
  const numbers = unavailableProducts === "last" ? sortSoldOutLast(foundNumbers, context.catalog) : foundNumbers;
  return {
    terms: q,
    types,
    queries: [],
    hits: { product: numbers.map((externalId) => ({ externalId })), collection: [], page: [], article: [], bundle: [] },
    isFound: numbers.length > 0,
  };
}
