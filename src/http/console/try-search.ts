import type { Explanation, ExplanationPart } from "@vitrine/search";
import type { Entry } from "../../catalog/catalog.ts";
import { compareRanks, computeScore, hasScore } from "../../predictive-search/compare-ranks.ts";
import type { documentTypes } from "../../predictive-search/documents.ts";
import { createQuery, entriesOf, findPredictiveHits } from "../../predictive-search/predictive-search.ts";
import { describeRules, findAppliedRules } from "../../predictive-search/rules/applied-rules.ts";
import type { SearchContext } from "../../predictive-search/search-context.ts";
import { resourceTypes } from "../../predictive-search/suggest-params.ts";
import { formatMoney } from "../../pricing/money.ts";
import { addSize } from "../../theme/filters/images/image-url.ts";
import { type BarSegment, renderStackedBar } from "./charts.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, limitFieldText } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

/** Renders `GET /admin/try`: a test search that explains the rank of each result. */
export async function trySearch(shop: ConsoleServices, { request }: ConsoleVisit): Promise<ConsolePage> {
  const { query } = request;
  const q = limitFieldText(query.get("q"), MAX_QUERY_LENGTH);
  const { locales } = shop.config;
  const localeCodes = [locales.default, ...locales.others];
  const locale = localeCodes.find((item) => item === query.get("locale")) ?? locales.default;
  const draft = shop.console.readFileRules() === undefined ? await shop.console.drafts.readDraft() : undefined;
  const usesDraft = draft?.hasDraft === true && query.get("rules") === "draft";
  const form = markup`<form action="/admin/try" class="panel row" id="try" role="search">
<div class="grow"><label for="q">Search query</label><input id="q" name="q" type="search" value="${q}" maxlength="${MAX_QUERY_LENGTH}" autocomplete="off"></div>
${
  localeCodes.length > 1 &&
  renderSelect(
    "locale",
    "Language",
    localeCodes.map((item) => [item, item]),
    locale,
  )
}
${draft?.hasDraft && renderSelect("rules", "Rules", ruleNames, usesDraft ? "draft" : "live")}
<button>Search</button></form>`;
  if (q === "")
    return renderPage(
      markup`${form}<div id="results"><p class="muted">Each result shows how its score is calculated.</p></div>`,
    );
  const { typoTolerance, synonyms } = shop.config.search;
  const rulesPreview = usesDraft
    ? shop.console.preview(draft.texts)
    : { snapshot: shop.snapshot(), rules: shop.snapshot().rules };
  const { catalog, index } = rulesPreview.snapshot;
  const context: SearchContext = { catalog, index, locale, now: request.now, typoTolerance, rules: rulesPreview.rules };
  const ruleSentences = describeRules(findAppliedRules(q, context, synonyms)).map(
    (sentence) => markup`<li>${sentence}</li>`,
  );
  const rules = ruleSentences.length > 0 && markup`<ul class="notes">${ruleSentences}</ul>`;
  return renderPage(markup`${form}<div id="results" lang="en">${rules}${renderResults(shop, q, context)}</div>`);
}

function renderPage(body: Markup): ConsolePage {
  return { title: "Search preview", body };
}

const ruleNames = [
  ["live", "Published"],
  ["draft", "Draft"],
] as const;

/** Renders a select box with its label. */
function renderSelect(
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  selectedValue: string,
): Markup {
  const list = options.map(
    ([value, text]) =>
      markup`<option value="${value}"${value === selectedValue ? markup` selected` : ""}>${text}</option>`,
  );
  return markup`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${list}</select></div>`;
}

/** Maximum length of a query, in characters. */
const MAX_QUERY_LENGTH = 256;
/** Maximum number of results with an explanation. */
const MAX_EXPLAINED_RESULTS = 10;

function renderResults(shop: ConsoleServices, q: string, context: SearchContext): Markup {
  const { queries, hits } = findPredictiveHits(
    { q, types: resourceTypes, limit: MAX_EXPLAINED_RESULTS, limitScope: "each", unavailableProducts: "last" },
    context,
  );
  const query = createQuery(
    { q, types: resourceTypes, limit: MAX_EXPLAINED_RESULTS, unavailableProducts: "last" },
    context,
  );
  const pinnedHandles = new Set(context.rules?.getRulesForQuery(q, context.locale).pins);
  const rankedEntries = (["product", "collection", "page", "article", "bundle"] as const).flatMap((type) =>
    hits[type].flatMap(({ externalId }) =>
      entriesOf([{ externalId }], context).map((entry): RankedEntry => {
        const isPinned = type === "product" && pinnedHandles.has(entry.handle);
        return { type, entry, isPinned, explanation: context.index.explain(query, externalId) };
      }),
    ),
  );
  const maxScore = Math.max(
    ...rankedEntries.map(({ explanation }) =>
      listPositiveParts(explanation).reduce((sum, { value }) => sum + value, 0),
    ),
  );
  const kinds = Map.groupBy(rankedEntries, ({ type }) => type);
  const lists = [...kinds].map(
    ([type, entries]) =>
      markup`<section><h2>${headings[type]}</h2><ol class="results">${entries.map((item, n) => renderResult(shop, item, entries[n - 1], maxScore, context))}</ol></section>`,
  );
  const completions =
    queries.length > 0 &&
    markup`<p>Suggestions: ${queries.map(({ text }, n) => [n > 0 && ", ", markup`<a href="/admin/try?q=${encodeURIComponent(text)}&amp;locale=${context.locale}" lang="${context.locale}">${text}</a>`])}</p>`;
  const heading = `${rankedEntries.length} ${rankedEntries.length === 1 ? "result" : "results"} for "${q}"`;
  return markup`<p role="status">${rankedEntries.length === 0 ? `No results for "${q}"` : heading}</p>${completions}${lists}`;
}

