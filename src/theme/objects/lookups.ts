import { isBundleLive } from "../../catalog/bundle.ts";
import { findEntry } from "../../catalog/catalog.ts";
import { isArticlePublished } from "../../catalog/content.ts";
import { isFromShopify, type View } from "../view.ts";
import { createAllProductsObject, createCollectionObject } from "./collections/collection.ts";
import { createArticleObject } from "./content/article.ts";
import { createBlogObject } from "./content/blog.ts";
import { createPageObject } from "./content/page.ts";
import { createEntryListing, Listing } from "./listing.ts";
import { createBundleObject } from "./products/bundle.ts";
import { createProductObject } from "./products/product.ts";
import { EmptyObject, Lookup } from "./template-object.ts";

/** Creates an object that finds others by handle: `pages.about`. Themes made for Shopify compare the rest with `empty`. */
export function createLookup(view: View, findByHandle: (handle: string) => unknown, listing?: Listing): Lookup {
  return new Lookup(findByHandle, listing, isFromShopify(view) ? new EmptyObject() : undefined);
}

/** Creates the `collections` object: `collections['tea']`. A loop over it visits all collections. */
export function createCollectionsObject(view: View): Lookup {
  const listing = createEntryListing(view.request.catalog, "collection", (collection) =>
    createCollectionObject(view, collection),
  );
  return createLookup(view, (handle) => findCollection(view, handle), listing);
}

/**
 * Returns a collection. A collection with the handle "all" exists in every shop.
 * @param tags handles of the tags that its products must have
 */
export function findCollection(view: View, handle: string, tags: readonly string[] = []): unknown {
  const collection = view.request.catalog.collection(handle);
  if (collection !== undefined) return createCollectionObject(view, collection, tags);
  return handle === "all" ? createAllProductsObject(view, tags) : undefined;
}

export function findProductByHandle(view: View, handle: string): unknown {
  const product = view.request.catalog.product(handle);
  return product && createProductObject(view, product);
}

export function findPageByHandle(view: View, handle: string): unknown {
  const page = view.request.catalog.page(handle);
  return page && createPageObject(view, page);
}

/** Returns a published article.  @param path handles of blog and article: "news/first" */
export function findArticle(view: View, path: string): unknown {
  const [blog = "", handle = ""] = path.split("/", 2);
  const article = view.request.catalog.article(blog, handle);
  return article && isArticlePublished(article, view.request.now) ? createArticleObject(view, article) : undefined;
}

/** Creates the `pages` object: `pages.about`. */
export function createPagesObject(view: View): Lookup {
  const listing = createEntryListing(view.request.catalog, "page", (page) => createPageObject(view, page));
  return createLookup(view, (handle) => findPageByHandle(view, handle), listing);
}

/** Creates the `blogs` object: `blogs.news`. */
export function createBlogsObject(view: View): Lookup {
  const listBlogs = (): readonly string[] => view.request.catalog.blogs();
  const listing = new Listing(
    () => listBlogs().length,
    (offset, limit) =>
      listBlogs()
        .slice(offset, offset + limit)
        .map((handle) => createBlogObject(view, handle)),
  );
  return createLookup(view, (handle) => createBlogObject(view, handle), listing);
}

/**
 * Creates the `bundles` object: `bundles['tea-for-two']`. A loop over it visits all bundles that are currently
 * available.
 */
export function createBundlesObject(view: View): Lookup {
  const { catalog, now } = view.request;
  const isLiveBundle = (number: number): boolean => {
    const bundle = findEntry(catalog, "bundle", number);
    return bundle !== undefined && isBundleLive(bundle, catalog, now);
  };
  const listing = createEntryListing(
    catalog,
    "bundle",
    (bundle) => createBundleObject(view, bundle),
    () => catalog.numbers("bundle").filter(isLiveBundle),
  );
  return new Lookup((handle) => {
    const bundle = catalog.bundle(handle);
    return bundle !== undefined && isBundleLive(bundle, catalog, now) ? createBundleObject(view, bundle) : undefined;
  }, listing);
}
