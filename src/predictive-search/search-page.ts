import type { Hit, Query, SearchIndex } from "@vitrine/search";
import { otherLayouts } from "@vitrine/search";
import type { Entry } from "../catalog/catalog.ts";
import type { FilteredList, ProductList } from "../catalog/facets/facets.ts";
import type { SortKey } from "../catalog/facets/filter-selection.ts";
import { type FilterSelection, hasSelection, noSelection } from "../catalog/facets/filter-selection.ts";
import { createCache, memoizePerObject } from "../runtime/cache.ts";
import { documentTypes } from "./documents.ts";
import { type FieldQuery, findByFields, parseFieldQuery } from "./field-query.ts";
import { hidingSoldOut } from "./live-availability.ts";
import { comesAndGoes, entriesOf, searchQuery } from "./predictive-search.ts";
import { withPins } from "./rules/pinned-hits.ts";
import type { SearchContext } from "./search-context.ts";
import { maxSuggestions, type ResourceType, type SuggestParams } from "./suggest-params.ts";

/** Parameters of the full results page. */
export interface SearchPageParams extends Pick<SuggestParams, "fields"> {
  readonly q: string;
  /** Requested types of results. The type `query` has no results on this page. */
  readonly types: readonly ResourceType[];
  /** Page number, starting at 1. */
  readonly page: number;
  readonly perPage: number;
  /** Handling of sold-out products. Default: `last`. */
  readonly unavailableProducts?: SuggestParams["unavailableProducts"];
  /** Selected filters. If any is selected, the results contain only products. */
  readonly choice?: FilterSelection;
  /**
   * Sort order; default: best first. Complete matches are sorted before partial matches. In both parts, products
   * precede other entries.
   */
  readonly order?: SortKey | undefined;
}

export interface SearchPage {
  readonly terms: string;
  /** Number of results on all pages. */
  readonly total: number;
  /** Number of complete matches, which contain all words. They precede partial matches. */
  readonly complete: number;
  readonly entries: readonly Entry[];
}

/** Returns whether an entry contains all words of the search exactly as typed. */
export function isFoundExactly(q: string, at: SearchContext): boolean {
  return at.index.findsExactly(searchQuery({ q, types: [], limit: 0, unavailableProducts: "show" }, at));
}

/** Sort orders of search results other than the default (best first). */
export const searchOrders: readonly SortKey[] = ["price-ascending", "price-descending"];

/** Maximum number of results per type that are sorted by score. Further products follow by popularity. */
export const maxResults = 5_000;
/** Number of results up to which partial matches are added: a few pages, because shoppers rarely read further. */
const filledResults = 96;

/**
 * Returns one page of all results, best first across types. A page after the last one is empty. Results are cached with
 * the index, so other pages need no new search.
 */
export function searchPage(params: SearchPageParams, at: SearchContext): SearchPage {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const { numbers, complete } = narrowed(cachedOrFound(request, at), request, at);
  const start = (params.page - 1) * params.perPage;
  const end = start + params.perPage;
  const border = Math.min(Math.max(start, complete), end);
  const parts = [numbers.subarray(start, border), numbers.subarray(border, end)];
  // The index puts products last that were sold out when it was built. Products that sold out later move to the end of
  // their part of the page.
  const isSoldOut = (number: number): number => (at.catalog.isAvailableNow(number) === false ? 1 : 0);
  const isLast = request.unavailableProducts === "last" && params.order === undefined;
  const shown = isLast ? parts.map((part) => [...part].sort((a, b) => isSoldOut(a) - isSoldOut(b))) : parts;
  const hits = shown.flatMap((part) => Array.from(part, (externalId) => ({ externalId })));
  return { terms: params.q, total: numbers.length, complete, entries: entriesOf(hits, at) };
}

/** Returns all products of a search, with the number of products for each filter value. */
export function searchFacets(params: SearchPageParams, at: SearchContext): FilteredList {
  const request = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  return at.catalog.facets().filter(cachedOrFound(request, at).products, params.choice ?? noSelection);
}

