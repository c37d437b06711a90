import type { PredictiveSearchResult } from "../../../predictive-search/predictive-search.ts";
import {
  type NoticeView,
  noticePresenter,
  type QueryView,
  queryPresenter,
} from "../../../predictive-search/query-presenter.ts";
import type { SearchNotice } from "../../../predictive-search/search-notice.ts";
import { createEscapedText, escapeIfUnsafe, SafeHtml } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";
import { createCollectionObject } from "../collections/collection.ts";
import { createArticleObject } from "../content/article.ts";
import { createPageObject } from "../content/page.ts";
import { createBundleObject } from "../products/bundle.ts";
import { createProductObject } from "../products/product.ts";
import { createObjectType, jsonFieldNames, TemplateObject } from "../template-object.ts";
import { getSearchContext } from "./search-context.ts";

interface PredictiveSearchData {
  readonly view: View;
  /** Result of the search, or undefined if no search ran. */
  readonly result: PredictiveSearchResult | undefined;
}

/** The `predictive_search` object.  @see spec 2.2 */
export const predictiveSearchType = createObjectType<PredictiveSearchData>(
  "predictive_search",
  {
    performed: ({ result }) => result !== undefined && result.terms !== "",
    terms: ({ result }) => escapeIfUnsafe(result?.terms ?? ""),
    types: ({ result }) => result?.types ?? [],
    resources: (subject) => new ResourcesObject(resourcesType, subject),
  },
  {
    notice: ({ view, result }) => createNoticeObject(view, result?.notice, result?.terms ?? ""),
  },
  { fieldTypes: { resources: "predictive_search_resources", notice: "search_notice" } },
);

/** Lists of results by type. A loop over it visits pairs of type and list. */
class ResourcesObject extends TemplateObject<PredictiveSearchData> {
  override items(): readonly unknown[] {
    return this[jsonFieldNames].map((name) => [name, this.field(name)]);
  }
}

const resourcesType = createObjectType<PredictiveSearchData>(
  "predictive_search_resources",
  {
    queries: ({ view, result }) =>
      result?.queries.map((query) => new TemplateObject(queryType, { query, prefix: view.prefix })) ?? [],
    products: ({ view, result }) => {
      if (result === undefined) return [];
      const search = { q: result.terms, at: getSearchContext(view) };
      return result.products.map((product) => createProductObject(view, product, search));
    },
    collections: ({ view, result }) =>
      result?.collections.map((collection) => createCollectionObject(view, collection)) ?? [],
    pages: ({ view, result }) => result?.pages.map((page) => createPageObject(view, page)) ?? [],
    articles: ({ view, result }) => result?.articles.map((article) => createArticleObject(view, article)) ?? [],
    bundles: ({ view, result }) => result?.bundles.map((bundle) => createBundleObject(view, bundle)) ?? [],
  },
  {},
  {
    fieldTypes: {
      queries: "query[]",
      products: "product[]",
      collections: "collection[]",
      pages: "page[]",
      articles: "article[]",
      bundles: "bundle[]",
    },
  },
);

/**
 * Templates print these fields without escaping, so the search terms are escaped here. Only the highlighting is HTML.
 */
const queryType = createObjectType<QueryView>("query", {
  ...queryPresenter,
  text: ({ query }) => createEscapedText(query.text),
  styled_text: ({ query }) => new SafeHtml(query.styledText, query.styledText),
});

/** Creates the object of a notice above the search results.  @param q the query as the shopper typed it */
export function createNoticeObject(view: View, notice: SearchNotice | undefined, q: string): unknown {
  return notice === undefined ? undefined : new TemplateObject(noticeType, { notice, q, prefix: view.prefix });
}

/** Templates print these fields without escaping, so search terms are escaped here. */
const noticeType = createObjectType<NoticeView>("search_notice", {
  ...noticePresenter,
  terms: ({ notice }) => createEscapedText(notice.terms),
  missing_terms: ({ notice }) => notice.missingTerms.map(createEscapedText),
});

/** The `recommendations` object. It contains products only on `/recommendations/products`. */
export const recommendationsType = createObjectType<View>(
  "recommendations",
  {
    "performed?": ({ request }) => request.recommendations !== undefined,
    performed: ({ request }) => request.recommendations !== undefined,
    products_count: ({ request }) => request.recommendations?.products.length ?? 0,
    intent: ({ request }) => request.recommendations?.intent,
  },
  {
    products: (view) =>
      view.request.recommendations?.products.map((product) => createProductObject(view, product)) ?? [],
  },
  { fieldTypes: { products: "product[]" } },
);
