import type { Article } from "../catalog/article.ts";
import type { Bundle } from "../catalog/bundle.ts";
import type { Collection } from "../catalog/collection.ts";
import type { Page } from "../catalog/page.ts";
import type { Product } from "../catalog/product.ts";
import type { ResourceType } from "./suggest-params.ts";

/** A completed search. `styledText` is escaped HTML that marks what was typed. */
export interface QuerySuggestion {
  readonly text: string;
  readonly styledText: string;
}

/** What the shopper sees while typing; entries are already in the request's language. @see spec 2.1 */
export interface PredictiveSearchResult {
  readonly terms: string;
  readonly types: readonly ResourceType[];
  readonly queries: readonly QuerySuggestion[];
  readonly products: readonly Product[];
  readonly collections: readonly Collection[];
  readonly pages: readonly Page[];
  readonly articles: readonly Article[];
  readonly bundles: readonly Bundle[];
}
