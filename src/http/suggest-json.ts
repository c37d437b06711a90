import type { Article } from "../catalog/article.ts";
import type { Bundle } from "../catalog/bundle.ts";
import type { Collection } from "../catalog/collection.ts";
import type { Page } from "../catalog/page.ts";
import type { Config } from "../config/settings.ts";
import type { PredictiveSearchResult } from "../predictive-search/predictive-search.ts";
import { imageJson } from "./image-json.ts";
import { jsonId } from "./json-id.ts";
import { productJson } from "./product-json.ts";
import { localePrefix, localizedPath } from "./request.ts";

/** The body of `/search/suggest.json`: all six arrays, always. Where the merchant sends who searches this elsewhere, the address
 *  stands beside them as `redirect_url`. @see spec 2.1 */
export function suggestJson(result: PredictiveSearchResult, locale: string, locales: Config["locales"]): object {
  const prefix = localePrefix(locale, locales);
  const { redirect } = result;
  return {
    ...(redirect === undefined ? {} : { redirect_url: localizedPath(redirect, locale, locales) }),
    resources: {
      results: {
        queries: result.queries.map(({ text, styledText }) => ({
          text,
          styled_text: styledText,
          url: `${prefix}/search?q=${encodeURIComponent(text)}`,
        })),
        products: result.products.map((product) => productJson(product, prefix)),
        collections: result.collections.map((collection) => collectionJson(collection, prefix)),
        pages: result.pages.map((page) => pageJson(page, prefix)),
        articles: result.articles.map((article) => articleJson(article, prefix)),
        bundles: result.bundles.map((bundle) => bundleJson(bundle, prefix)),
      },
    },
  };
}

function collectionJson({ id, title, handle, description, image }: Collection, prefix: string): object {
  return {
    id: jsonId(id),
    title,
    handle,
    url: `${prefix}/collections/${encodeURIComponent(handle)}`,
    body: description,
    image: image?.src ?? null,
    featured_image: imageJson(image, title),
  };
}

function pageJson({ id, title, handle, content }: Page, prefix: string): object {
  return { id: jsonId(id), title, handle, url: `${prefix}/pages/${encodeURIComponent(handle)}`, body: content };
}

function articleJson(article: Article, prefix: string): object {
  const { id, title, handle, blog, image } = article;
  return {
    id: jsonId(id),
    title,
    handle,
    url: `${prefix}/blogs/${encodeURIComponent(blog)}/${encodeURIComponent(handle)}`,
    body: article.content,
    summary_html: article.excerpt,
    author: article.author,
    tags: article.tags,
    image: image?.src ?? null,
    featured_image: imageJson(image, title),
    published_at: article.publishedAt ?? null,
  };
}

function bundleJson({ id, name, title, handle, type }: Bundle, prefix: string): object {
  return { id: jsonId(id), name, title, handle, type, url: `${prefix}/bundles/${encodeURIComponent(handle)}` };
}