const headings = {
  product: "Products",
  collection: "Collections",
  page: "Pages",
  article: "Articles",
  bundle: "Bundles",
} as const;

interface RankedEntry {
  readonly type: Exclude<keyof typeof documentTypes, "query">;
  readonly entry: Entry;
  readonly isPinned: boolean;
  readonly explanation: Explanation | undefined;
}

function renderResult(
  { config }: ConsoleServices,
  { entry, isPinned, explanation }: RankedEntry,
  betterEntry: RankedEntry | undefined,
  maximum: number,
  context: SearchContext,
): Markup {
  const image = entry.kind === "product" ? entry.images[0] : undefined;
  const thumbnail =
    image && markup`<img src="${addSize(image.src, { width: 96 })}" alt="" width="48" height="48" loading="lazy">`;
  const lowestPrice = entry.kind === "product" ? Math.min(...entry.variants.map(({ price }) => price)) : undefined;
  const price =
    lowestPrice !== undefined && markup`<span class="muted">${formatMoney(lowestPrice, config.currency, "en")}</span>`;
  const title =
    entry.kind === "product"
      ? markup`<a href="/admin/products/${encodeURIComponent(entry.handle)}">${entry.title}</a>`
      : entry.title;
  const parts = explanation?.parts ?? [];
  const lines = parts.flatMap((part, n) =>
    !hasScore(part)
      ? []
      : markup`<tr><td><span class="key part${colorOf(part, n)}"></span>${part.reason}</td><td class="number">${part.score.toFixed(2)}</td></tr>`,
  );
  const groups = parts.flatMap(({ kind, reason }) => (kind === "group" ? markup`<small>${reason}</small> ` : []));
  const scoreDetails =
    explanation === undefined
      ? markup`<p class="muted">This result matches none of the words. It is shown because it is pinned.</p>`
      : markup`${renderStackedBar(listPositiveParts(explanation), maximum)}${groups}<details><summary>${computeScore(explanation).toFixed(2)} points</summary><table><thead><tr><th scope="col">Part</th><th scope="col" class="number">Points</th></tr></thead><tbody>${lines}</tbody></table></details>${renderComparison(explanation, betterEntry)}`;
  return markup`<li class="result">${thumbnail}<div class="grow"><p class="result__title"><b lang="${context.locale}">${title}</b> ${price} ${isPinned && markup`<span class="badge">Pinned</span>`}</p>${scoreDetails}</div></li>`;
}

/** Renders an explanation of why a search result ranks below the previous result. */
function renderComparison(explanation: Explanation, higherEntry: RankedEntry | undefined): Markup | false {
  if (higherEntry?.explanation === undefined || higherEntry.isPinned) return false;
  const { summary, differences } = compareRanks(higherEntry.explanation, explanation);
  const maximum = Math.max(...differences.map(({ points }) => Math.abs(points)));
  const rows = differences.map(({ points, leadingValue: betterValue, other }) => {
    const bar = renderStackedBar(
      [{ label: "Difference", value: Math.abs(points), color: points > 0 ? 3 : 2 }],
      maximum,
    );
    return markup`<tr><td>${betterValue ?? "–"}</td><td>${other ?? "–"}</td><td class="number">${points > 0 && "+"}${points.toFixed(2)}${bar}</td></tr>`;
  });
  const table =
    rows.length > 0 &&
    markup`<table><thead><tr><th scope="col">${higherEntry.entry.title}</th><th scope="col">This result</th><th scope="col" class="number">Difference</th></tr></thead><tbody>${rows}</tbody></table>`;
  return markup`<details><summary>Why is it below ${higherEntry.entry.title}?</summary><p>${summary}</p>${table}</details>`;
}

/** Returns the ranking factors with a score above zero, as segments of the bar chart. */
function listPositiveParts(explanation: Explanation | undefined): readonly BarSegment[] {
  const parts = (explanation?.parts ?? []).map((part, n) => ({
    label: part.reason,
    value: part.score,
    color: colorOf(part, n),
  }));
  return parts.filter(({ value }) => value > 0);
}

/** Returns the palette index for a ranking factor. Query words use the first three colors by position. */
function colorOf({ kind, reason }: ExplanationPart, position: number): number {
  if (kind === "word") return position % 3;
  if (kind === "boost") return reason.endsWith("by a search rule") ? 4 : 3;
  return 5;
}
