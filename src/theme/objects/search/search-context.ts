import type { SearchContext } from "../../../predictive-search/search-context.ts";
import type { View } from "../../view.ts";

/** Returns the data sources and settings for a search that runs while a page is rendered. */
export function searchContextOf({ request, config }: View): SearchContext {
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
