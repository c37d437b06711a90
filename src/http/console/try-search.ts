import type { Explanation, ExplanationPart } from "@vitrine/search";
import { type Entry, entryKinds } from "../../catalog/catalog.ts";
import { compareRanks, computeScore, hasScore } from "../../predictive-search/compare-ranks.ts";
import { findSuggestionHits } from "../../predictive-search/field-hits.ts";
import { createQuery, entriesOf } from "../../predictive-search/predictive-search.ts";
import { type AppliedRules, findAppliedRules, formatPhrases } from "../../predictive-search/rules/applied-rules.ts";
import type { RankingFactor } from "../../predictive-search/rules/parse-search-rules.ts";
import type { SearchContext } from "../../predictive-search/search-context.ts";
import { resourceTypes, type SuggestParams } from "../../predictive-search/suggest-params.ts";
import { addImageSize } from "../../theme/filters/images/image-url.ts";
import { type BarSegment, renderStackedBar } from "./charts.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, limitFieldText } from "./console-page.ts";
import { type ConsoleTexts, entryKindNames } from "./console-texts.ts";
import { type Markup, markup, renderOptions, renderSelect } from "./markup.ts";

/** Renders `GET /admin/try`: a test search that explains the rank of each result. */
export async function trySearch(shop: ConsoleServices, { request, texts }: ConsoleVisit): Promise<ConsolePage> {
  const { query } = request;
  const q = limitFieldText(query.get("q"), MAX_QUERY_LENGTH);
  const { locales } = shop.config;
  const localeCodes = [locales.default, ...locales.others];
  const locale = localeCodes.find((item) => item === query.get("locale")) ?? locales.default;
  const draft = shop.console.readFolderRules() === undefined ? await shop.console.drafts.readDraftRules() : undefined;
  const usesDraft = draft?.hasDraft === true && query.get("rules") === "draft";
  const form = markup`<form action="/admin/try" class="panel row" id="try" role="search">
<div class="grow"><label for="q">${texts.get("try.query")}</label><input id="q" name="q" type="search" value="${q}" maxlength="${MAX_QUERY_LENGTH}" autocomplete="off"></div>
${
  localeCodes.length > 1 &&
  renderSelect(
    "locale",
    texts.get("labels.language"),
    renderOptions(
      localeCodes.map((item) => [item, item]),
      locale,
    ),
  )
}
${
  draft?.hasDraft &&
  renderSelect(
    "rules",
    texts.get("try.rules"),
    renderOptions(
      [
        ["live", texts.get("labels.published")],
        ["draft", texts.get("labels.draft")],
      ],
      usesDraft ? "draft" : "live",
    ),
  )
}
<button>${texts.get("actions.search")}</button></form>`;
  if (q === "")
    return renderPage(texts, markup`${form}<div id="results"><p class="muted">${texts.get("try.hint")}</p></div>`);
  const { typoTolerance, synonyms } = shop.config.search;
  const rulesPreview = usesDraft
    ? shop.console.preview(draft.texts)
    : { snapshot: shop.snapshot(), rules: shop.snapshot().rules };
  const { catalog, index } = rulesPreview.snapshot;
  const context: SearchContext = { catalog, index, locale, now: request.now, typoTolerance, rules: rulesPreview.rules };
  const rules = renderAppliedRules(texts, findAppliedRules(q, context, synonyms));
  const results = renderResults(shop, texts, q, context);
  return renderPage(texts, markup`${form}<div id="results">${rules}${results}</div>`);
}

function renderPage(texts: ConsoleTexts, body: Markup): ConsolePage {
  return { title: texts.get("nav.try"), body };
}

/** Maximum length of a query, in characters. */
const MAX_QUERY_LENGTH = 256;
/** Maximum number of results with an explanation. */
const MAX_EXPLAINED_RESULTS = 10;

