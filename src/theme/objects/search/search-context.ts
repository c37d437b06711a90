import type { SearchContext } from "../../../predictive-search/search-context.ts";
import { type ResourceType, resourceTypes } from "../../../predictive-search/suggest-params.ts";
import { isFromShopify, type View } from "../../view.ts";

/** Returns the data sources and settings for a search that runs while a page is rendered. */
export function getSearchContext({ request, config }: View): SearchContext {
  const { catalog, index, locale, now, searchRules: rules, testedRules } = request;
  const { typoTolerance, collapse } = config.search;
  return {
    catalog,
    index,
    locale,
    now,
    typoTolerance,
    collapse,
    ...(rules === undefined ? {} : { rules }),
    ...(testedRules === undefined ? {} : { testedRules }),
  };
}

/** Returns the result types that the search page shows if the request selects none. */
export function listDefaultTypes(view: View): readonly ResourceType[] {
  return isFromShopify(view) ? shopifyTypes : resourceTypes.filter((type) => type !== "query");
}

/** Types of results that themes made for Shopify display. Such themes would show an empty item for any other type. */
const shopifyTypes: readonly ResourceType[] = ["product", "article", "page"];
