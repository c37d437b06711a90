import type { Presenter } from "../catalog/presenters/presenter.ts";
import { countOtherMembers, formatGroupUrl, shouldCollapseGroups } from "./collapse-groups.ts";
import type { SearchContext } from "./search-context.ts";
import type { SearchPageParams } from "./search-page.ts";

/** A search that found products. */
export interface ProductSearch extends Pick<SearchPageParams, "restriction"> {
  readonly q: string;
  /** Handle of a product. The search is limited to similar products in its group. Default: no limit. */
  readonly group?: string | undefined;
  readonly at: SearchContext;
}

/** A product as the result of a search. */
export interface ResultView {
  /** Document number of the product. */
  readonly number: number;
  readonly search: ProductSearch;
  /** Locale prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** Fields of a found product that depend on the search. */
export const resultPresenter = {
  collapsed_count: (result) => countOtherHits(result),
  collapsed_url: (result) => (countOtherHits(result) === 0 ? undefined : getGroupUrl(result)),
} satisfies Presenter<ResultView>;

function countOtherHits({ number, search }: ResultView): number {
  return shouldCollapseGroups(search, search.at) ? countOtherMembers(number, search, search.at) : 0;
}

function getGroupUrl({ number, search, prefix }: ResultView): string | undefined {
  const product = search.at.catalog.entry(number);
  return product?.kind === "product" ? formatGroupUrl(search.q, product.handle, prefix) : undefined;
}
