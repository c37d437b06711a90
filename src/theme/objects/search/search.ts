import type { Entry } from "../../../catalog/catalog.ts";
import type { LabeledValue } from "../../../catalog/facets/facet-labels.ts";
import type { SortKey } from "../../../catalog/facets/filter-selection.ts";
import { parseFilters, readSortKey } from "../../../catalog/facets/filter-selection.ts";
import { groupParam } from "../../../predictive-search/collapse-groups.ts";
import { detectType } from "../../../predictive-search/detected-type.ts";
import type { ProductSearch } from "../../../predictive-search/result-presenter.ts";
import type { SearchNotice } from "../../../predictive-search/search-notice.ts";
import { findFilteredList, findSearchPage, searchSortKeys } from "../../../predictive-search/search-page.ts";
import { type ResourceType, readSearchTerms, resourceTypes } from "../../../predictive-search/suggest-params.ts";
import { escapeIfUnsafe } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";
import { createCollectionObject, listSortOptions } from "../collections/collection.ts";
import { sortOptionType } from "../collections/filter-object.ts";
import { createGroupFilter, createTypeFilterValue, listFilters } from "../collections/list-filters.ts";
import { createArticleObject } from "../content/article.ts";
import { createPageObject } from "../content/page.ts";
import { Listing } from "../listing.ts";
import { createBundleObject } from "../products/bundle.ts";
import { createProductObject } from "../products/product.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { createNoticeObject } from "./predictive-search.ts";
import { getSearchContext, listDefaultTypes } from "./search-context.ts";

/** The search of the search page. It runs when a template first reads the results. */
export interface Search {
  readonly terms: string;
  readonly types: readonly ResourceType[];
  /** Whether misspelled words are corrected. */
  readonly spelling: "corrected" | "exact";
  readonly results: Listing;
  /**
   * Returns the number of results that match all search words. Results that match only some words are listed after
   * them.
   */
  completeCount(): number;
  /** Returns a notice if the best result does not contain all search words as typed. Otherwise returns undefined. */
  notice(): SearchNotice | undefined;
  /** Returns the product type that the search terms name, or undefined if they do not clearly name one. */
  getDetectedType(): LabeledValue | undefined;
  /** Sort order. Default: by relevance. */
  readonly order?: SortKey | undefined;
  /** Returns the filters of the results. The list is empty if the results contain no products. */
  filters(): readonly unknown[];
}

/** Creates the search from the page's `q` and `type`. Unknown types are ignored. */
export function createSearch(view: View): Search {
  const terms = readSearchTerms(view.query.get("q")).trim();
  const requestedTypes = (view.query.get("resources[type]") ?? view.query.get("type") ?? "").split(",");
  const resources = resourceTypes.filter((type) => type !== "query");
  const knownTypes = [...new Set(requestedTypes)].flatMap(
    (name) => resources.find((type) => type === name.trim()) ?? [],
  );
  const types = knownTypes.length === 0 ? listDefaultTypes(view) : knownTypes;
  const spelling = view.query.get("spelling") === "exact" ? "exact" : "corrected";
  const searchContext = getSearchContext(view);
  const group = searchContext.collapse ? (view.query.get(groupParam) ?? undefined) : undefined;
  const productSearch = { q: terms, group, at: searchContext };
  let total: number | undefined;
  let fullMatchCount = 0;
  let notice: SearchNotice | undefined;
  const selection = parseFilters(view.query, view.config.currency);
  const order = searchSortKeys.find((key) => key === readSortKey(view.query.get("sort_by")));
  const searchParams = { q: terms, types, selection, group, spelling } as const;
  const getFilters = (): readonly unknown[] => {
    if (terms === "" || !types.includes("product")) return [];
    const facetParams = { ...searchParams, page: 1, perPage: 1 };
    const filterResult = findFilteredList(facetParams, searchContext);
    return filterResult.facets.length +
      filterResult.inStockCount +
      filterResult.soldOutCount +
      filterResult.highestPrice ===
      0
      ? []
      : [...listFilters({ view, filterResult, selection }), ...createGroupFilter(view, group)];
  };
  const readResults = (offset: number, limit: number): readonly unknown[] => {
    if (terms === "") return [];
    const page = Math.floor(offset / limit) + 1;
    const pageParams = { ...searchParams, page, perPage: limit, order };
    const resultPage = findSearchPage(pageParams, searchContext);
    total = resultPage.total;
    fullMatchCount = resultPage.completeCount;
    notice = resultPage.notice;
    return resultPage.entries.map((entry) => createEntryObject(view, entry, productSearch));
  };
  const results = new Listing(() => {
    if (terms === "") return 0;
    if (total === undefined) results.getItems();
    return total ?? 0;
  }, readResults);
  return {
    terms,
    types,
    spelling,
    results,
    order,
    filters: getFilters,
    getDetectedType: () =>
      terms === "" ? undefined : detectType({ ...searchParams, page: 1, perPage: 1 }, searchContext),
    completeCount: () => {
      results.count();
      return fullMatchCount;
    },
    notice: () => {
      results.count();
      return notice;
    },
  };
}

export function createSearchObject(view: View, search: Search): TemplateObject<SearchData> {
  return new TemplateObject(searchType, { view, search });
}

interface SearchData {
  readonly view: View;
  readonly search: Search;
}

const searchType = createObjectType<SearchData>(
  "search",
  {
    performed: ({ search }) => search.terms !== "",
    terms: ({ search }) => escapeIfUnsafe(search.terms),
    types: ({ search }) => search.types,
    spelling: ({ search }) => search.spelling,
    results_count: ({ search }) => search.results.count(),
    complete_results_count: ({ search }) => search.completeCount(),
  },
  {
    results: ({ search }) => search.results,
    sort_by: ({ search }) => search.order ?? "relevance",
    default_sort_by: () => "relevance",
    sort_options: ({ view }) => [
      new TemplateObject(sortOptionType, {
        value: "relevance",
        name: view.translate("search.sort.relevance")?.text ?? "Relevance",
      }),
      ...listSortOptions(view, searchSortKeys),
    ],
    filters: ({ search }) => search.filters(),
    detected_type: ({ view, search }) => createTypeFilterValue(view, search.getDetectedType()),
    notice: ({ view, search }) => createNoticeObject(view, search.notice(), search.terms),
  },
  {
    fieldTypes: {
      sort_options: "sort_option[]",
      filters: "filter[]",
      detected_type: "filter_value",
      notice: "search_notice",
    },
  },
);

/** Creates the object of a search result. Its field `object_type` contains the type. */
function createEntryObject(view: View, entry: Entry, search: ProductSearch): unknown {
  switch (entry.kind) {
    case "product":
      return createProductObject(view, entry, search);
    case "collection":
      return createCollectionObject(view, entry);
    case "page":
      return createPageObject(view, entry);
    case "article":
      return createArticleObject(view, entry);
    case "bundle":
      return createBundleObject(view, entry);
  }
}
