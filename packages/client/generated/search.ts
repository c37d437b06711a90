// Generated from openapi.yaml by `npm run client-types`.
import type { Amount, Id, QuantityRule } from "./catalog.ts";
/** An image. */
export type Image = {
  readonly url: string;
  readonly alt: string | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Width divided by height; 1 if the size is unknown. */
  readonly aspect_ratio: number;
};

/** One end of a price range. */
export type PriceLimit = {
  readonly param_name: string;
  /** The selected value. */
  readonly value: string | null;
};

/** A filter of the results, as `search.filters` in themes: a list of values, several of which may be selected, or a range of decimal prices. */
export type SearchFacet = {
  readonly type: "list" | "price_range";
  /** In the language of the path. */
  readonly label: string;
  /** The parameter that selects a value: `filter.p.vendor`. */
  readonly param_name: string;
  /** The values of a list. */
  readonly operator?: "OR";
  /** The values of a list. */
  readonly values?: readonly {
    readonly value: string;
    readonly label: string;
    /** Products with this value and the selected values of other filters. */
    readonly count: number;
    /** True if selected. */
    readonly active: boolean;
  }[];
  readonly min_value?: PriceLimit;
  readonly max_value?: PriceLimit;
  /** The highest price. */
  readonly range_max?: string;
};

/** A notice that no result contains all words as typed. `corrected`: the results contain the words of `terms`. `similar`: nothing contains the words, and the results contain words with a similar spelling, or the last part of a compound. `partial`: every result lacks a word. */
export type SearchNotice = {
  readonly type: "corrected" | "similar" | "partial";
  /** The search with the spelling of the best result. */
  readonly terms: string;
  /** Words of the search that nothing contains, for `partial`. */
  readonly missing_terms: readonly string[];
  /** The results page without corrections, if it has results. */
  readonly exact_url?: string | null;
};

/** A page of search results. */
export type SearchPageAnswer = {
  readonly terms: string;
  readonly types: readonly string[];
  readonly sort_by: "relevance" | "price-ascending" | "price-descending";
  readonly page: number;
  readonly pages: number;
  /** On all pages. Collapsed products are one result. */
  readonly results_count: number;
  /** Results with all words, which come first. */
  readonly complete_results_count: number;
  /** The product type that the search certainly means. Missing if no type is certain, or a filter is selected. */
  readonly detected_type?: {
    readonly value: string;
    /** In the language of the path. */
    readonly label: string;
    /** Results of this type. */
    readonly count: number;
    /** `filter.p.product_type` */
    readonly param_name: string;
  };
  readonly notice?: SearchNotice;
  /** Results as in suggestions, with their kind in `object_type`. */
  readonly results: readonly {
    readonly object_type: "product" | "collection" | "page" | "article" | "bundle";
    readonly [field: string]: unknown;
  }[];
  readonly facets: readonly SearchFacet[];
};

/** Pages of several searches, in the order of `queries[]`. */
export type SearchPagesAnswer = {
  readonly results: readonly SearchPageAnswer[];
};

/** Suggestions. */
export type SuggestAnswer = {
  /** The redirect of the search rules for this query. */
  readonly redirect_url?: string;
  readonly notice?: SearchNotice;
  readonly resources: {
    readonly results: SuggestResults;
    /** If requested. */
    readonly facets?: readonly SearchFacet[];
  };
};

/** Results by type. All six are always present; types that were not requested are empty. */
export type SuggestResults = {
  readonly queries: readonly SuggestedQuery[];
  readonly products: readonly SuggestedProduct[];
  readonly collections: readonly SuggestedCollection[];
  readonly pages: readonly SuggestedPage[];
  readonly articles: readonly SuggestedArticle[];
  readonly bundles: readonly SuggestedBundle[];
};

/** An article of a blog. */
export type SuggestedArticle = {
  readonly id: Id;
  readonly title: string;
  /** With its blog: `<blog>/<article>`. */
  readonly handle: string;
  readonly url: string;
  /** HTML. */
  readonly body: string;
  /** HTML. */
  readonly content: string;
  readonly summary_html: string | null;
  readonly excerpt: string | null;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly published_at: string | null;
  readonly image: string | null;
  readonly featured_image: Image | null;
};

/** A current offer of several products. */
export type SuggestedBundle = {
  readonly id: Id;
  readonly name: string;
  readonly title: string;
  readonly handle: string;
  readonly type: "box_builder" | "frequently_bought_together";
  readonly url: string;
  readonly ends_at: string | null;
};

/** A collection. */
export type SuggestedCollection = {
  readonly id: Id;
  readonly title: string;
  readonly handle: string;
  readonly url: string;
  /** HTML. */
  readonly body: string;
  /** HTML. */
  readonly description: string;
  readonly image: string | null;
  readonly featured_image: Image | null;
};

/** A page. */
export type SuggestedPage = {
  readonly id: Id;
  readonly title: string;
  readonly handle: string;
  readonly url: string;
  /** HTML. */
  readonly body: string;
  /** HTML. */
  readonly content: string;
};

/** A product in suggestions. With the setting `compat.script`, prices without `_cents` are decimals in strings, such as "19.99". */
export type SuggestedProduct = {
  readonly id: Id;
  readonly title: string;
  readonly handle: string;
  readonly url: string;
  /** HTML. */
  readonly body: string;
  /** HTML. */
  readonly description: string;
  /** HTML. */
  readonly content: string;
  readonly vendor: string;
  readonly type: string;
  readonly product_type: string;
  readonly tags: readonly string[];
  readonly available: boolean;
  readonly price: Amount;
  readonly price_min: Amount;
  readonly price_max: Amount;
  readonly compare_at_price: Amount | null;
  readonly compare_at_price_min: Amount;
  readonly compare_at_price_max: Amount;
  readonly price_cents: Amount;
  readonly price_min_cents: Amount;
  readonly price_max_cents: Amount;
  readonly compare_at_price_cents: Amount | null;
  readonly compare_at_price_min_cents: Amount;
  readonly compare_at_price_max_cents: Amount;
  readonly price_varies: boolean;
  readonly compare_at_price_varies: boolean;
  readonly has_only_default_variant: boolean;
  /** Only signed-in customers can buy it. */
  readonly requires_customer: boolean;
  readonly image: string | null;
  readonly featured_image: Image | null;
  readonly variants: readonly SuggestedVariant[];
  /** The variant that the search names by an option value, SKU, or barcode. Missing if it names none. */
  readonly matched_variant?: SuggestedVariant;
  /** Other products that differ only in size, color, or quantity. Only with the setting `search.collapse`. */
  readonly collapsed_count?: number;
  /** The results page with these products; null if there are none. */
  readonly collapsed_url?: string | null;
};

/** A completed query. */
export type SuggestedQuery = {
  readonly text: string;
  /** The typed text in `<mark>`, the rest in `<span>`; escaped. */
  readonly styled_text: string;
  /** URL of the results page. */
  readonly url: string;
};

/** A variant of a suggested product. */
export type SuggestedVariant = {
  readonly id: Id;
  readonly title: string;
  readonly options: readonly string[];
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly price: Amount;
  readonly compare_at_price: Amount | null;
  readonly price_cents: Amount;
  readonly compare_at_price_cents: Amount | null;
  readonly available: boolean;
  readonly requires_shipping: boolean;
  readonly taxable: boolean;
  /** Grams. */
  readonly weight: number;
  readonly url: string;
  readonly image: string | null;
  readonly featured_image: Image | null;
  readonly quantity_rule: QuantityRule;
};
