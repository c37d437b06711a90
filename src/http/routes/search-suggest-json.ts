import type { PredictiveSearchResult } from "../../predictive-search/predictive-search.ts";
import { predictiveSearch } from "../../predictive-search/predictive-search.ts";
import { parseSuggestParams, type SuggestParams } from "../../predictive-search/suggest-params.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { type AnswerCache, cacheable, conditional } from "../answer-cache.ts";
import { noteSearch } from "../feedback.ts";
import { suggestJson } from "../json/suggest-json.ts";
import { json, type Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";

/** `GET /search/suggest.json`. The answer depends on path and query alone, and sets no cookie. @see spec 4.1 */
export async function searchSuggestJson(
  shop: Pick<Shop, "config" | "snapshot" | "searchRules" | "feedback" | "metrics">,
  cache: AnswerCache,
  request: StoreRequest,
): Promise<Reply> {
  const params = parseSuggestParams(request.query);
  const snapshot = shop.snapshot();
  const name = JSON.stringify(["json", shop.searchRules().revision, request.locale, params]);
  const reply = await cache.answer(snapshot, name, request.now, async () => {
    request.admit();
    const { catalog } = snapshot;
    const result = suggest(shop, snapshot, params, request, "json");
    return {
      reply: cacheable(
        json(200, suggestJson(result, { catalog, locale: request.locale, locales: shop.config.locales })),
      ),
      keep: true,
    };
  });
  noteSearch(shop, request, { q: params.q, source: "suggestions" });
  return conditional(request, reply);
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
