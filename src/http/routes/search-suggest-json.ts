import type { PredictiveSearchResult } from "../../predictive-search/predictive-search.ts";
import { predictiveSearch } from "../../predictive-search/predictive-search.ts";
import { parseSuggestParams, type SuggestParams } from "../../predictive-search/suggest-params.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { cacheable, given } from "../answer-cache.ts";
import { noteSearch } from "../feedback.ts";
import { suggestJson } from "../json/suggest-json.ts";
import { json, type Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";

/** `GET /search/suggest.json`. The answer depends on path and query alone, and sets no cookie. @see spec 4.1 */
export function searchSuggestJson(
  shop: Pick<Shop, "config" | "snapshot" | "searchRules" | "feedback" | "metrics">,
  request: StoreRequest,
): Reply {
  const params = parseSuggestParams(request.query);
  const snapshot = shop.snapshot();
  request.admit();
  const { revision } = shop.searchRules();
  const result = suggest(shop, snapshot, params, request, "json");
  const { catalog } = snapshot;
  const shown = suggestJson(result, { catalog, locale: request.locale, locales: shop.config.locales });
  const reply = cacheable(json(200, shown));
  return givenAgain(shop, request, reply, {
    q: params.q,
    snapshot,
    isCurrent: () => shop.searchRules().revision === revision,
  });
}

/** An answer to what is typed: counted and noted each time that it is given. */
export function givenAgain(
  shop: Pick<Shop, "feedback" | "metrics">,
  request: StoreRequest,
  reply: Reply,
  { q, snapshot, isCurrent }: { readonly q: string; readonly snapshot: Snapshot; readonly isCurrent: () => boolean },
): Reply {
  const note = (other: StoreRequest): void => noteSearch(shop, other, { q, source: "suggestions" });
  const onAgain = (other: StoreRequest): void => {
    shop.metrics?.answerSought(true);
    note(other);
  };
  shop.metrics?.answerSought(false);
  note(request);
  return given(request, reply, snapshot, { isCurrent, onAgain });
}

/** What the shopper sees while typing, in the request's language. */
export function suggest(
  { config, searchRules, metrics }: Pick<Shop, "config" | "searchRules" | "metrics">,
  { catalog, index }: Snapshot,
  params: SuggestParams,
  { locale, now }: Pick<StoreRequest, "locale" | "now">,
  source: "json" | "section",
): PredictiveSearchResult {
  const start = performance.now();
  const { typoTolerance } = config.search;
  const found = predictiveSearch(params, { catalog, index, locale, now, typoTolerance, rules: searchRules() });
  const { products, collections, pages, articles, bundles } = found;
  const hits = products.length + collections.length + pages.length + articles.length + bundles.length;
  metrics?.searched(source, hits, performance.now() - start);
  return found;
}
