import type { Hit, Query, SearchIndex } from "@vitrine/search";
import { otherLayouts } from "@vitrine/search";
import type { Entry } from "../catalog/catalog.ts";
import type { FilteredList, ProductList } from "../catalog/facets/facets.ts";
import type { SortKey } from "../catalog/facets/filter-selection.ts";
import { emptySelection, type FilterSelection, hasSelection } from "../catalog/facets/filter-selection.ts";
import { createCache, memoizePerObject } from "../runtime/cache.ts";
import { availableMember, collapseNumbers, collapses, limitToGroup, searchGroups } from "./collapse-groups.ts";
import { documentTypes } from "./documents.ts";
import { type FieldQuery, findByFields, parseFieldQuery } from "./field-query.ts";
import { draftContext, interleaveProducts, putProductsFirst } from "./interleaved-hits.ts";
import { hideSoldOut } from "./live-availability.ts";
import { concatenate, countCommon } from "./number-lists.ts";
import { entriesOf, isTimeDependent, searchQuery } from "./predictive-search.ts";
import { putSuggestionsFirst, suggestionLimits } from "./put-suggestions-first.ts";
import { withPins } from "./rules/pinned-hits.ts";
import { rankingState } from "./rules/ranking-boosts.ts";
import type { SearchContext } from "./search-context.ts";
import { createLayoutNotice, findNotice, type SearchNotice } from "./search-notice.ts";
import type { ResourceType, SuggestParams } from "./suggest-params.ts";

/** Parameters of the full results page. */
export interface SearchPageParams extends Pick<SuggestParams, "fields" | "spelling"> {
  readonly q: string;
  /** Requested types of results. The type `query` has no results on this page. */
  readonly types: readonly ResourceType[];
  /** Page number, starting at 1. */
  readonly page: number;
  readonly perPage: number;
  /** Handling of sold-out products. Default: `last`. */
  readonly unavailableProducts?: SuggestParams["unavailableProducts"];
  /** Selected filters. If any is selected, the results contain only products. */
  readonly selection?: FilterSelection;
  /**
   * Handle of a product. If results are collapsed, only the products of its group are listed: first those that match
   * the search, then the others.
   */
  readonly group?: string | undefined;
  /**
   * Sort order; default: best first. Complete matches are sorted before partial matches. Within each of them, products
   * precede other entries.
   */
  readonly order?: SortKey | undefined;
}

export interface SearchPage {
  readonly terms: string;
  /** Number of results on all pages. A group of collapsed products is one result. */
  readonly total: number;
  /** Number of complete matches, which contain all words. They precede partial matches. */
  readonly completeCount: number;
  readonly entries: readonly Entry[];
  /** Set if no result contains all words as typed. */
  readonly notice: SearchNotice | undefined;
}

/** Returns whether an entry contains all words of the search exactly as typed. */
export function isFoundExactly(q: string, at: SearchContext): boolean {
  return at.index.findsExactly(searchQuery({ q, types: [], limit: 0, unavailableProducts: "show" }, at));
}

/** Sort orders of search results other than the default (best first). */
export const searchOrders: readonly SortKey[] = ["price-ascending", "price-descending"];

/** Maximum number of results per type that are sorted by score. Further products follow by popularity. */
export const maxResults = 5_000;
/** Partial matches are added until a search has this many results, a few pages. Shoppers rarely read further. */
const MIN_FILLED_RESULTS = 96;

/**
 * Returns one page of all results, best first across types. A page after the last one is empty. Results are cached with
 * the index, so other pages need no new search.
 */
export function searchPage(params: SearchPageParams, at: SearchContext): SearchPage {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const results = limitToGroup(findInterleavedResults(request, at), request, at);
  const isCollapsed = collapses(request, at);
  const matches = applyFilters(results, request, at);
  const cachedMatches = matches === results ? results.collapsed : undefined;
  const { numbers, completeCount } = isCollapsed ? (cachedMatches ?? collapseNumbers(matches, params.q, at)) : matches;
  const start = (params.page - 1) * params.perPage;
  const end = start + params.perPage;
  const partialStart = Math.min(Math.max(start, completeCount), end);
  const parts = [numbers.subarray(start, partialStart), numbers.subarray(partialStart, end)];
  // The index puts products last that were sold out when it was built. Products that sold out later are moved here to
  // the end of the complete or partial matches.
  const isSoldOut = (number: number): number => (at.catalog.isAvailableNow(number) === false ? 1 : 0);
  const movesSoldOut = request.unavailableProducts === "last" && params.order === undefined;
  const represent = (number: number): number => (isCollapsed ? availableMember(number, matches, params.q, at) : number);
  const orderedParts = movesSoldOut
    ? parts.map((subset) => Array.from(subset, represent).sort((a, b) => isSoldOut(a) - isSoldOut(b)))
    : parts;
  const hits = orderedParts.flatMap((subset) => Array.from(subset, (externalId) => ({ externalId })));
  const entries = entriesOf(hits, at);
  return { terms: params.q, total: numbers.length, completeCount, entries, notice: results.notice };
}

/** Returns all products of a search, with the number of products for each filter value. */
export function searchFacets(params: SearchPageParams, at: SearchContext): FilteredList {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const { products } = limitToGroup(findResults(request, at), request, at);
  return at.catalog.facets().filter(products, params.selection ?? emptySelection);
}

/** Returns the first products that contain all words of a search without filters, and the number of all found products. */
export function bestProducts(
  params: SearchPageParams,
  count: number,
  at: SearchContext,
): { readonly best: readonly number[]; readonly total: number } {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const { products, completeProductCount } = findResults(request, at);
  const numbers = products.numbers();
  return { best: [...numbers.subarray(0, Math.min(count, completeProductCount))], total: numbers.length };
}

