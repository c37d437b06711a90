import type { Entry } from "../../../catalog/catalog.ts";
import {
  type FilterSelection,
  facetParams,
  parseFilters,
  readSortKey,
} from "../../../catalog/facets/filter-selection.ts";
import { parseFilterExpression } from "../../../catalog/facets/parse-expression.ts";
import { groupParam } from "../../../predictive-search/collapse-groups.ts";
import { detectType } from "../../../predictive-search/detected-type.ts";
import {
  findFilteredList,
  findSearchPage,
  type SearchPageParams,
  searchSortKeys,
} from "../../../predictive-search/search-page.ts";
import {
  readFields,
  readSearchTerms,
  readSpellingMode,
  readTypes,
  readUnavailableProducts,
  resourceTypes,
} from "../../../predictive-search/suggest-params.ts";
import { getMinorUnit } from "../../../pricing/money.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { ShopSnapshot } from "../../../snapshot/snapshot.ts";
import { formatFacets } from "../../json/facets-json.ts";
import { createResultFields, noticeJson, serializeEntry } from "../../json/suggest-text.ts";
import { parseCount } from "../../read-page.ts";
import { createCacheableJson, watchTheme } from "../../response-cache.ts";
import { readKeyFilters } from "../../search-keys.ts";
import type { Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";
import { createSearchContext } from "./search-suggest-json.ts";

/**
 * Handles `GET /search.json`: returns a page of search results with filters. `filter.…` and `sort_by` work as on the
 * search page. `filters` is an expression of conditions. Other parameters work as in `/search/suggest`. With `queries[]`, each value is the query string of one
 * search, and the response contains a page of each.
 * @throws Problem `invalid_parameter`, or `unauthorized` if the search key is invalid
 */
export async function handleSearchJson(
  shop: Pick<Shop, "config" | "keys" | "snapshot" | "theme" | "process">,
  request: StoreRequest,
): Promise<Reply> {
  const restriction = readKeyFilters(shop, request);
  const snapshot = shop.snapshot();
  const isCurrent = watchTheme(shop);
  const search = (query: URLSearchParams): object => findResultsPage(shop, { query, request, snapshot, restriction });
  const queries = request.query.getAll("queries[]");
  if (queries.length > MAX_QUERIES)
    throw new Problem("invalid_parameter", `At most ${MAX_QUERIES} queries are possible in one request`);
  const pages: object[] = [];
  for (const query of queries) {
    if (pages.length > 0) await shop.process.scheduler.yield(request.lane);
    pages.push(search(new URLSearchParams(query)));
  }
  const results = queries.length === 0 ? search(request.query) : { results: pages };
  return createCacheableJson(request, results, snapshot, { isCurrent, isRarelyRepeated: true });
}

/** Runs one search and returns a page of its results, to be sent as JSON.  @throws Problem `invalid_parameter` */
function findResultsPage(
  shop: Pick<Shop, "config" | "theme">,
  { query, request, snapshot, restriction }: ResultsPageRequest,
): object {
  const { locale } = request;
  const { currency, locales } = shop.config;
  const q = readSearchTerms(query.get("q")).trim();
  if (q === "") throw new Problem("invalid_parameter", "Missing q param");
  const requestedTypes = query.get("resources[type]") ?? query.get("type");
  const types = requestedTypes === null ? resourceTypes.filter((type) => type !== "query") : readTypes(requestedTypes);
  const fields = readFields(query.get("resources[options][fields]"));
  const expression = query.get("filters")?.trim() ?? "";
  const filters: FilterSelection = {
    ...parseFilters(query, currency),
    ...(expression === "" ? {} : { expression: parseFilterExpression(expression, getMinorUnit(currency)) }),
  };
  const order = searchSortKeys.find((key) => key === readSortKey(query.get("sort_by")));
  const perPage = Math.min(parseCount(query.get("limit")) ?? PAGE_SIZE, MAX_PAGE_SIZE);
  const page = parseCount(query.get("page")) ?? 1;
  const params: SearchPageParams = {
    q,
    types,
    selection: filters,
    page,
    perPage,
    spelling: readSpellingMode(query),
    unavailableProducts: readUnavailableProducts(query),
    group: query.get(groupParam) ?? undefined,
    restriction,
    ...(order === undefined ? {} : { order }),
    ...(fields === undefined ? {} : { fields }),
  };
  const { catalog } = snapshot;
  const context = createSearchContext(shop, snapshot, request);
  const { entries, total, completeCount, notice } = findSearchPage(params, context);
  const search = { q, group: params.group, restriction, at: context };
  const type = detectType(params, context);
  const view = { catalog, locale, prefix: formatLocalePrefix(locale, locales) };
  const resultFields = createResultFields(search, view.prefix);
  const facets = types.includes("product")
    ? formatFacets(findFilteredList(params, context), filters, {
        catalog,
        locale,
        currency,
        names: shop.theme.facetNames(locale),
      })
    : [];
  const fieldsOf = (entry: Entry): Record<string, unknown> => {
    const number = entry.kind === "product" ? catalog.productNumber(entry.handle) : undefined;
    return number === undefined ? {} : (resultFields?.(number) ?? {});
  };
  return {
    terms: q,
    types,
    sort_by: order ?? "relevance",
    page,
    pages: Math.ceil(total / perPage),
    results_count: total,
    complete_results_count: completeCount,
    ...(type === undefined ? {} : { detected_type: { ...type, param_name: facetParams.productType } }),
    ...(notice === undefined ? {} : { notice: noticeJson({ notice, q, prefix: view.prefix }) }),
    results: entries.map((entry) => ({ object_type: entry.kind, ...serializeEntry(entry, view), ...fieldsOf(entry) })),
    facets,
  };
}

interface ResultsPageRequest {
  /** Parameters of the search. */
  readonly query: URLSearchParams;
  readonly request: StoreRequest;
  readonly snapshot: ShopSnapshot;
  /** Filters that the search key in the request imposes on all results. */
  readonly restriction: FilterSelection | undefined;
}

/** Maximum number of searches in one request. */
const MAX_QUERIES = 10;
const MAX_PAGE_SIZE = 50;
const PAGE_SIZE = 24;
