import { interleaveProducts } from "../predictive-search/interleaved-hits.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";
import type { Preference, SearchClick, TestedRules } from "./signals.ts";

/**
 * Finds out which version of the search rules, live or draft, contributed a product to the interleaved results. Returns
 * undefined for clicks, and for products that are not among these results.
 */
export function findPreference(
  { search: { q, locale }, product, action, arm: testGroup, address, at: time }: SearchClick,
  searchContext: Omit<SearchContext, "locale">,
  { id, index, rules }: TestedRules,
): Preference | undefined {
  if (action === "clicked") return undefined;
  const number = searchContext.catalog.productNumber(product);
  if (number === undefined) return undefined;
  const context = { ...searchContext, locale, testedRules: { index, rules, arm: testGroup } };
  const interleavedProducts = interleaveProducts({ q, unavailableProducts: "last" }, context);
  if (!interleavedProducts?.numbers.includes(number)) return undefined;
  return {
    test: id,
    action,
    side: interleavedProducts.draftProducts.has(number) ? "draft" : "live",
    address,
    at: time,
  };
}
