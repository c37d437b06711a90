import type { Hit, Query, SearchIndex } from "@vitrine/search";
import { convertOtherLayouts } from "@vitrine/search";
import type { ProductList } from "../catalog/facets/facets.ts";
import { emptySelection } from "../catalog/facets/filter-selection.ts";
import { createCache, memoizePerObject } from "../runtime/cache.ts";
import { collapseNumbers, searchGroups } from "./collapse-groups.ts";
import { documentTypes } from "./documents.ts";
import { type FieldQuery, findByFields, isAllProducts, parseFieldQuery } from "./field-query.ts";
import { hideSoldOut } from "./live-availability.ts";
import { concatenate } from "./number-lists.ts";
import { isTimeDependent, searchQuery } from "./predictive-search.ts";
import { computeSuggestionLimits, putSuggestionsFirst } from "./put-suggestions-first.ts";
import { applyPins } from "./rules/pinned-hits.ts";
import { getRankingState } from "./rules/ranking-boosts.ts";
import type { SearchContext } from "./search-context.ts";
import { createLayoutNotice, findNotice, type SearchNotice } from "./search-notice.ts";
import type { SuggestParams } from "./suggest-params.ts";

/** Maximum number of results per type that are sorted by score. Further products follow by popularity. */
export const maxResults = 5_000;
/** Partial matches are added until a search has this many results, a few pages. Shoppers rarely read further. */
const MIN_FILLED_RESULTS = 96;

/** Search results as document numbers. */
export interface PageNumbers {
  /** Document numbers in the order of the result pages. */
  readonly numbers: Uint32Array;
  /** Number of complete matches, which contain all words of the query. They come first. */
  readonly completeCount: number;
}

/** Parameters that determine the full list of results. The page number and filters are not among them. */
export type ResultsRequest = Pick<SuggestParams, "q" | "types" | "unavailableProducts" | "fields" | "spelling">;

/** All results of a search. */
export interface SearchResults extends PageNumbers {
  readonly notice: SearchNotice | undefined;
  /** The products among the results, in the same order. */
  readonly products: ProductList;
  /** Number of products that contain all words of the query. They come first. */
  readonly completeProductCount: number;
  /** The results with one product per group; undefined if results are not collapsed. */
  readonly collapsed?: PageNumbers;
  /**
   * State of the stock (`catalog.stock.epoch()`) when the results were found; undefined if they do not depend on stock.
   */
  readonly stockEpoch?: number;
  /** Matching entries whose visibility depends on the time, and whether they were visible. */
  readonly datedEntries: readonly { readonly number: number; readonly type: number; readonly isVisible: boolean }[];
}

const resultCache = memoizePerObject((_: SearchIndex) =>
  createCache<string, SearchResults>({ name: "search_pages", maxWeight: MAX_CACHED_BYTES, weigh: bytesOf }),
);

function bytesOf({ numbers, collapsed, products, datedEntries }: SearchResults, key: string): number {
  const collapsedBytes = collapsed?.numbers.byteLength ?? 0;
  return (
    numbers.byteLength +
    collapsedBytes +
    products.numbers().byteLength +
    2 * key.length +
    100 * (1 + datedEntries.length)
  );
}

/** Returns cached results, or searches again if the visibility of an entry with dates has changed. */
export function findResults(request: ResultsRequest, at: SearchContext): SearchResults {
  const cache = resultCache(at.index);
  const { q, types, unavailableProducts, fields } = request;
  const query = { ...searchQuery({ ...request, limit: maxResults }, at), fill: MIN_FILLED_RESULTS };
  const rulesKey = `${at.rules?.revision} ${getRankingState(q, at)}`;
  const name = JSON.stringify([at.locale, query.typos, rulesKey, types, unavailableProducts, fields, q]);
  const cachedResults = cache.get(name);
  const shouldHideSoldOut = unavailableProducts === "hide";
  if (shouldHideSoldOut) at.catalog.stock.recordReadOfAll();
  const stockEpoch = shouldHideSoldOut ? { stockEpoch: at.catalog.stock.epoch() } : {};
  if (
    cachedResults?.stockEpoch === stockEpoch.stockEpoch &&
    cachedResults?.datedEntries.every(({ number, type, isVisible }) => isAccepted(query, number, type) === isVisible)
  )
    return cachedResults;
  const key = `search ${stockEpoch.stockEpoch ?? ""} ${name}`;
  const fieldQuery = parseFieldQuery(q);
  if (fieldQuery !== undefined) {
    const result = { ...findFields(fieldQuery, request, at, key), ...stockEpoch };
    cache.set(name, result);
    return result;
  }
  let result = { ...findRankedResults(hideSoldOut(query, at.catalog), request, at, key), ...stockEpoch };
  if (result.numbers.length === 0)
    for (const text of convertOtherLayouts(q, at.locale)) {
      const convertedQuery = hideSoldOut({ ...query, text, typos: false }, at.catalog);
      const convertedResult = findRankedResults(convertedQuery, { ...request, q: text }, at, key);
      if (convertedResult.numbers.length === 0) continue;
      result = { ...convertedResult, ...stockEpoch, notice: createLayoutNotice(text) };
      break;
    }
  if (result.datedEntries.length > MAX_DATED_ENTRIES) return result;
  cache.set(name, result);
  return result;
}

