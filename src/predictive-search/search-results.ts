import type { Hit, Query, SearchIndex } from "@vitrine/search";
import { convertOtherLayouts } from "@vitrine/search";
import type { ProductList } from "../catalog/facets/facets.ts";
import { emptySelection } from "../catalog/facets/filter-selection.ts";
import { createCache, memoizePerObject } from "../runtime/cache.ts";
import { withSpan } from "../runtime/spans.ts";
import { collapseResults, searchByGroup } from "./collapse-groups.ts";
import { documentTypes } from "./documents.ts";
import { type FieldQuery, findFieldMatches, isMatchAllQuery, parseFieldQuery } from "./field-query.ts";
import { addStockFilter } from "./live-availability.ts";
import { joinNumberLists } from "./number-lists.ts";
import { createQuery, isTimeDependent } from "./predictive-search.ts";
import { applyPins } from "./rules/pinned-hits.ts";
import { getRankingCacheKey } from "./rules/ranking-boosts.ts";
import type { SearchContext } from "./search-context.ts";
import { createKeyboardNotice, findNotice, isLikelyLayout, type SearchNotice } from "./search-notice.ts";
import { maxSuggestions, type SuggestParams } from "./suggest-params.ts";

/** Maximum number of results per type that are sorted by score. Further products follow by popularity. */
export const maxResults = 5_000;
/** Partial matches are added until a search has this many results, a few pages. Shoppers rarely read further. */
const MIN_RESULT_COUNT = 96;

/** Search results as document numbers. */
export interface ResultNumbers {
  /** Document numbers in the order of the result pages. */
  readonly numbers: Uint32Array;
  /** Number of complete matches, which contain all words of the query. They come first. */
  readonly completeCount: number;
}

/** Parameters that determine the full list of results. The page number and filters are not among them. */
export type ResultsRequest = Pick<SuggestParams, "q" | "types" | "unavailableProducts" | "fields" | "spelling">;

export interface SearchResults extends ResultNumbers {
  readonly notice: SearchNotice | undefined;
  /** The products among the results, in the same order. */
  readonly products: ProductList;
  /** Number of products that contain all words of the query. They come first. */
  readonly completeProductCount: number;
  /** The results with one product per group; undefined if results are not collapsed. */
  readonly collapsedResults?: ResultNumbers;
  /**
   * State of the stock (`catalog.stock.epoch()`) when the results were found; undefined if they do not depend on stock.
   */
  readonly stockEpoch?: number;
  /** Found entries whose visibility depends on the time. `isVisible` states whether they were visible when found. */
  readonly scheduledEntries: readonly { readonly number: number; readonly type: number; readonly isVisible: boolean }[];
}

const resultCache = memoizePerObject((_: SearchIndex) =>
  createCache<string, SearchResults>({ name: "search_pages", maxWeight: MAX_CACHED_BYTES, weigh: countResultBytes }),
);

function countResultBytes(
  { numbers, collapsedResults, products, scheduledEntries: datedEntries }: SearchResults,
  key: string,
): number {
  const collapsedBytes = collapsedResults?.numbers.byteLength ?? 0;
  return (
    numbers.byteLength +
    collapsedBytes +
    products.numbers().byteLength +
    2 * key.length +
    100 * (1 + datedEntries.length)
  );
}

/** Returns cached results, or searches again if the visibility of an entry with dates has changed. */
export function findResults(request: ResultsRequest, context: SearchContext): SearchResults {
  const cache = resultCache(context.index);
  const { q, types, unavailableProducts, fields } = request;
  const query = { ...createQuery({ ...request, limit: maxResults }, context), fill: MIN_RESULT_COUNT };
  const rulesCacheKey = `${context.rules?.revision} ${getRankingCacheKey(q, context)}`;
  const name = JSON.stringify([context.locale, query.typos, rulesCacheKey, types, unavailableProducts, fields, q]);
  const cachedResults = cache.get(name);
  const shouldHideSoldOut = unavailableProducts === "hide";
  if (shouldHideSoldOut) context.catalog.stock.recordFullRead();
  const epochField = shouldHideSoldOut ? { stockEpoch: context.catalog.stock.epoch() } : {};
  if (
    cachedResults?.stockEpoch === epochField.stockEpoch &&
    cachedResults?.scheduledEntries.every(
      ({ number, type, isVisible }) => isAcceptedHit(query, number, type) === isVisible,
    )
  )
    return cachedResults;
  const key = `search ${epochField.stockEpoch ?? ""} ${name}`;
  const fieldQuery = parseFieldQuery(q);
  if (fieldQuery !== undefined) {
    const result = { ...findFieldResults(fieldQuery, request, context, key), ...epochField };
    cache.set(name, result);
    return result;
  }
  let result = { ...findRankedResults(addStockFilter(query, context.catalog), request, context, key), ...epochField };
  if (result.numbers.length === 0)
    for (const text of convertOtherLayouts(q, context.locale)) {
      const keyboardQuery = addStockFilter({ ...query, text, typos: false }, context.catalog);
      const keyboardResult = findRankedResults(keyboardQuery, { ...request, q: text }, context, key);
      if (keyboardResult.numbers.length === 0 || !isLikelyLayout(q, keyboardResult.notice)) continue;
      result = { ...keyboardResult, ...epochField, notice: createKeyboardNotice(text) };
      break;
    }
  if (result.scheduledEntries.length > MAX_DATED_ENTRIES) return result;
  cache.set(name, result);
  return result;
}

/**
 * Finds products by fields, such as `tag:rain OR vendor:Acme`. All results are complete matches.
 * @param key key under which the list of products is cached
 */