function renderResults(shop: ConsoleServices, texts: ConsoleTexts, q: string, context: SearchContext): Markup {
  const params: SuggestParams = {
    q,
    types: resourceTypes,
    limit: MAX_EXPLAINED_RESULTS,
    limitScope: "each",
    unavailableProducts: "last",
  };
  const { queries, hits } = findSuggestionHits(params, context);
  const query = createQuery(params, context);
  const pinnedHandles = new Set(context.rules?.getRulesForQuery(q, context.locale).pins);
  const rankedEntries = entryKinds.flatMap((type) =>
    hits[type].flatMap(({ externalId }) =>
      entriesOf([{ externalId }], context).map((entry): RankedEntry => {
        const isPinned = entry.kind === "product" && pinnedHandles.has(entry.handle);
        return { entry, isPinned, explanation: context.index.explain(query, externalId) };
      }),
    ),
  );
  const maxScore = Math.max(
    ...rankedEntries.map(({ explanation }) =>
      listPositiveParts(texts, explanation).reduce((sum, { value }) => sum + value, 0),
    ),
  );
  const kinds = Map.groupBy(rankedEntries, ({ entry }) => entry.kind);
  const lists = [...kinds].map(
    ([kind, entries]) =>
      markup`<section><h2>${texts.get(entryKindNames[kind])}</h2><ol class="results">${entries.map((item, n) => renderResult(shop, texts, item, entries[n - 1], maxScore, context))}</ol></section>`,
  );
  const completionLinks = queries.map(({ text }, n) => [
    n > 0 && ", ",
    markup`<a href="/admin/try?q=${encodeURIComponent(text)}&amp;locale=${context.locale}" lang="${context.locale}">${text}</a>`,
  ]);
  const completions =
    queries.length > 0 && markup`<p>${texts.render("try.suggestions", { list: completionLinks })}</p>`;
  const heading =
    rankedEntries.length === 0
      ? texts.get("try.noResults", { query: q })
      : texts.get("try.results", { count: rankedEntries.length, query: q });
  return markup`<p role="status">${heading}</p>${completions}${lists}`;
}

interface RankedEntry {
  readonly entry: Entry;
  readonly isPinned: boolean;
  readonly explanation: Explanation | undefined;
}

function renderResult(
  { config }: ConsoleServices,
  texts: ConsoleTexts,
  { entry, isPinned, explanation }: RankedEntry,
  betterEntry: RankedEntry | undefined,
  maximum: number,
  context: SearchContext,
): Markup {
  const image = entry.kind === "product" ? entry.images[0] : undefined;
  const thumbnail =
    image && markup`<img src="${addImageSize(image.src, { width: 96 })}" alt="" width="48" height="48" loading="lazy">`;
  const lowestPrice = entry.kind === "product" ? Math.min(...entry.variants.map(({ price }) => price)) : undefined;
  const price =
    lowestPrice !== undefined && markup`<span class="muted">${texts.formatMoney(lowestPrice, config.currency)}</span>`;
  const title =
    entry.kind === "product"
      ? markup`<a href="/admin/products/${encodeURIComponent(entry.handle)}"><bdi>${entry.title}</bdi></a>`
      : markup`<bdi>${entry.title}</bdi>`;
  const parts = explanation?.parts ?? [];
  const lines = parts.flatMap((part, n) =>
    !hasScore(part)
      ? []
      : markup`<tr><td><span class="key part${choosePaletteIndex(part, n)}"></span>${translateReason(texts, part.reason)}</td><td class="number">${formatPoints(texts, part.score)}</td></tr>`,
  );
  const groups = parts.flatMap(({ kind, reason }) =>
    kind === "group" ? markup`<small>${translateReason(texts, reason)}</small> ` : [],
  );
  const scoreDetails =
    explanation === undefined
      ? markup`<p class="muted">${texts.get("try.pinnedOnly")}</p>`
      : markup`${renderStackedBar(listPositiveParts(texts, explanation), maximum)}${groups}<details><summary>${texts.get("try.points", { points: formatPoints(texts, computeScore(explanation)) })}</summary><table><thead><tr><th scope="col">${texts.get("try.part")}</th><th scope="col" class="number">${texts.get("labels.points")}</th></tr></thead><tbody>${lines}</tbody></table></details>${renderComparison(texts, explanation, betterEntry)}`;
  return markup`<li class="result">${thumbnail}<div class="grow"><p class="result__title"><b lang="${context.locale}">${title}</b> ${price} ${isPinned && markup`<span class="badge">${texts.get("try.pinned")}</span>`}</p>${scoreDetails}</div></li>`;
}

