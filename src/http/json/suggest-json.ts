import type { Catalog, Entry } from "../../catalog/catalog.ts";
import {
  articleImage,
  articlePresenter,
  bundlePresenter,
  collectionFeaturedImage,
  collectionImage,
  collectionPresenter,
  pagePresenter,
  type ShownArticle,
  type ShownCollection,
} from "../../catalog/presenters/content.ts";
import { recordsOf } from "../../catalog/presenters/presenter.ts";
import { queryPresenter } from "../../predictive-search/query-presenter.ts";
import { imageJson, productJson } from "./product-json.ts";

/** The catalog and language of suggestions. */
export interface SuggestView {
  readonly catalog: Catalog;
  readonly locale: string;
  /** Prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** An entry as suggestions show it, in the language of the view.  @see spec 2.1 */
export function entryJson(entry: Entry, { catalog, locale, prefix }: SuggestView): Record<string, unknown> {
  switch (entry.kind) {
    case "product":
      return productJson({ product: entry, prefix });
    case "collection":
      return collectionJson({ collection: entry, locale, prefix, catalog });
    case "page":
      return pageJson({ page: entry, prefix });
    case "article":
      return articleJson({ article: entry, prefix });
    case "bundle":
      return bundleJson({ bundle: entry, prefix });
  }
}

export const queryJson = recordsOf(queryPresenter);
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
