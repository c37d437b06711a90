import type { Hit, Query } from "@vitrine/search";
import { convertOtherLayouts } from "@vitrine/search";
import { type Bundle, isBundleLive } from "../catalog/bundle.ts";
import type { Entry } from "../catalog/catalog.ts";
import type { Collection } from "../catalog/collection.ts";
import { type Article, isArticlePublished, type Page } from "../catalog/content.ts";
import { localize } from "../catalog/localize.ts";
import type { Product } from "../catalog/product.ts";
import { withSpan } from "../runtime/spans.ts";
import { collapseHits, searchByGroup } from "./collapse-groups.ts";
import { documentTypes, fieldNumbers } from "./documents.ts";
import { addStockFilter, moveSoldOutLast } from "./live-availability.ts";
import { applyPins, findHiddenNumbers, listRuleBoosts } from "./rules/pinned-hits.ts";
import { listRankingBoosts } from "./rules/ranking-boosts.ts";
import type { SearchContext } from "./search-context.ts";
import { createKeyboardNotice, findNotice, isLikelyLayout, type SearchNotice } from "./search-notice.ts";
import { divideLimit } from "./share-limit.ts";
import { createTextFormatter } from "./styled-text.ts";
import type { ResourceType, SuggestParams } from "./suggest-params.ts";

/** A suggested search. `styledText` is escaped HTML that marks the typed text. */
export interface QuerySuggestion {
  readonly text: string;
  readonly styledText: string;
}

/** Suggestions for a typed text. Entries are in the language of the request. @see spec 2.1 */
export interface PredictiveSearchResult {
  readonly terms: string;
  readonly types: readonly ResourceType[];
  readonly queries: readonly QuerySuggestion[];
  readonly products: readonly Product[];
  readonly collections: readonly Collection[];
  readonly pages: readonly Page[];
  readonly articles: readonly Article[];
  readonly bundles: readonly Bundle[];
  /** Path of this store, without locale prefix, to which the merchant redirects this search. */
  readonly redirect?: string;
  /** Set if no result contains all words as typed. */
  readonly notice?: SearchNotice;
}

/** Suggestions with document numbers instead of decoded entries. */
export interface PredictiveSearchHits
  extends Pick<PredictiveSearchResult, "terms" | "types" | "queries" | "redirect" | "notice"> {
  /** Hits by type, in the order of the response. Their external ids are document numbers of the catalog. */
  readonly hits: Readonly<Record<EntryType, readonly Pick<Hit, "externalId">[]>>;
  /** Whether an entry contains all words of the search, or there are completions or a redirect. */
  readonly isFound: boolean;
}

/** Types of results that have a page. */
export type EntryType = Exclude<ResourceType, "query">;

/** Replaces document numbers with entries. */
export function loadEntries(
  { hits, ...suggestions }: Omit<PredictiveSearchHits, "isFound">,
  context: Pick<SearchContext, "catalog" | "locale">,
): PredictiveSearchResult {
  return {
    ...suggestions,
    products: entriesOf(hits.product, context).filter((entry) => entry.kind === "product"),
    collections: entriesOf(hits.collection, context).filter((entry) => entry.kind === "collection"),
    pages: entriesOf(hits.page, context).filter((entry) => entry.kind === "page"),
    articles: entriesOf(hits.article, context).filter((entry) => entry.kind === "article"),
    bundles: entriesOf(hits.bundle, context).filter((entry) => entry.kind === "bundle"),
  };
}

/**
 * Finds the document numbers of entries for a typed text: at most `limit` in total or of each type, depending on the
 * limit scope. If nothing is found, the text is converted to other keyboard layouts and searched again. @see spec 4.1
 */
export function findPredictiveHits(params: SuggestParams, context: SearchContext): PredictiveSearchHits {
  return withSpan("search suggestions", {}, () => {
    const hits = findTypedTextHits(params, context);
    if (hasResults(hits)) return hits;
    for (const q of convertOtherLayouts(params.q, context.locale)) {
      const keyboardHits = findTypedTextHits({ ...params, q }, { ...context, typoTolerance: false });
      if (!isLikelyLayout(params.q, keyboardHits.notice)) continue;
      // Completions alone may be corrections of the converted text, for which the results page finds nothing.
      if (hasEntries(keyboardHits) || (params.types.every((type) => type === "query") && hasResults(keyboardHits)))
        return { ...keyboardHits, terms: params.q, notice: createKeyboardNotice(q) };
    }
    return hits;
  });
}

function hasResults(hits: PredictiveSearchHits): boolean {
  return hits.queries.length > 0 || hasEntries(hits);
}

function hasEntries({ hits }: PredictiveSearchHits): boolean {
  return Object.values(hits).some(({ length }) => length > 0);
}