/**
 * Finds products by fields, such as `tag:rain OR vendor:Acme`. All results are complete matches.
 * @param key key under which the list of products is cached
 */
function findFields(query: FieldQuery, request: ResultsRequest, at: SearchContext, key: string): SearchResults {
  const search = (q: string, field: string | undefined): Uint32Array => {
    const fieldRequest = {
      ...request,
      q,
      types: ["product" as const],
      ...(field === undefined ? {} : { fields: [field] }),
    };
    const { products, completeProductCount } = findRankedResults(
      searchQuery({ ...fieldRequest, limit: maxResults }, at),
      fieldRequest,
      at,
      key,
    );
    return products.numbers().subarray(0, completeProductCount);
  };
  const fieldMatches = request.types.includes("product") ? findByFields(query, at, search) : new Uint32Array(0);
  const matchingNumbers = isAllProducts(request.q)
    ? at.catalog.facets().sort({ key, numbers: () => fieldMatches }, "best-selling", at.locale)
    : fieldMatches;
  const productList: ProductList = { key, numbers: () => matchingNumbers };
  const shouldHideSoldOut = request.unavailableProducts === "hide";
  const inStockSelection = { ...emptySelection, availability: new Set(["1"]) };
  const products = shouldHideSoldOut ? at.catalog.facets().filter(productList, inStockSelection).list : productList;
  const numbers = products.numbers();
  return {
    numbers,
    completeCount: numbers.length,
    products,
    completeProductCount: numbers.length,
    datedEntries: [],
    notice: undefined,
  };
}

/** Finds all results of a query.  @param key key under which the list of products is cached */
function findRankedResults(query: Query, request: ResultsRequest, at: SearchContext, key: string): SearchResults {
  const datedEntries: SearchResults["datedEntries"][number][] = [];
  const accept: Query["accept"] = (number, type, isAvailable) => {
    const isVisible = query.accept?.(number, type, isAvailable) !== false;
    if (isTimeDependent(type)) datedEntries.push({ number, type, isVisible });
    return isVisible;
  };
  const foundHits = at.index.search({ ...query, accept });
  const hits = [...applyPins(foundHits, request, at).values()].flat();
  hits.sort((a, b) => b.score - a.score || a.type - b.type || a.externalId - b.externalId);
  putSuggestionsFirst(
    hits,
    applyPins(searchGroups({ ...query, limits: computeSuggestionLimits(query) }, at), request, at),
  );
  const completeCount = hits.filter(({ missing }) => missing === 0).length;
  const limitedHits = hits.slice(0, Math.max(completeCount, MIN_FILLED_RESULTS));
  const isProduct = ({ type }: Hit): boolean => type === documentTypes.product;
  const products = limitedHits.filter(isProduct);
  const completeProductCount = products.filter(({ missing }) => missing === 0).length;
  const unrankedNumbers = products.length < maxResults ? [] : findUnrankedNumbers(query, products, at);
  const numbers = concatenate([limitedHits.map(({ externalId }) => externalId), unrankedNumbers]);
  const productNumbers =
    products.length === limitedHits.length
      ? numbers
      : concatenate([products.map(({ externalId }) => externalId), unrankedNumbers]);
  const pageNumbers = { numbers, completeCount: completeCount + unrankedNumbers.length };
  return {
    ...pageNumbers,
    ...(at.collapse === true ? { collapsed: collapseNumbers(pageNumbers, request.q, at) } : {}),
    products: { key, numbers: () => productNumbers },
    completeProductCount: completeProductCount + unrankedNumbers.length,
    datedEntries,
    notice: findNotice(query, foundHits, at),
  };
}

/** Returns the products that contain all words but are not among the ranked hits. */
function findUnrankedNumbers(query: Query, rankedHits: readonly Hit[], { index }: SearchContext): Uint32Array {
  const rankedIds = new Set(rankedHits.map(({ externalId }) => externalId));
  return index.matches(query, documentTypes.product).filter((number) => !rankedIds.has(number));
}

function isAccepted({ accept }: Query, number: number, type: number): boolean {
  return accept?.(number, type, true) !== false;
}

/** Maximum bytes of cached results per index: thousands of searches with few results, or several hundred with many. */
const MAX_CACHED_BYTES = 8 * 1_024 * 1_024;
/** Maximum number of entries with dates in a cached search, because each use of the cache checks them all. */
const MAX_DATED_ENTRIES = 200;
