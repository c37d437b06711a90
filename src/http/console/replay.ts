import { deriveSearches } from "../../console/built-searches.ts";
import type { Preview } from "../../console/console.ts";
import { type FirstResults, type ReplayChange, type ReplayedSearch, replay } from "../../console/replay.ts";
import { entriesOf } from "../../predictive-search/predictive-search.ts";
import { type RequestLimit, withSlot } from "../with-slot.ts";
import { type ConsolePage, type ConsoleShop, type ConsoleVisit, count } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";
import { draftForms } from "./rules.ts";

/** Maximum number of replayed searches. */
const MAX_SEARCHES = 10_000;
/** Minimum number of replayed searches. If shoppers made fewer, queries from the catalog are added. */
const MIN_SEARCHES = 100;
const DAYS = 7;

/**
 * Handles `POST /admin/rules/replay`: compares last week's searches with the draft rules and with the current rules.
 */
export async function replayDraft(shop: ConsoleShop, limit: RequestLimit, visit: ConsoleVisit): Promise<ConsolePage> {
  const [draft, live] = await Promise.all([shop.console.drafts.readDraft(), shop.console.drafts.readPublished()]);
  if (!draft.hasDraft)
    return {
      title: "Preview changes",
      body: markup`<p>There is no draft.</p><p><a href="/admin/rules">Back to search rules</a></p>`,
    };
  const after = shop.console.preview(draft.texts);
  const before = { snapshot: shop.snapshot(), rules: shop.snapshot().rules };
  const { typoTolerance } = shop.config.search;
  const contextOf = ({ snapshot: { catalog, index }, rules }: Preview) => {
    return { catalog, index, rules, now: visit.request.now, typoTolerance };
  };
  const hasSameSynonyms = draft.texts.synonyms === live.texts.synonyms;
  const { searches, ofShoppers } = await searchesOf(shop, before);
  const { changes, changed, ms, ...report } = await withSlot(limit, "console", () =>
    replay(searches, contextOf(before), contextOf(after), {
      hasSameSynonyms,
      endSlice: () => shop.process.scheduler.yield("background"),
    }),
  );
  const fromCatalog = report.searches - ofShoppers;
  const origins = `${count(ofShoppers)} by shoppers in the last week${fromCatalog > 0 ? `, ${count(fromCatalog)} from the catalog` : ""}`;
  const note =
    changed > changes.length && markup`<p class="muted">The ${changes.length} most frequent searches are shown.</p>`;
  const list = changes.map((change) => difference(change, before, after));
  return {
    title: "Preview changes",
    body: markup`<p role="status">${count(report.searches)} searches were compared in ${(ms / 1_000).toFixed(1)} seconds (${origins}). <b>${count(changed)}</b> ${changed === 1 ? "has" : "have"} different top results.</p>
${draftForms(visit, draft.revision)}${note}
${list.length > 0 && markup`<table class="differences"><thead><tr><th scope="col">Search</th><th scope="col">Current</th><th scope="col">Draft</th></tr></thead><tbody>${list}</tbody></table>`}
<p><a href="/admin/rules">Back to search rules</a></p>`,
  };
}

/** Returns the queries to replay.  @returns `own` are the queries of shoppers */
async function searchesOf(
  shop: ConsoleShop,
  { snapshot }: Preview,
): Promise<{ readonly searches: Iterable<ReplayedSearch>; readonly ofShoppers: number }> {
  const { rows } = await shop.console.reports.reportSearches({ days: DAYS, by: "searched", limit: MAX_SEARCHES });
  const made = rows.map(({ term, locale, searched }) => ({ q: term, locale, searched }));
  if (made.length >= MIN_SEARCHES) return { searches: made, ofShoppers: made.length };
  const { locales } = shop.config;
  const built = deriveSearches(
    snapshot.catalog,
    [locales.default, ...locales.others],
    MAX_SEARCHES - made.length,
    made,
  );
  return { searches: joined(made, built), ofShoppers: made.length };
}

function* joined<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}

function difference({ q, locale, searched, before, after }: ReplayChange, now: Preview, then: Preview): Markup {
  const shoppers =
    searched > 0 &&
    markup`<br><small class="muted">${count(searched)} ${searched === 1 ? "shopper" : "shoppers"}</small>`;
  return markup`<tr><th scope="row"><a href="/admin/try?q=${encodeURIComponent(q)}&amp;locale=${locale}&amp;rules=draft" lang="${locale}">${q}</a>${shoppers}</th><td>${shownResults(before, now, locale)}</td><td>${shownResults(after, then, locale, before)}</td></tr>`;
}

/**
 * Renders a list of results.  @param other results to compare with: results that are not among them are marked as new
 */
function shownResults(
  { products, redirect }: FirstResults,
  { snapshot }: Preview,
  locale: string,
  other?: FirstResults,
): Markup {
  const sent = redirect !== undefined && markup`<p>Redirects to ${redirect}</p>`;
  const titles = products.map((externalId) => {
    const [entry] = entriesOf([{ externalId }], { catalog: snapshot.catalog, locale });
    const isNew = other !== undefined && !other.products.includes(externalId);
    return markup`<li lang="${locale}">${isNew ? markup`<ins>${entry?.title}</ins>` : entry?.title}</li>`;
  });
  return markup`${sent}${titles.length > 0 ? markup`<ol>${titles}</ol>` : markup`<p class="muted">No results</p>`}`;
}
