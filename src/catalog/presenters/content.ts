import type { Bundle } from "../bundle.ts";
import type { Catalog } from "../catalog.ts";
import type { Collection } from "../collection.ts";
import { type Article, formatArticlePath, type Page } from "../content.ts";
import { localize } from "../localize.ts";
import { createImageView, formatPublicId, type ImageView, type Presenter } from "./presenter.ts";
import { getFeaturedImage } from "./product.ts";

export interface PageView {
  /** The page in the displayed language. */
  readonly page: Page;
  /** Prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const pagePresenter = {
  id: ({ page }) => formatPublicId(page.id),
  title: ({ page }) => page.title,
  handle: ({ page }) => page.handle,
  url: ({ page, prefix }) => `${prefix}/pages/${encodeURIComponent(page.handle)}`,
  body: ({ page }) => page.content,
  content: ({ page }) => page.content,
} satisfies Presenter<PageView>;

export interface ArticleView {
  /** The article in the displayed language. */
  readonly article: Article;
  /** Prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const articlePresenter = {
  id: ({ article }) => formatPublicId(article.id),
  title: ({ article }) => article.title,
  /** Themes look up articles by blog and article handle. */
  handle: ({ article }) => `${article.blog}/${article.handle}`,
  url: ({ article, prefix }) => prefix + formatArticlePath(article),
  body: ({ article }) => article.content,
  content: ({ article }) => article.content,
  summary_html: ({ article }) => article.excerpt,
  excerpt: ({ article }) => article.excerpt,
  author: ({ article }) => article.author,
  tags: ({ article }) => article.tags,
  published_at: ({ article }) => article.publishedAt,
} satisfies Presenter<ArticleView>;

export interface BundleView {
  /** The bundle in the displayed language. */
  readonly bundle: Bundle;
  /** Prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const bundlePresenter = {
  id: ({ bundle }) => formatPublicId(bundle.id),
  name: ({ bundle }) => bundle.name,
  title: ({ bundle }) => bundle.title,
  handle: ({ bundle }) => bundle.handle,
  type: ({ bundle }) => bundle.type,
  url: ({ bundle, prefix }) => `${prefix}/bundles/${encodeURIComponent(bundle.handle)}`,
  ends_at: ({ bundle }) => bundle.endsAt,
} satisfies Presenter<BundleView>;

export interface CollectionView {
  /** The collection in the displayed language. */
  readonly collection: Collection;
  readonly locale: string;
  /** Prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const collectionPresenter = {
  id: ({ collection }) => formatPublicId(collection.id),
  title: ({ collection }) => collection.title,
  handle: ({ collection }) => collection.handle,
  url: ({ collection, prefix }) => `${prefix}/collections/${encodeURIComponent(collection.handle)}`,
  body: ({ collection }) => collection.description,
  description: ({ collection }) => collection.description,
} satisfies Presenter<CollectionView>;

/** Returns the image of an article or a collection, without those of its products; undefined if it has none. */
export function getOwnImage({ image, title }: Article | Collection): ImageView | undefined {
  return createImageView(image, title);
}

/** Maximum number of products to check for an image if the collection itself has none. */
const MAX_ENTRIES = 24;

/**
 * Returns the collection's own image, or else the image of its first product with an image.
 * @param products document numbers of the collection's products, in its order
 */
export function findFeaturedImage(
  { collection, locale }: CollectionView,
  catalog: Pick<Catalog, "entry">,
  products: () => ArrayLike<number>,
): ImageView | undefined {
  if (collection.image !== undefined) return getOwnImage(collection);
  const numbers = products();
  for (let index = 0; index < Math.min(MAX_ENTRIES, numbers.length); index += 1) {
    const entry = catalog.entry(numbers[index] as number);
    if (entry?.kind === "product" && entry.images.length > 0) return getFeaturedImage(localize(entry, locale));
  }
  return undefined;
}
