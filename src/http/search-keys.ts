import { type FilterSelection, hasSelection, parseFilters } from "../catalog/facets/filter-selection.ts";
import { Problem } from "../problem.ts";
import { readSearchKeyFilters } from "../security/search-key.ts";
import type { Shop } from "../shop.ts";
import type { StoreRequest } from "./wire/request.ts";

/** Query parameter with the search key, which a front end on another origin sends. */
const KEY_PARAMETER = "key";

/**
 * Verifies the search key in a request, and returns the filters that the key imposes on all results. Returns undefined
 * without a key, or if the shop allows no other origins.
 * @throws Problem `unauthorized` if the key is invalid or has expired
 */
export function readKeyFilters(
  { config, keys }: Pick<Shop, "config" | "keys">,
  { query, now }: Pick<StoreRequest, "query" | "now">,
): FilterSelection | undefined {
  const key = query.get(KEY_PARAMETER);
  if (key === null || config.search.origins.length === 0) return undefined;
  const filters = readSearchKeyFilters(keys, key, now);
  if (filters === undefined) throw new Problem("unauthorized", "The search key is invalid or has expired.");
  return parseFilters(new URLSearchParams(filters), config.currency);
}

/**
 * Checks the search key of a request for suggestions, which cannot be filtered.
 * @throws Problem `unauthorized`, or `invalid_parameter` if the key has filters
 */
export function checkSuggestKey(shop: Pick<Shop, "config" | "keys">, request: StoreRequest): void {
  const filters = readKeyFilters(shop, request);
  if (filters !== undefined && hasSelection(filters))
    throw new Problem("invalid_parameter", "Suggestions do not support a key with filters. Use /search.json.");
}