/** Renders an explanation of why a search result ranks below the previous result. */
function renderComparison(
  texts: ConsoleTexts,
  explanation: Explanation,
  higherEntry: RankedEntry | undefined,
): Markup | false {
  if (higherEntry?.explanation === undefined || higherEntry.isPinned) return false;
  const { summary, differences } = compareRanks(higherEntry.explanation, explanation);
  const maximum = Math.max(...differences.map(({ points }) => Math.abs(points)));
  const rows = differences.map(({ points, betterReason: betterReasonText, other }) => {
    const bar = renderStackedBar(
      [{ label: texts.get("try.difference"), value: Math.abs(points), color: points > 0 ? 3 : 2 }],
      maximum,
    );
    return markup`<tr><td>${translateReason(texts, betterReasonText ?? "–")}</td><td>${translateReason(texts, other ?? "–")}</td><td class="number">${formatPoints(texts, points, "exceptZero")}${bar}</td></tr>`;
  });
  const table =
    rows.length > 0 &&
    markup`<table><thead><tr><th scope="col">${higherEntry.entry.title}</th><th scope="col">${texts.get("try.thisResult")}</th><th scope="col" class="number">${texts.get("try.difference")}</th></tr></thead><tbody>${rows}</tbody></table>`;
  return markup`<details><summary>${texts.render("try.why", { title: markup`<bdi>${higherEntry.entry.title}</bdi>` })}</summary><p>${translateReason(texts, summary)}</p>${table}</details>`;
}

/** Translates a reason for a score, which may consist of several parts. */
function translateReason(texts: ConsoleTexts, reason: string): string {
  return reason
    .split("; ")
    .map((part) => texts.translate(part) ?? part)
    .join("; ");
}

function formatPoints(texts: ConsoleTexts, points: number, signDisplay: "auto" | "exceptZero" = "auto"): string {
  return texts.formatNumber(points, { signDisplay, minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Returns the ranking factors with a score above zero, as segments of the bar chart. */
function listPositiveParts(texts: ConsoleTexts, explanation: Explanation | undefined): readonly BarSegment[] {
  const parts = (explanation?.parts ?? []).map((part, n) => ({
    label: `${translateReason(texts, part.reason)}: ${formatPoints(texts, part.score)}`,
    value: part.score,
    color: choosePaletteIndex(part, n),
  }));
  return parts.filter(({ value }) => value > 0);
}

/** Returns the palette index for a ranking factor. Query words use the first three colors by position. */
function choosePaletteIndex({ kind, reason }: ExplanationPart, position: number): number {
  if (kind === "word") return position % 3;
  if (kind === "boost") return reason.endsWith("by a search rule") ? 4 : 3;
  return 5;
}

/** Renders the rules and synonyms that apply to a query, each with its location. */
function renderAppliedRules(texts: ConsoleTexts, rules: AppliedRules): Markup | false {
  const { did_you_mean: correction, redirect, pins, boosts, ranking, hides, unknown = [], synonyms = [] } = rules;
  const boostedProducts = Object.entries(boosts?.products ?? {}).map(([handle, points]) => `${handle} (+${points})`);
  const sentences = [
    correction !== undefined && texts.get("try.didYouMean", { query: correction }),
    redirect !== undefined && texts.get("try.redirects", { path: redirect.to, location: redirect.at }),
    pins !== undefined && texts.get("try.pins", { products: pins.products.join(", "), location: pins.at }),
    boosts !== undefined &&
      texts.get("try.boosts", { products: boostedProducts.join(", "), location: boosts.at.join(", ") }),
    ranking !== undefined &&
      texts.get("try.ranking", {
        factors: ranking.factors.map((factor) => describeFactor(texts, factor)).join(", "),
        location: ranking.at.join(", "),
      }),
    hides !== undefined &&
      texts.get("try.hides", { products: hides.products.join(", "), location: hides.at.join(", ") }),
    ...unknown.map((handle) => texts.get("try.unknownHandle", { handle })),
    ...synonyms.map(({ words, also, at }) =>
      texts.get("try.synonyms", { words: formatPhrases(words), others: formatPhrases(also), location: at }),
    ),
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 && markup`<ul class="notes">${sentences.map((text) => markup`<li>${text}</li>`)}</ul>`;
}

function describeFactor(texts: ConsoleTexts, { name, amount, points }: RankingFactor): string {
  const description =
    name === "margin" || (name === "stock" && amount === 1)
      ? texts.get(`try.${name}Name`)
      : texts.get(`try.${name}`, { count: amount });
  return texts.get("try.factor", { factor: description, points });
}
