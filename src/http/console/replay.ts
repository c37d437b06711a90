import type { RulesPreview } from "../../console/console.ts";
import { deriveSearches } from "../../console/derive-searches.ts";
import { type ChangedSearch, type ReplayedSearch, replaySearches, type TopResults } from "../../console/replay.ts";
import { entriesOf } from "../../predictive-search/predictive-search.ts";
import { type RequestLimit, runInJobSlot } from "../with-slot.ts";
import type { ConsolePage, ConsoleServices, ConsoleVisit } from "./console-page.ts";
import { type ConsoleTexts, resultFocus } from "./console-texts.ts";
import { type Markup, markup } from "./markup.ts";
import { readRules, renderDraftForms } from "./rules.ts";

/** Maximum number of searches to run again. */
const MAX_SEARCHES = 10_000;
/** Minimum number of searches to run again. If shoppers made fewer, searches are derived from the catalog. */
const MIN_SEARCHES = 100;
const REPLAY_DAYS = 7;
/** Maximum milliseconds of a replay. The server closes connections that wait 20 seconds for a response. */
const MAX_DURATION_MS = 10_000;

/**
 * Handles `POST /admin/rules/replay`: runs last week's searches with the draft rules and with the published rules, and
 * shows the differences.
 */
export async function replayDraft(
  shop: ConsoleServices,
  limit: RequestLimit,
  visit: ConsoleVisit,
): Promise<ConsolePage> {
  const { texts } = visit;
  const [draft, liveRules] = await readRules(shop);
  if (!draft.hasDraft)
    return {
      title: texts.get("rules.preview"),
      body: markup`<p role="status"${resultFocus}>${texts.get("rules.noDraft")}</p>${renderBackLink(texts)}`,
    };
  const draftPreview = shop.console.preview(draft.texts);
  const livePreview = { snapshot: shop.snapshot(), rules: shop.snapshot().rules };
  const { typoTolerance } = shop.config.search;
  const createContext = ({ snapshot: { catalog, index }, rules }: RulesPreview) => {
    return { catalog, index, rules, now: visit.request.now, typoTolerance };
  };
  const hasSameSynonyms = draft.texts.synonyms === liveRules.texts.synonyms;
  const { searches, shopperCount } = await readSearches(shop, livePreview);
  const { changes, changedCount, durationMs, ...report } = await runInJobSlot(limit, "console", () =>
    replaySearches(searches, createContext(livePreview), createContext(draftPreview), {
      hasSameSynonyms,
      yieldTurn: () => shop.process.scheduler.yield("background"),
      maxDurationMs: MAX_DURATION_MS,
    }),
  );
  const catalogSearchCount = report.searchCount - shopperCount;
  const origin = [
    texts.get("replay.byShoppers", { count: shopperCount }),
    ...(catalogSearchCount > 0 ? [texts.get("replay.fromCatalog", { count: catalogSearchCount })] : []),
  ].join(", ");
  const seconds = texts.formatNumber(durationMs / 1_000, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const note =
    changedCount > changes.length &&
    markup`<p class="muted">${texts.get("replay.mostFrequent", { count: changes.length })}</p>`;
  const list = changes.map((change) => renderDifference(texts, change, livePreview, draftPreview));
  return {
    title: texts.get("rules.preview"),
    body: markup`<p role="status"${resultFocus}>${texts.get("replay.compared", { count: report.searchCount, seconds, origin })} <b>${texts.get("replay.changed", { count: changedCount })}</b></p>
${renderDraftForms(visit, draft.revision)}${note}
${list.length > 0 && markup`<table class="differences"><thead><tr><th scope="col">${texts.get("labels.search")}</th><th scope="col">${texts.get("replay.current")}</th><th scope="col">${texts.get("labels.draft")}</th></tr></thead><tbody>${list}</tbody></table>`}
${renderBackLink(texts)}`,
  };
}

function renderBackLink(texts: ConsoleTexts): Markup {
  return markup`<p><a href="/admin/rules">${texts.get("nav.rules")}</a></p>`;
}

/** Returns the searches to run again, and how many of them shoppers made. The others are derived from the catalog. */
async function readSearches(
  shop: ConsoleServices,
  { snapshot }: RulesPreview,
): Promise<{ readonly searches: Iterable<ReplayedSearch>; readonly shopperCount: number }> {
  const { rows } = await shop.console.reports.reportSearches({
    days: REPLAY_DAYS,
    sortBy: "searched",
    limit: MAX_SEARCHES,
  });
  const shopperSearches = rows.map(({ term, locale, searchCount }) => ({ q: term, locale, searchCount }));
  if (shopperSearches.length >= MIN_SEARCHES)
    return { searches: shopperSearches, shopperCount: shopperSearches.length };
  const { locales } = shop.config;
  const catalogSearches = deriveSearches(
    snapshot.catalog,
    [locales.default, ...locales.others],
    MAX_SEARCHES - shopperSearches.length,
    shopperSearches,
  );
  return { searches: concatenateLists(shopperSearches, catalogSearches), shopperCount: shopperSearches.length };
}

function* concatenateLists<T>(...iterables: readonly Iterable<T>[]): Generator<T> {
  for (const list of iterables) yield* list;
}

function renderDifference(
  texts: ConsoleTexts,
  { q, locale, searchCount, oldResults, newResults }: ChangedSearch,
  livePreview: RulesPreview,
  draftPreview: RulesPreview,
): Markup {
  const shoppers =
    searchCount > 0 && markup`<br><small class="muted">${texts.get("labels.shoppers", { count: searchCount })}</small>`;
  return markup`<tr><th scope="row"><a href="/admin/try?q=${encodeURIComponent(q)}&amp;locale=${locale}&amp;rules=draft" lang="${locale}">${q}</a>${shoppers}</th><td>${renderResults(texts, oldResults, livePreview, locale)}</td><td>${renderResults(texts, newResults, draftPreview, locale, oldResults)}</td></tr>`;
}

/**
 * Renders a list of search results.
 * @param liveResults results to compare with; results that it does not contain are marked as new
 */
function renderResults(
  texts: ConsoleTexts,
  { products, redirect }: TopResults,
  { snapshot }: RulesPreview,
  locale: string,
  liveResults?: TopResults,
): Markup {
  const redirectNote =
    redirect !== undefined &&
    markup`<p>${texts.render("replay.redirects", { path: markup`<bdi>${redirect}</bdi>` })}</p>`;
  const titles = products.map((externalId) => {
    const [entry] = entriesOf([{ externalId }], { catalog: snapshot.catalog, locale });
    const isNew = liveResults !== undefined && !liveResults.products.includes(externalId);
    return markup`<li lang="${locale}">${isNew ? markup`<ins>${entry?.title}</ins>` : entry?.title}</li>`;
  });
  return markup`${redirectNote}${titles.length > 0 ? markup`<ol>${titles}</ol>` : markup`<p class="muted">${texts.get("reports.noResults")}</p>`}`;
}