/** Returns the results that match the filters, in the requested order: complete matches first, then partial matches. */
function applyFilters(
  results: SearchResults,
  { selection = emptySelection, order }: SearchPageParams,
  at: SearchContext,
): PageNumbers {
  const isFiltered = hasSelection(selection);
  if (!isFiltered && order === undefined) return results;
  const facets = at.catalog.facets();
  const list = isFiltered ? facets.filter(results.products, selection).list : results.products;
  const numbers = list.numbers();
  const completeCount = countCommon(numbers, results.products.numbers().subarray(0, results.completeProductCount));
  if (order === undefined) return { numbers, completeCount };
  const sortNumbers = (name: string, subset: Uint32Array): Uint32Array =>
    facets.sort({ key: `${name} ${completeCount} ${list.key}`, numbers: () => subset }, order, at.locale);
  const sortedCompleteNumbers = sortNumbers("first", numbers.subarray(0, completeCount));
  const sortedPartialNumbers = sortNumbers("rest", numbers.subarray(completeCount));
  if (isFiltered) return { numbers: concatenate([sortedCompleteNumbers, sortedPartialNumbers]), completeCount };
  const products = new Set(results.products.numbers());
  const otherEntries = results.numbers.filter((number) => !products.has(number));
  const otherCompleteCount = results.completeCount - completeCount;
  const concatenatedLists = [
    sortedCompleteNumbers,
    otherEntries.subarray(0, otherCompleteCount),
    sortedPartialNumbers,
    otherEntries.subarray(otherCompleteCount),
  ];
  return { numbers: concatenate(concatenatedLists), completeCount: results.completeCount };
}

interface PageNumbers {
  /** Document numbers in the order of the result pages. */
  readonly numbers: Uint32Array;
  /** Number of complete matches, which come first. */
  readonly completeCount: number;
}

type SearchRequest = SearchPageParams & Pick<SuggestParams, "unavailableProducts">;

/** All results of a search. */
interface SearchResults extends PageNumbers, Pick<SearchPage, "notice"> {
  /** The products among the results, in the same order. */
  readonly products: ProductList;
  /** Number of products that are complete matches. They come first. */
  readonly completeProductCount: number;
  /** The results with one product per group; undefined if results are not collapsed. */
  readonly collapsed?: PageNumbers;
  /** Stock epoch on which the results depend; undefined if they do not depend on stock. */
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

/** Returns all results, of which the first products are interleaved if a draft of the rules is tested. */
function findInterleavedResults(request: SearchRequest, at: SearchContext): SearchResults {
  const { selection = emptySelection, order, types, q, group } = request;
  const isRanked = types.includes("product") && order === undefined && group === undefined && !hasSelection(selection);
  const interleaving = isRanked && parseFieldQuery(q) === undefined ? interleaveProducts(request, at) : undefined;
  if (interleaving?.onlySide === "draft") return findResults(request, draftContext(at));
  const results = findResults(request, at);
  if (interleaving === undefined) return results;
  const { collapsed: _, ...otherFields } = results;
  return { ...otherFields, ...putProductsFirst(interleaving.numbers, results) };
}

/** Returns cached results, or searches again if the visibility of an entry with dates has changed. */
function findResults(request: SearchRequest, at: SearchContext): SearchResults {
  const cache = resultCache(at.index);
  const { q, types, unavailableProducts, fields } = request;
  const query = { ...searchQuery({ ...request, limit: maxResults }, at), fill: MIN_FILLED_RESULTS };
  const rulesState = `${at.rules?.revision} ${rankingState(q, at)}`;
  const name = JSON.stringify([at.locale, query.typos, rulesState, types, unavailableProducts, fields, q]);
  const cachedResults = cache.get(name);
  const hidesSoldOut = unavailableProducts === "hide";
  if (hidesSoldOut) at.catalog.stock.recordReadOfAll();
  const stockEpoch = hidesSoldOut ? { stockEpoch: at.catalog.stock.epoch() } : {};
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
    for (const text of otherLayouts(q, at.locale)) {
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

/** Finds products by a field query. All results are complete matches.  @param key cache key of the list of products */
function findFields(query: FieldQuery, request: SearchRequest, at: SearchContext, key: string): SearchResults {
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
  const matchingNumbers = request.types.includes("product") ? findByFields(query, at, search) : new Uint32Array(0);
  const matchingList: ProductList = { key, numbers: () => matchingNumbers };
  const hidesSoldOut = request.unavailableProducts === "hide";
  const inStockSelection = { ...emptySelection, availability: new Set(["1"]) };
  const products = hidesSoldOut ? at.catalog.facets().filter(matchingList, inStockSelection).list : matchingList;
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

/** Finds all results of a query.  @param key cache key of the list of products */
function findRankedResults(query: Query, request: SearchRequest, at: SearchContext, key: string): SearchResults {
  const datedEntries: SearchResults["datedEntries"][number][] = [];
  const accept: Query["accept"] = (number, type, isAvailable) => {
    const isVisible = query.accept?.(number, type, isAvailable) !== false;
    if (isTimeDependent(type)) datedEntries.push({ number, type, isVisible });
    return isVisible;
  };
  const indexHits = at.index.search({ ...query, accept });
  const hits = [...withPins(indexHits, request, at).values()].flat();
  hits.sort((a, b) => b.score - a.score || a.type - b.type || a.externalId - b.externalId);
  putSuggestionsFirst(hits, withPins(searchGroups({ ...query, limits: suggestionLimits(query) }, at), request, at));
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
    notice: findNotice(query, indexHits, at),
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