/** Returns the results that match the filters, in the requested order: complete matches first, then partial matches. */
function narrowed(found: Found, { choice = noSelection, order }: SearchPageParams, at: SearchContext): PageNumbers {
  const isNarrowed = hasSelection(choice);
  if (!isNarrowed && order === undefined) return found;
  const facets = at.catalog.facets();
  const list = isNarrowed ? facets.filter(found.products, choice).list : found.products;
  const numbers = list.numbers();
  const complete = commonCount(numbers, found.products.numbers().subarray(0, found.completeProducts));
  if (order === undefined) return { numbers, complete };
  const sort = (name: string, some: Uint32Array): Uint32Array =>
    facets.sort({ key: `${name} ${complete} ${list.key}`, numbers: () => some }, order, at.locale);
  const first = sort("first", numbers.subarray(0, complete));
  const rest = sort("rest", numbers.subarray(complete));
  if (isNarrowed) return { numbers: joined([first, rest]), complete };
  const products = new Set(found.products.numbers());
  const otherEntries = found.numbers.filter((number) => !products.has(number));
  const otherComplete = found.complete - complete;
  const all = [first, otherEntries.subarray(0, otherComplete), rest, otherEntries.subarray(otherComplete)];
  return { numbers: joined(all), complete: found.complete };
}

interface PageNumbers {
  /** Document numbers in the order of the result pages. */
  readonly numbers: Uint32Array;
  /** Number of complete matches, which come first. */
  readonly complete: number;
}

/** Returns the count of numbers that occur in both lists. Both lists have the same order. */
function commonCount(part: Uint32Array, whole: Uint32Array): number {
  let common = 0;
  for (const number of whole) if (number === part[common]) common += 1;
  return common;
}

