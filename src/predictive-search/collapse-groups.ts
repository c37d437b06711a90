import type { Hit, Query } from "@vitrine/search";
import type { ProductList } from "../catalog/facets/facets.ts";
import { emptySelection, type FilterSelection, hasSelection } from "../catalog/facets/filter-selection.ts";
import { isProductAvailable } from "../catalog/stock.ts";
import { documentTypes } from "./documents.ts";
import { parseFieldQuery } from "./field-query.ts";
import { countSharedNumbers } from "./number-lists.ts";
import { findHiddenNumbers } from "./rules/pinned-hits.ts";
import type { SearchContext } from "./search-context.ts";
import type { SuggestParams } from "./suggest-params.ts";

/**
 * A search for n groups first requests n times this number of products. If they belong to too few groups, it is
 * repeated with this many times as many products. Usually the first search suffices, because fewer than half of its
 * products share a group with a better product.
 */
const CANDIDATES_PER_RESULT = 2;
/** Number of products at which a search is no longer repeated to find more groups. */
const MAX_CANDIDATES = 1_000;

/**
 * Finds the hits of a query. If results are collapsed to one product per group, the search is repeated with more
 * products until they belong to as many groups as the limit, or until there are no further products.
 */
export function searchByGroup(query: Query, context: SearchContext): ReadonlyMap<number, readonly Hit[]> {
  const { product } = documentTypes;
  const limit = query.limits.get(product);
  if (context.collapse !== true || limit === undefined) return context.index.search(query);
  let fill = query.fill ?? limit;
  for (let searchedCount = limit * CANDIDATES_PER_RESULT; ; searchedCount *= CANDIDATES_PER_RESULT) {
    const hitsByType = context.index.search({
      ...query,
      limits: new Map([...query.limits, [product, searchedCount]]),
      fill,
    });
    const hits = hitsByType.get(product) ?? [];
    const isExhausted = hits.length < Math.min(fill, searchedCount) || searchedCount >= MAX_CANDIDATES;
    if (isExhausted || collapseHits(hits, query.text, context).length >= limit) return hitsByType;
    fill = searchedCount;
  }
}

/** Returns the best hit of each group of similar products. Pinned products are never removed. */
export function collapseHits<H extends Pick<Hit, "externalId">>(
  hits: readonly H[],
  q: string,
  context: SearchContext,
): readonly H[] {
  if (context.collapse !== true) return hits;
  const isRepeated = createDuplicateCheck(q, context);
  return hits.filter(({ externalId }) => !isRepeated(externalId));
}

/** A search whose results may be limited to one group of similar products. */
interface GroupSearch {
  readonly q: string;
  /**
   * Handle of any product in the group to which the search is limited. Default: the search is not limited to a group.
   */
  readonly group?: string | undefined;
  readonly unavailableProducts: SuggestParams["unavailableProducts"];
}

/** Products that a search found, complete matches first. */
interface ProductMatches {
  readonly products: ProductList;
  readonly completeProductCount: number;
}

/**
 * Limits the results of a search to the group of a product. The products that match the search come first, in the same
 * order. The other products of the group follow as partial matches. The list is empty if the product does not exist.
 */
export function selectGroupResults<R extends ProductMatches & SortedResults>(
  results: R,
  { q, group, unavailableProducts }: GroupSearch,
  context: SearchContext,
): R {
  if (context.collapse !== true || group === undefined) return results;
  const number = context.catalog.productNumber(group);
  const members = new Set(number === undefined ? [] : listGroupMembers(number, q, context));
  const foundNumbers = results.products.numbers();
  const matches = foundNumbers.filter((foundNumber) => members.has(foundNumber));
  const completeCount = countSharedNumbers(matches, foundNumbers.subarray(0, results.completeProductCount));
  const shouldAddMember = (member: number): boolean =>
    !matches.includes(member) && (unavailableProducts !== "hide" || isAvailable(member, context));
  const numbers = Uint32Array.from([...matches, ...[...members].filter(shouldAddMember)]);
  const products = { key: `${results.products.key} group ${number}`, numbers: () => numbers };
  return { ...results, numbers, completeCount, products, completeProductCount: completeCount };
}

/**
 * Returns the product that represents its group in the results. It is the given product, or if that is sold out, the
 * best available product of the group among the results.
 */
