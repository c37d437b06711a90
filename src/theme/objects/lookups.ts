import { isBundleLive } from "../../catalog/bundle.ts";
import { isArticlePublished } from "../../catalog/content.ts";
import type { View } from "../view.ts";
import { allProductsCollection, collectionObject } from "./collections/collection.ts";
import { articleObject } from "./content/article.ts";
import { blogObject } from "./content/blog.ts";
import { pageObject } from "./content/page.ts";
import { createNumberListing, Listing } from "./listing.ts";
import { bundleObject } from "./products/bundle.ts";
import { productObject } from "./products/product.ts";
import { Lookup } from "./template-object.ts";

/** Creates the `collections` object: `collections['tea']`. A loop over it visits all collections. */
export function collectionsObject(view: View): Lookup {
  const { catalog } = view.request;
  const listing = createNumberListing(
    () => catalog.numbers("collection"),
    (number) => {
      const entry = catalog.entry(number);
      return entry?.kind === "collection" ? collectionObject(view, entry) : undefined;
    },
  );
  return new Lookup((handle) => collectionByHandle(view, handle), listing);
}

/** Returns a collection. A collection with the handle "all" exists in every shop. */
export function collectionByHandle(view: View, handle: string): unknown {
  const collection = view.request.catalog.collection(handle);
  if (collection !== undefined) return collectionObject(view, collection);
  return handle === "all" ? allProductsCollection(view) : undefined;
}

/** Creates the `all_products` object: `all_products['tote']`. */
export function allProductsObject(view: View): Lookup {
  return new Lookup((handle) => findProductByHandle(view, handle));
}

export function findProductByHandle(view: View, handle: string): unknown {
  const product = view.request.catalog.product(handle);
  return product && productObject(view, product);
}

export function findPageByHandle(view: View, handle: string): unknown {
  const page = view.request.catalog.page(handle);
  return page && pageObject(view, page);
}

/** Returns a published article.  @param path handles of blog and article: "news/first" */
export function findArticle(view: View, path: string): unknown {
  const [blog = "", handle = ""] = path.split("/", 2);
  const article = view.request.catalog.article(blog, handle);
  return article && isArticlePublished(article, view.request.now) ? articleObject(view, article) : undefined;
}

/** Creates the `pages` object: `pages.about`. */
export function pagesObject(view: View): Lookup {
  const { catalog } = view.request;
  const listing = createNumberListing(
    () => catalog.numbers("page"),
    (number) => {
      const entry = catalog.entry(number);
      return entry?.kind === "page" ? pageObject(view, entry) : undefined;
    },
  );
  return new Lookup((handle) => findPageByHandle(view, handle), listing);
}

/** Creates the `blogs` object: `blogs.news`. */
export function blogsObject(view: View): Lookup {
  const listBlogs = (): readonly string[] => view.request.catalog.blogs();
  const listing = new Listing(
    () => listBlogs().length,
    (offset, limit) =>
      listBlogs()
        .slice(offset, offset + limit)
        .map((handle) => blogObject(view, handle)),
  );
  return new Lookup((handle) => blogObject(view, handle), listing);
}

/** Creates the `articles` object: `articles['news/first']`. */
export function articlesObject(view: View): Lookup {
  return new Lookup((path) => findArticle(view, path));
}

/**
 * Creates the `bundles` object: `bundles['tea-for-two']`. A loop over it visits all bundles that are currently
 * available.
 */
export function bundlesObject(view: View): Lookup {
  const { catalog, now } = view.request;
  const isLive = (number: number): boolean => {
    const entry = catalog.entry(number);
    return entry?.kind === "bundle" && isBundleLive(entry, catalog, now);
  };
  const listing = createNumberListing(
    () => catalog.numbers("bundle").filter(isLive),
    (number) => {
      const entry = catalog.entry(number);
      return entry?.kind === "bundle" ? bundleObject(view, entry) : undefined;
    },
  );
  return new Lookup((handle) => {
    const bundle = catalog.bundle(handle);
    return bundle !== undefined && isBundleLive(bundle, catalog, now) ? bundleObject(view, bundle) : undefined;
  }, listing);
}