function joined(lists: readonly (Uint32Array | readonly number[])[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return all;
}

type SearchRequest = SearchPageParams & Pick<SuggestParams, "unavailableProducts">;

/** All results of a search. */
interface Found extends PageNumbers {
  /** The products among the results, in the same order. */
  readonly products: ProductList;
  /** Number of products that are complete matches. They come first. */
  readonly completeProducts: number;
  /** Stock epoch on which the results depend; undefined if they do not depend on stock. */
  readonly epoch?: number;
  /** Matching entries whose visibility depends on the time, and whether they were visible. */
  readonly datedEntries: readonly { readonly number: number; readonly type: number; readonly isThere: boolean }[];
}

const resultsOf = memoizePerObject((_: SearchIndex) =>
  createCache<string, Found>({ name: "search_pages", maxWeight: maxCachedBytes, weigh: bytesOf }),
);

function bytesOf({ numbers, products, datedEntries }: Found, key: string): number {
  return numbers.byteLength + products.numbers().byteLength + 2 * key.length + 100 * (1 + datedEntries.length);
}

/** Returns cached results, or searches again if the visibility of an entry with dates has changed. */
function cachedOrFound(request: SearchRequest, at: SearchContext): Found {
  const cache = resultsOf(at.index);
  const { q, types, unavailableProducts, fields } = request;
  const name = JSON.stringify([at.locale, at.typoTolerance, at.rules?.revision, types, unavailableProducts, fields, q]);
  const query = { ...searchQuery({ ...request, limit: maxResults }, at), fill: filledResults };
  const known = cache.get(name);
  const hides = unavailableProducts === "hide";
  if (hides) at.catalog.stock.recordReadOfAll();
  const epoch = hides ? { epoch: at.catalog.stock.epoch() } : {};
  if (
    known?.epoch === epoch.epoch &&
    known?.datedEntries.every(({ number, type, isThere }) => isAccepted(query, number, type) === isThere)
  )
    return known;
  const key = `search ${epoch.epoch ?? ""} ${name}`;
  const byFields = parseFieldQuery(q);
  if (byFields !== undefined) {
    const result = { ...findFields(byFields, request, at, key), ...epoch };
    cache.set(name, result);
    return result;
  }
  let result = { ...find(hidingSoldOut(query, at.catalog), request, at, key), ...epoch };
  if (result.numbers.length === 0)
    for (const text of otherLayouts(q, at.locale)) {
      const other = hidingSoldOut({ ...query, text, typos: false }, at.catalog);
      result = { ...find(other, { ...request, q: text }, at, key), ...epoch };
      if (result.numbers.length > 0) break;
    }
  if (result.datedEntries.length > maxDatedEntries) return result;
  cache.set(name, result);
  return result;
}

/** Finds products by a field query. All results are complete matches.  @param key cache key of the list of products */
function findFields(query: FieldQuery, request: SearchRequest, at: SearchContext, key: string): Found {
  const search = (q: string, field: string | undefined): Uint32Array => {
    const fieldRequest = {
      ...request,
      q,
      types: ["product" as const],
      ...(field === undefined ? {} : { fields: [field] }),
    };
    const { products, completeProducts } = find(
      searchQuery({ ...fieldRequest, limit: maxResults }, at),
      fieldRequest,
      at,
      key,
    );
    return products.numbers().subarray(0, completeProducts);
  };
  const matched = request.types.includes("product") ? findByFields(query, at, search) : new Uint32Array(0);
  const all: ProductList = { key, numbers: () => matched };
  const isHiding = request.unavailableProducts === "hide";
  const inStock = { ...noSelection, availability: new Set(["1"]) };
  const products = isHiding ? at.catalog.facets().filter(all, inStock).list : all;
  const numbers = products.numbers();
  return { numbers, complete: numbers.length, products, completeProducts: numbers.length, datedEntries: [] };
}

/** Finds all results of a query.  @param key cache key of the list of products */
function find(query: Query, request: SearchRequest, at: SearchContext, key: string): Found {
  const datedEntries: Found["datedEntries"][number][] = [];
  const accept: Query["accept"] = (number, type, isAvailable) => {
    const isThere = query.accept?.(number, type, isAvailable) !== false;
    if (comesAndGoes(type)) datedEntries.push({ number, type, isThere });
    return isThere;
  };
  const hits = [...withPins(at.index.search({ ...query, accept }), request, at).values()].flat();
  hits.sort((one, other) => other.score - one.score || one.type - other.type || one.externalId - other.externalId);
  putSuggestionsFirst(hits, withPins(at.index.search({ ...query, limits: suggestionLimits(query) }), request, at));
  const complete = hits.filter(({ missing }) => missing === 0).length;
  const shown = hits.slice(0, Math.max(complete, filledResults));
  const isProduct = ({ type }: Hit): boolean => type === documentTypes.product;
  const products = shown.filter(isProduct);
  const completeProducts = products.filter(({ missing }) => missing === 0).length;
  const more = products.length < maxResults ? [] : unranked(query, products, at);
  const numbers = joined([shown.map(({ externalId }) => externalId), more]);
  const ofProducts =
    products.length === shown.length ? numbers : joined([products.map(({ externalId }) => externalId), more]);
  return {
    numbers,
    complete: complete + more.length,
    products: { key, numbers: () => ofProducts },
    completeProducts: completeProducts + more.length,
    datedEntries,
  };
}

function suggestionLimits({ limits }: Query): ReadonlyMap<number, number> {
  return new Map([...limits.keys()].map((type) => [type, maxSuggestions]));
}

/**
 * Orders the hits of each type as the suggestions do. A search for ten hits scores fewer documents than one for all, so
 * the orders can differ. Shoppers expect what they saw while typing.
 * @param hits hits of all types, best first; changed in place
 * @param suggested the best hits by type
 */
function putSuggestionsFirst(hits: Hit[], suggested: ReadonlyMap<number, readonly Hit[]>): void {
  for (const [type, best] of suggested) {
    const bestIds = new Set(best.map(({ externalId }) => externalId));
    const others = hits.filter((hit) => hit.type === type && !bestIds.has(hit.externalId));
    const ordered = [...best, ...others].values();
    hits.forEach((hit, index) => {
      if (hit.type === type) hits[index] = ordered.next().value ?? hit;
    });
  }
}

/** Returns the products that contain all words but are not among the ranked hits. */
function unranked(query: Query, best: readonly Hit[], { index }: SearchContext): Uint32Array {
  const known = new Set(best.map(({ externalId }) => externalId));
  return index.matches(query, documentTypes.product).filter((number) => !known.has(number));
}

function isAccepted({ accept }: Query, number: number, type: number): boolean {
  return accept?.(number, type, true) !== false;
}

/** Maximum bytes of cached results per index: thousands of searches with few results, or several hundred with many. */
const maxCachedBytes = 8 * 1_024 * 1_024;
/** Maximum number of entries with dates in a cached search, because each use of the cache checks them all. */
const maxDatedEntries = 200;