function findFieldResults(
  query: FieldQuery,
  request: ResultsRequest,
  context: SearchContext,
  key: string,
): SearchResults {
  const search = (q: string, field: string | undefined): Uint32Array => {
    const fieldRequest = {
      ...request,
      q,
      types: ["product" as const],
      ...(field === undefined ? {} : { fields: [field] }),
    };
    const { products, completeProductCount } = findRankedResults(
      createQuery({ ...fieldRequest, limit: maxResults }, context),
      fieldRequest,
      context,
      key,
    );
    return products.numbers().subarray(0, completeProductCount);
  };
  const fieldMatches = request.types.includes("product")
    ? findFieldMatches(query, context, search)
    : new Uint32Array(0);
  const matchingNumbers = isMatchAllQuery(request.q)
    ? context.catalog.facets().sort({ key, numbers: () => fieldMatches }, "best-selling", context.locale)
    : fieldMatches;
  const productList: ProductList = { key, numbers: () => matchingNumbers };
  const shouldHideSoldOut = request.unavailableProducts === "hide";
  const inStockSelection = { ...emptySelection, availability: new Set(["1"]) };
  const products = shouldHideSoldOut
    ? context.catalog.facets().filter(productList, inStockSelection).list
    : productList;
  const numbers = products.numbers();
  return {
    numbers,
    completeCount: numbers.length,
    products,
    completeProductCount: numbers.length,
    scheduledEntries: [],
    notice: undefined,
  };
}

/** Finds all results of a query.  @param key key under which the list of products is cached */
function findRankedResults(query: Query, request: ResultsRequest, context: SearchContext, key: string): SearchResults {
  const datedEntries: SearchResults["scheduledEntries"][number][] = [];
  const acceptsHit: Query["accept"] = (number, type, isAvailable) => {
    const isVisible = query.accept?.(number, type, isAvailable) !== false;
    if (isTimeDependent(type)) datedEntries.push({ number, type, isVisible });
    return isVisible;
  };
  const foundHits = withSpan("search", {}, () => context.index.search({ ...query, accept: acceptsHit }));
  const hits = [...applyPins(foundHits, request, context).values()].flat();
  hits.sort((a, b) => b.score - a.score || a.type - b.type || a.externalId - b.externalId);
  putSuggestionsFirst(
    hits,
    applyPins(searchByGroup({ ...query, limits: computeSuggestionLimits(query) }, context), request, context),
  );
  const fullMatchCount = hits.filter(({ missing }) => missing === 0).length;
  const limitedHits = hits.slice(0, Math.max(fullMatchCount, MIN_RESULT_COUNT));
  const isProduct = ({ type }: Hit): boolean => type === documentTypes.product;
  const products = limitedHits.filter(isProduct);
  const fullMatchProductCount = products.filter(({ missing }) => missing === 0).length;
  const unrankedNumbers = products.length < maxResults ? [] : findUnrankedNumbers(query, products, context);
  const numbers = joinNumberLists([limitedHits.map(({ externalId }) => externalId), unrankedNumbers]);
  const productNumbers =
    products.length === limitedHits.length
      ? numbers
      : joinNumberLists([products.map(({ externalId }) => externalId), unrankedNumbers]);
  const fullResults = { numbers, completeCount: fullMatchCount + unrankedNumbers.length };
  return {
    ...fullResults,
    ...(context.collapse === true ? { collapsedResults: collapseResults(fullResults, request.q, context) } : {}),
    products: { key, numbers: () => productNumbers },
    completeProductCount: fullMatchProductCount + unrankedNumbers.length,
    scheduledEntries: datedEntries,
    notice: findNotice(query, foundHits, context),
  };
}

/** Returns the products that contain all words but are not among the ranked hits. */
function findUnrankedNumbers(query: Query, rankedHits: readonly Hit[], { index }: SearchContext): Uint32Array {
  const rankedIds = new Set(rankedHits.map(({ externalId }) => externalId));
  return index.matches(query, documentTypes.product).filter((number) => !rankedIds.has(number));
}

function isAcceptedHit({ accept }: Query, number: number, type: number): boolean {
  return accept?.(number, type, true) !== false;
}

/** Maximum bytes of cached results per index: thousands of searches with few results, or several hundred with many. */
const MAX_CACHED_BYTES = 8 * 1_024 * 1_024;
/** Maximum number of entries with dates in a cached search, because each use of the cache checks them all. */
const MAX_DATED_ENTRIES = 200;

/** Returns the maximum number of suggestions by document type. */
function computeSuggestionLimits({ limits }: Query): ReadonlyMap<number, number> {
  return new Map([...limits.keys()].map((type) => [type, maxSuggestions]));
}

/**
 * Orders the hits of each type as the suggestions do, because shoppers expect the results that they saw while typing.
 * The orders may differ, because a search for ten hits scores fewer documents than a search for all hits.
 * @param hits hits of all types, best first; changed in place
 * @param suggestedHits the best hits by type
 */
function putSuggestionsFirst(hits: Hit[], suggestedHits: ReadonlyMap<number, readonly Hit[]>): void {
  for (const [type, bestHits] of suggestedHits) {
    const bestIds = new Set(bestHits.map(({ externalId }) => externalId));
    const otherHits = hits.filter((hit) => hit.type === type && !bestIds.has(hit.externalId));
    const rankedHits = [...bestHits, ...otherHits].values();
    hits.forEach((hit, index) => {
      if (hit.type === type) hits[index] = rankedHits.next().value ?? hit;
    });
  }
}
