import type { Entry } from "../catalog/catalog.ts";
import type { FilteredList } from "../catalog/facets/facets.ts";
import {
  emptySelection,
  type FilterSelection,
  hasSelection,
  type SortKey,
} from "../catalog/facets/filter-selection.ts";
import { collapseResults, findAvailableMember, selectGroupResults, shouldCollapseGroups } from "./collapse-groups.ts";
import { parseFieldQuery } from "./field-query.ts";
import { createDraftContext, interleaveProducts, putProductsFirst } from "./interleaved-hits.ts";
import { sortSoldOutLast } from "./live-availability.ts";
import { countSharedNumbers, joinNumberLists } from "./number-lists.ts";
import { createQuery, entriesOf } from "./predictive-search.ts";
import type { SearchContext } from "./search-context.ts";
import type { SearchNotice } from "./search-notice.ts";
import { findResults, type ResultNumbers, type ResultsRequest, type SearchResults } from "./search-results.ts";
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
   * Limits the results to products that match these filters, before `selection` is applied and facets are counted.
   * Default: no limit.
   */
  readonly restriction?: FilterSelection | undefined;
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
export function hasExactMatch(q: string, context: SearchContext): boolean {
  return context.index.findsExactly(createQuery({ q, types: [], limit: 0, unavailableProducts: "show" }, context));
}

/** Sort orders of search results other than the default (best first). */
export const searchSortKeys: readonly SortKey[] = ["price-ascending", "price-descending"];

/**
 * Returns one page of all results, best first across types. A page after the last one is empty. Results are cached with
 * the index, so other pages need no new search.
 */
export function findSearchPage(params: SearchPageParams, context: SearchContext): SearchPage {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const results = restrictResults(
    selectGroupResults(findInterleavedResults(request, context), request, context),
    params,
    context,
  );
  const isCollapsed = shouldCollapseGroups(request, context);
  const matches = applyFilters(results, request, context);
  const cachedMatches = matches === results ? results.collapsedResults : undefined;
  const { numbers, completeCount } = isCollapsed
    ? (cachedMatches ?? collapseResults(matches, params.q, context))
    : matches;
  const start = (params.page - 1) * params.perPage;
  const end = start + params.perPage;
  const partialMatchStart = Math.min(Math.max(start, completeCount), end);
  const parts = [numbers.subarray(start, partialMatchStart), numbers.subarray(partialMatchStart, end)];
  // The index puts products last that were sold out when it was built. Products that sold out later are moved here to
  // the end of the complete or partial matches.
  const sortsSoldOutLast = request.unavailableProducts === "last" && params.order === undefined;
  const chooseGroupMember = (number: number): number =>
    isCollapsed ? findAvailableMember(number, matches, params.q, context) : number;
  const sortedParts = sortsSoldOutLast
    ? parts.map((part) => sortSoldOutLast(Array.from(part, chooseGroupMember), context.catalog))
    : parts;
  const hits = sortedParts.flatMap((part) => Array.from(part, (externalId) => ({ externalId })));
  const entries = entriesOf(hits, context);
  return { terms: params.q, total: numbers.length, completeCount, entries, notice: results.notice };
}

/** Returns all products of a search, with the number of products for each filter value. */
export function findFilteredList(params: SearchPageParams, context: SearchContext): FilteredList {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const { products } = restrictResults(
    selectGroupResults(findResults(request, context), request, context),
    params,
    context,
  );
  return context.catalog.facets().filter(products, params.selection ?? emptySelection);
}

/**
 * Returns the best products that contain all words of the search, ignoring filters, and the total number of products
 * found.
 */
export function findBestProducts(
  params: SearchPageParams,
  count: number,
  context: SearchContext,
): { readonly bestProductNumbers: readonly number[]; readonly total: number } {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const { products, completeProductCount } = findResults(request, context);
  const numbers = products.numbers();
  return { bestProductNumbers: [...numbers.subarray(0, Math.min(count, completeProductCount))], total: numbers.length };
}

/** Returns the results that match the filters, in the requested order: complete matches first, then partial matches. */
function applyFilters(
  results: SearchResults,
  { selection = emptySelection, order }: SearchPageParams,
  context: SearchContext,
): ResultNumbers {
  const isFiltered = hasSelection(selection);
  if (!isFiltered && order === undefined) return results;
  const facets = context.catalog.facets();
  const list = isFiltered ? facets.filter(results.products, selection).list : results.products;
  const numbers = list.numbers();
  const completeCount = countSharedNumbers(
    numbers,
    results.products.numbers().subarray(0, results.completeProductCount),
  );
  if (order === undefined) return { numbers, completeCount };
  const sortNumbers = (name: string, unsortedNumbers: Uint32Array): Uint32Array =>
    facets.sort({ key: `${name} ${completeCount} ${list.key}`, numbers: () => unsortedNumbers }, order, context.locale);
  const completeMatches = sortNumbers("first", numbers.subarray(0, completeCount));
  const partialMatches = sortNumbers("rest", numbers.subarray(completeCount));
  if (isFiltered) return { numbers: joinNumberLists([completeMatches, partialMatches]), completeCount };
  const products = new Set(results.products.numbers());
  const otherEntries = results.numbers.filter((number) => !products.has(number));
  const otherCompleteCount = results.completeCount - completeCount;
  const concatenatedLists = [
    completeMatches,
    otherEntries.subarray(0, otherCompleteCount),
    partialMatches,
    otherEntries.subarray(otherCompleteCount),
  ];
  return { numbers: joinNumberLists(concatenatedLists), completeCount: results.completeCount };
}

/** Returns the results that the search may show: only products that match `restriction`, if it is set. */
function restrictResults(
  results: SearchResults,
  { restriction = emptySelection }: Pick<SearchPageParams, "restriction">,
  searchContext: SearchContext,
): SearchResults {
  if (!hasSelection(restriction)) return results;
  const { collapsedResults: _, ...otherFields } = results;
  const { list } = searchContext.catalog.facets().filter(results.products, restriction);
  const numbers = list.numbers();
  const fullMatchProducts = results.products.numbers().subarray(0, results.completeProductCount);
  const completeCount = countSharedNumbers(numbers, fullMatchProducts);
  return { ...otherFields, numbers, completeCount, products: list, completeProductCount: completeCount };
}

type PageRequest = SearchPageParams & ResultsRequest;

/**
 * Returns all results. If a draft of the rules is tested, the first products come from the draft and from the live
 * rules, interleaved.
 */
function findInterleavedResults(request: PageRequest, context: SearchContext): SearchResults {
  const { selection = emptySelection, order, types, q, group } = request;
  const canInterleave =
    types.includes("product") && order === undefined && group === undefined && !hasSelection(selection);
  const interleavedProducts =
    canInterleave && parseFieldQuery(q) === undefined ? interleaveProducts(request, context) : undefined;
  if (interleavedProducts?.matchingVersion === "draft") return findResults(request, createDraftContext(context));
  const results = findResults(request, context);
  if (interleavedProducts === undefined) return results;
  const { collapsedResults: _, ...otherFields } = results;
  return { ...otherFields, ...putProductsFirst(interleavedProducts.numbers, results) };
}
