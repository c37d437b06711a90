import { emptySelection } from "../../../catalog/facets/filter-selection.ts";
import { findInterleavedHits } from "../../../predictive-search/interleaved-hits.ts";
import type { PredictiveSearchHits } from "../../../predictive-search/predictive-search.ts";
import type { SearchContext } from "../../../predictive-search/search-context.ts";
import { findFilteredList } from "../../../predictive-search/search-page.ts";
import { parseSuggestParams, type SuggestParams } from "../../../predictive-search/suggest-params.ts";
import type { Shop } from "../../../shop.ts";
import type { ShopSnapshot } from "../../../snapshot/snapshot.ts";
import { formatFacets } from "../../json/facets-json.ts";
import { createResultFields, type SuggestSerializer } from "../../json/suggest-text.ts";
import { addCachePolicy, toCacheableReply, watchTheme } from "../../response-cache.ts";
import { checkSuggestKey } from "../../search-keys.ts";
import { getTestedRules } from "../../tested-rules.ts";
import { trackSearch } from "../../track.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, localizePath, type StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /search/suggest.json`. All visitors get the same response, unless a draft of the search rules is tested.
 * No cookie is set.
 * @see spec 4.1
 */
export function serveSuggestJson(
  shop: Pick<Shop, "config" | "keys" | "snapshot" | "theme" | "signals" | "process">,
  texts: SuggestSerializer,
  request: StoreRequest,
): Reply {
  checkSuggestKey(shop, request);
  const params = parseSuggestParams(request.query);
  const snapshot = shop.snapshot();
  const isCurrent = params.facets ? watchTheme(shop) : () => true;
  const { locale } = request;
  const { locales, currency } = shop.config;
  const search = { q: params.q, at: createSearchContext(shop, snapshot, request) };
  const testedRules = getTestedRules(snapshot, request, request.now);
  const { redirect, isFound, ...results } = suggest(shop, params, { ...search.at, ...testedRules }, "json");
  const view = { catalog: snapshot.catalog, locale, prefix: formatLocalePrefix(locale, locales) };
  const redirectUrl = redirect === undefined ? undefined : localizePath(redirect, locale, locales);
  let facets: readonly object[] | undefined;
  if (params.facets) {
    // Filter counts include all products that match the query, not only the suggested products.
    const facetCountParams = { ...params, types: ["product"] as const, page: 1, perPage: 1 };
    const names = shop.theme.facetNames(locale);
    const facetResult = findFilteredList(facetCountParams, search.at);
    facets = formatFacets(facetResult, emptySelection, { catalog: snapshot.catalog, locale, currency, names });
  }
  const { body, tag } = texts.serialize(results, view, {
    redirectUrl,
    facets,
    resultFields: createResultFields(search, view.prefix),
  });
  const reply = toCacheableReply({ ...createJsonReply(200, {}), body, isHostIndependent: true }, tag);
  return getCachedSuggestions(shop, request, reply, { q: params.q, isFound, snapshot, isCurrent });
}

/**
 * Allows the response cache to reuse a response with search suggestions. Each request is counted and tracked, even if
 * its response comes from the cache.
 */
export function getCachedSuggestions(
  shop: Pick<Shop, "signals" | "process">,
  request: StoreRequest,
  reply: Reply,
  {
    q,
    isFound,
    snapshot,
    isCurrent,
  }: {
    readonly q: string;
    readonly isFound: boolean;
    readonly snapshot: ShopSnapshot;
    readonly isCurrent: () => boolean;
  },
): Reply {
  const trackedSearch = { kind: "typed", q, isFound } as const;
  const trackQuery = (nextRequest: StoreRequest): void => trackSearch(shop, nextRequest, trackedSearch);
  const onReuse = (nextRequest: StoreRequest): void => {
    shop.process.metrics?.recordCacheLookup(true);
    trackQuery(nextRequest);
  };
  shop.process.metrics?.recordCacheLookup(false);
  trackQuery(request);
  return addCachePolicy(request, reply, snapshot, { isCurrent, onReuse, isRarelyRepeated: true });
}

/** Finds the suggestions for a query. Returns the internal numbers of their catalog entries. */
export function suggest(
  shop: Pick<Shop, "process">,
  params: SuggestParams,
  context: SearchContext,
  source: "json" | "section",
): PredictiveSearchHits {
  const start = performance.now();
  const results = findInterleavedHits(params, context);
  const hitCount = Object.values(results.hits).reduce((sum, entries) => sum + entries.length, 0);
  const durationMs = performance.now() - start;
  shop.process.searchTimes.add(durationMs);
  shop.process.metrics?.recordSearch(source, hitCount, durationMs);
  return results;
}

/** Returns the catalog, index, language, and settings for a search in this request. */
export function createSearchContext(
  { config }: Pick<Shop, "config">,
  { catalog, index, rules }: ShopSnapshot,
  { locale, now }: Pick<StoreRequest, "locale" | "now">,
): SearchContext {
  const { typoTolerance, collapse } = config.search;
  return { catalog, index, locale, now, typoTolerance, collapse, rules };
}
