import type { Catalog } from "../../catalog/catalog.ts";
import { articleImage, articlePresenter, type ShownArticle } from "../../catalog/presenters/article.ts";
import { bundlePresenter } from "../../catalog/presenters/bundle.ts";
import {
  collectionFeaturedImage,
  collectionImage,
  collectionPresenter,
  type ShownCollection,
} from "../../catalog/presenters/collection.ts";
import { pagePresenter } from "../../catalog/presenters/page.ts";
import { recordsOf } from "../../catalog/presenters/presenter.ts";
import type { Config } from "../../config/settings.ts";
import type { PredictiveSearchResult } from "../../predictive-search/predictive-search.ts";
import { queryPresenter } from "../../predictive-search/query-presenter.ts";
import { localePrefix, localizedPath } from "../wire/request.ts";
import { imageJson } from "./image-json.ts";
import { productJson } from "./product-json.ts";

/** The catalogue and the language in which suggestions are shown. */
export interface SuggestView {
  readonly catalog: Catalog;
  readonly locale: string;
  readonly locales: Config["locales"];
}

/** The body of `/search/suggest.json`: all six arrays, always. Where the merchant sends who searches this elsewhere, the address
 *  stands beside them as `redirect_url`. @see spec 2.1 */
export function suggestJson(result: PredictiveSearchResult, { catalog, locale, locales }: SuggestView): object {
  const prefix = localePrefix(locale, locales);
  const { redirect } = result;
  return {
    ...(redirect === undefined ? {} : { redirect_url: localizedPath(redirect, locale, locales) }),
    resources: {
      results: {
        queries: result.queries.map((query) => queryJson({ query, prefix })),
        products: result.products.map((product) => productJson({ product, prefix })),
        collections: result.collections.map((one) => collectionJson({ collection: one, locale, prefix, catalog })),
        pages: result.pages.map((page) => pageJson({ page, prefix })),
        articles: result.articles.map((article) => articleJson({ article, prefix })),
        bundles: result.bundles.map((bundle) => bundleJson({ bundle, prefix })),
      },
    },
  };
}

const queryJson = recordsOf(queryPresenter);
const pageJson = recordsOf(pagePresenter);
const bundleJson = recordsOf(bundlePresenter);

const collectionJson = recordsOf<ShownCollection & { readonly catalog: Catalog }>({
  ...collectionPresenter,
  image: ({ collection }) => collectionImage(collection)?.src,
  featured_image: (shown) =>
    imageJson(
      collectionFeaturedImage(shown, shown.catalog, () => shown.catalog.collectionProducts(shown.collection.handle)),
    ),
});

const articleJson = recordsOf<ShownArticle>({
  ...articlePresenter,
  image: ({ article }) => articleImage(article)?.src,
  featured_image: ({ article }) => imageJson(articleImage(article)),
});