export function findAvailableMember(number: number, results: SortedResults, q: string, context: SearchContext): number {
  if (context.catalog.isAvailableNow(number) !== false || findPinnedNumbers(q, context).has(number)) return number;
  const fullMatchNumbers = results.numbers.subarray(0, results.completeCount);
  const candidates = fullMatchNumbers.includes(number) ? fullMatchNumbers : results.numbers;
  const ranks = listGroupMembers(number, q, context)
    .filter((member) => isAvailable(member, context))
    .map((member) => candidates.indexOf(member))
    .filter((rank) => rank >= 0);
  return ranks.length === 0 ? number : (candidates[Math.min(...ranks)] as number);
}

function isAvailable(number: number, { catalog }: SearchContext): boolean {
  const entry = catalog.entry(number);
  return entry?.kind === "product" && isProductAvailable(entry);
}

/** Document numbers of results, complete matches first. */
interface SortedResults {
  readonly numbers: Uint32Array;
  /** Number of complete matches, which contain all words of the query. */
  readonly completeCount: number;
}

/**
 * Removes all products from the results except the first one of each group. Other entries and pinned products are never
 * removed.
 */
export function collapseResults(results: SortedResults, q: string, context: SearchContext): SortedResults {
  const isRepeated = createDuplicateCheck(q, context);
  let completeCount = 0;
  const numbers = results.numbers.filter((number, index) => {
    if (isRepeated(number)) return false;
    if (index < results.completeCount) completeCount += 1;
    return true;
  });
  return { numbers, completeCount };
}

/**
 * Returns a function that reports whether it was already called with another product of the same group. The result for
 * a pinned product is always false.
 */
function createDuplicateCheck(q: string, context: SearchContext): (number: number) => boolean {
  const facets = context.catalog.facets();
  const pinnedIds = findPinnedNumbers(q, context);
  const seenGroups = new Set<number>();
  return (number) => {
    const group = facets.groupOf(number);
    if (group === 0) return false;
    const isGroupSeen = seenGroups.has(group);
    seenGroups.add(group);
    return isGroupSeen && !pinnedIds.has(number);
  };
}

function findPinnedNumbers(q: string, { catalog, rules, locale }: SearchContext): ReadonlySet<number | undefined> {
  return new Set(rules?.getRulesForQuery(q, locale).pins.map((handle) => catalog.productNumber(handle)));
}

/**
 * Returns the document numbers of the products in the group of a product, in catalog order. Products that rules hide
 * for the query are left out.
 */
function listGroupMembers(number: number, q: string, context: SearchContext): readonly number[] {
  const facets = context.catalog.facets();
  const group = facets.groupOf(number);
  if (group === 0) return [number];
  const hiddenProducts = findHiddenNumbers(q, context);
  return facets.listGroupProducts(group).filter((member) => !hiddenProducts.has(member));
}

/**
 * Returns how many other products are in the same group as a product. Products that do not match `restriction` are not
 * counted.
 */
export function countOtherMembers(
  number: number,
  { q, restriction = emptySelection }: { readonly q: string; readonly restriction?: FilterSelection | undefined },
  searchContext: SearchContext,
): number {
  const members = listGroupMembers(number, q, searchContext);
  const countOtherNumbers = (numbers: Iterable<number>): number =>
    [...numbers].filter((member) => member !== number).length;
  if (!hasSelection(restriction)) return countOtherNumbers(members);
  const list = { key: `group ${members}`, numbers: () => Uint32Array.from(members) };
  return countOtherNumbers(searchContext.catalog.facets().filter(list, restriction).list.numbers());
}

/**
 * Returns whether a search shows only one product per group. A search by fields, or within one group, always lists
 * every product.
 */
export function shouldCollapseGroups(
  { q, group }: Pick<GroupSearch, "q" | "group">,
  { collapse }: SearchContext,
): boolean {
  return collapse === true && group === undefined && parseFieldQuery(q) === undefined;
}

/** Parameter of the results page that selects the group of a product. Its value is the handle of any product in it. */
export const groupParam = "filter.p.group";

/** Returns the URL of the results page with all products in the group of a product. */
export function formatGroupUrl(q: string, handle: string, prefix: string): string {
  const query = new URLSearchParams([
    ["q", q],
    [groupParam, handle],
  ]);
  return `${prefix}/search?${query}`;
}
