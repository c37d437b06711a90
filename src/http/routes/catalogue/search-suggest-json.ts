import { type PredictiveSearchHits, predictiveHits } from "../../../predictive-search/predictive-search.ts";
import { parseSuggestParams, type SuggestParams } from "../../../predictive-search/suggest-params.ts";
import type { Shop } from "../../../shop.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import { cacheable, given } from "../../answer-cache.ts";
import { noteSearch } from "../../feedback.ts";
import type { SuggestTexts } from "../../json/suggest-text.ts";
import { json, type Reply } from "../../wire/reply.ts";
import { localePrefix, localizedPath, type StoreRequest } from "../../wire/request.ts";

/** `GET /search/suggest.json`. The answer depends on path and query alone, and sets no cookie. @see spec 4.1 */
export function searchSuggestJson(
  shop: Pick<Shop, "config" | "snapshot" | "searchRules" | "feedback" | "searchSteps" | "searchTimes" | "metrics">,
  texts: SuggestTexts,
  request: StoreRequest,
): Reply {
  const params = parseSuggestParams(request.query);
  request.admit();
  const snapshot = shop.snapshot();
  const { revision } = shop.searchRules();
  const { redirect, isFound, ...found } = suggest(shop, snapshot, params, request, "json");
  const { locale } = request;
  const { locales } = shop.config;
  const view = { catalog: snapshot.catalog, locale, prefix: localePrefix(locale, locales) };
  const elsewhere = redirect === undefined ? undefined : localizedPath(redirect, locale, locales);
  const { body, tag } = texts.of(found, view, elsewhere);
  const reply = cacheable({ ...json(200, {}), body, isOfAnyHost: true }, tag);
  const isCurrent = (): boolean => shop.searchRules().revision === revision;
  return givenAgain(shop, request, reply, { q: params.q, isFound, snapshot, isCurrent });
}

/** An answer to what is typed: counted and noted each time that it is given. */
export function givenAgain(
  shop: Pick<Shop, "feedback" | "searchSteps" | "metrics">,
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
    readonly snapshot: Snapshot;
    readonly isCurrent: () => boolean;
  },
): Reply {
  const answered = { q, source: "suggestions", isFound } as const;
  const note = (other: StoreRequest): void => noteSearch(shop, other, answered);
  const onAgain = (other: StoreRequest): void => {
    shop.metrics?.answerSought(true);
    note(other);
  };
  shop.metrics?.answerSought(false);
  note(request);
  return given(request, reply, snapshot, { isCurrent, onAgain, whenAskedAgain: true });
}

/** What the shopper sees while typing, by numbers. */
export function suggest(
  { config, searchRules, searchTimes, metrics }: Pick<Shop, "config" | "searchRules" | "searchTimes" | "metrics">,
  { catalog, index }: Snapshot,
  params: SuggestParams,
  { locale, now }: Pick<StoreRequest, "locale" | "now">,
  source: "json" | "section",
): PredictiveSearchHits {
  const start = performance.now();
  const { typoTolerance } = config.search;
  const found = predictiveHits(params, { catalog, index, locale, now, typoTolerance, rules: searchRules() });
  const hits = Object.values(found.hits).reduce((sum, some) => sum + some.length, 0);
  const took = performance.now() - start;
  searchTimes.add(took);
  metrics?.searched(source, hits, took);
  return found;
}