function findTypedTextHits(params: SuggestParams, context: SearchContext): PredictiveSearchHits {
  const { types, limit } = params;
  const query = createQuery(params, context);
  const foundHits = searchByGroup(addStockFilter(query, context.catalog), context);
  const hitsByType = applyPins(moveSoldOutLast(foundHits, query, context.catalog), params, context);
  const productHits = collapseHits(hitsByType.get(documentTypes.product) ?? [], params.q, context);
  const hitsOf = (type: ResourceType): readonly Hit[] => {
    if (type === "query" || !types.includes(type)) return [];
    return type === "product" ? productHits : (hitsByType.get(documentTypes[type]) ?? []);
  };
  const completeCounts = new Map<ResourceType, number>();
  const totalCounts = new Map<ResourceType, number>();
  for (const type of types) {
    const hits = hitsOf(type).slice(0, limit);
    completeCounts.set(type, hits.filter(({ missing }) => missing === 0).length);
    totalCounts.set(type, hits.length);
  }
  const phrases = types.includes("query") ? findCompletions(params, query, completeCounts, context) : [];
  if (types.includes("query")) for (const counts of [completeCounts, totalCounts]) counts.set("query", phrases.length);
  const slotsByType = params.limitScope === "all" ? allocateResults(completeCounts, totalCounts, limit) : totalCounts;
  const styleText = createTextFormatter(params.q);
  const selectHits = (type: EntryType): readonly Hit[] => hitsOf(type).slice(0, slotsByType.get(type) ?? 0);
  const redirect = findRedirect(params.q, context);
  const isComplete = types.some((type) => hitsOf(type).some(({ missing }) => missing === 0));
  const notice = findNotice(query, foundHits, context);
  return {
    terms: params.q,
    types,
    queries: phrases.slice(0, slotsByType.get("query") ?? 0).map((text) => ({ text, styledText: styleText(text) })),
    hits: {
      product: selectHits("product"),
      collection: selectHits("collection"),
      page: selectHits("page"),
      article: selectHits("article"),
      bundle: selectHits("bundle"),
    },
    isFound: isComplete || phrases.length > 0 || redirect.redirect !== undefined,
    ...redirect,
    ...(notice === undefined ? {} : { notice }),
  };
}

/**
 * Distributes the result slots between types. Partial matches get the slots that complete matches do not use.
 * @param completeCounts number of complete matches, which contain all words of the search, by type
 */
function allocateResults(
  completeCounts: ReadonlyMap<ResourceType, number>,
  totalCounts: ReadonlyMap<ResourceType, number>,
  limit: number,
): ReadonlyMap<ResourceType, number> {
  const slotsByType = divideLimit(completeCounts, limit);
  let remainingSlots = limit;
  for (const count of slotsByType.values()) remainingSlots -= count;
  if (remainingSlots === 0) return slotsByType;
  const partialCounts = new Map<ResourceType, number>();
  for (const [type, count] of totalCounts) partialCounts.set(type, count - (completeCounts.get(type) ?? 0));
  for (const [type, count] of divideLimit(partialCounts, remainingSlots))
    slotsByType.set(type, (slotsByType.get(type) ?? 0) + count);
  return slotsByType;
}

/**
 * Returns completions of the typed text, at most as many as there are slots for. They are not taken from products that
 * rules hide for the typed text or for the completion.
 * @param completeCounts number of complete matches by type
 */
function findCompletions(
  { q, limit, limitScope }: SuggestParams,
  { accept }: Query,
  completeCounts: ReadonlyMap<ResourceType, number>,
  context: SearchContext,
): readonly string[] {
  const maxCounts = new Map(completeCounts).set("query", limit);
  const slotCount = limitScope === "all" ? (divideLimit(maxCounts, limit).get("query") ?? 0) : limit;
  const hiddenProducts = findHiddenNumbers(q, context);
  const findHiddenProducts = (phrase: string) => {
    const hiddenNumbers = findHiddenNumbers(phrase, context);
    return hiddenNumbers.size === 0 ? hiddenProducts : hiddenProducts.union(hiddenNumbers);
  };
  return context.index.complete(q, context.locale, slotCount, {
    ...(accept && { accept }),
    hidden: findHiddenProducts,
  });
}

function findRedirect(q: string, { rules, locale }: SearchContext): Pick<PredictiveSearchResult, "redirect"> {
  const redirect = rules?.getRulesForQuery(q, locale).redirect;
  return redirect === undefined ? {} : { redirect };
}

/** Returns the index query for search parameters. */
export function createQuery(
  params: Pick<SuggestParams, "q" | "types" | "limit" | "unavailableProducts" | "fields" | "spelling">,
  context: SearchContext,
): Query {
  const types = params.types.flatMap((type) => (type === "query" ? [] : documentTypes[type]));
  const limits = new Map(types.sort((a, b) => a - b).map((type) => [type, params.limit]));
  const hiddenProducts = findHiddenNumbers(params.q, context);
  const boosts = listRuleBoosts(params.q, context);
  const documentBoosts = listRankingBoosts(params.q, context);
  const fields = params.fields?.reduce((fieldBits, name) => fieldBits | (1 << (fieldNumbers.get(name) ?? 31)), 0);
  return {
    text: params.q,
    locale: context.locale,
    limits,
    typos: context.typoTolerance && params.spelling !== "exact",
    unavailable: params.unavailableProducts,
    accept: (number, type) => !hiddenProducts.has(number) && isVisible(number, type, context),
    ...(boosts === undefined ? {} : { boosts }),
    ...(documentBoosts === undefined ? {} : { documentBoosts }),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** Returns the entries of hits, in the same order and in the language of the search. */
export function entriesOf(
  hits: readonly Pick<Hit, "externalId">[],
  { catalog, locale }: Pick<SearchContext, "catalog" | "locale">,
): Entry[] {
  return hits.flatMap(({ externalId: number }) => {
    const entry = catalog.entry(number);
    return entry === undefined ? [] : [localize(entry, locale)];
  });
}

/** Returns whether the visibility of a type's entries depends on the current time. */
export function isTimeDependent(type: number): boolean {
  return type === documentTypes.bundle || type === documentTypes.article;
}

/** Returns whether an entry is visible now. The index does not contain the dates of bundles and articles. */
function isVisible(number: number, type: number, { catalog, now }: SearchContext): boolean {
  if (!isTimeDependent(type)) return true;
  const entry = catalog.entry(number);
  if (entry?.kind === "bundle") return isBundleLive(entry, catalog, now);
  if (entry?.kind === "article") return isArticlePublished(entry, now);
  return false;
}
