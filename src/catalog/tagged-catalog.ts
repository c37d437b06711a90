import type { Catalog, Entry } from "./catalog.ts";

/**
 * Returns a catalog that reports a tag for each read. If a later change of the catalog changes the result of a read,
 * `findChangedTags` returns the tag of this read.
 *
 * | tag | changes with |
 * |---|---|
 * | `product-<handle>`, `collection-<handle>`, `page-<handle>` | the row; for products also with its stock |
 * | `list-<handle>` | the collection, its members, and their rows and stock |
 * | `products`, `articles`, `bundles`, `discounts`, `metaobjects` | any row of the kind |
 * | `collections`, `pages` | the order and titles of these entries, and whether collections are empty |
 * | `memberships` | any row of a collection |
 * | `blogs` | the first and the last article of a blog |
 */
export function createTaggedCatalog(catalog: Catalog, onTagRead: (tag: string) => void): Catalog {
  const readEntry = <E extends Entry | undefined>(entry: E): E => {
    if (entry !== undefined) onTagRead(getEntryTag(entry));
    return entry;
  };
  /** Returns a function that calls `read` and reports the tag of its argument. */
  const tag =
    <Argument, Result>(getTag: (argument: Argument) => string, read: (argument: Argument) => Result) =>
    (argument: Argument): Result => {
      onTagRead(getTag(argument));
      return read(argument);
    };
  const getProductTag = (handle: string): string => formatTag("product", handle);
  const taggedCatalog: Catalog = {
    revision: catalog.revision,
    stock: catalog.stock,
    entry: (number) => readEntry(catalog.entry(number)),
    locationOf(number) {
      readEntry(catalog.entry(number));
      return catalog.locationOf(number);
    },
    product: tag(getProductTag, catalog.product),
    productNumber: tag(getProductTag, catalog.productNumber),
    // No tag is needed: callers also read a list that contains the product, and the list's tag covers stock.
    isAvailableNow: (number) => catalog.isAvailableNow(number),
    productById(id) {
      const product = catalog.productById(id);
      onTagRead(product === undefined ? "products" : getEntryTag(product));
      return product;
    },
    productNumberById(id) {
      taggedCatalog.productById(id);
      return catalog.productNumberById(id);
    },
    variant(id) {
      const offer = catalog.variant(id);
      onTagRead(offer === undefined ? "products" : getEntryTag(offer.product));
      return offer;
    },
    findAnyVariant: tag(() => "products", catalog.findAnyVariant),
    variantsBySku: tag(() => "products", catalog.variantsBySku),
    hasVariant: tag(() => "products", catalog.hasVariant),
    collection: tag((handle) => formatTag("collection", handle), catalog.collection),
    page: tag((handle) => formatTag("page", handle), catalog.page),
    article(blog, handle) {
      onTagRead("articles");
      return catalog.article(blog, handle);
    },
    bundle: tag(() => "bundles", catalog.bundle),
    discount: tag(() => "discounts", catalog.discount),
    automaticDiscounts() {
      onTagRead("discounts");
      return catalog.automaticDiscounts();
    },
    // Pages of anonymous visitors show neither gift cards nor customers, so no tag is needed.
    giftCard: (code) => catalog.giftCard(code),
    customer: (id) => catalog.customer(id),
    metaobjects: tag(() => "metaobjects", catalog.metaobjects),
    numbers: tag((kind) => `${kind}s`, catalog.numbers),
    collectionProducts: tag((handle) => formatTag("list", handle), catalog.collectionProducts),
    collectionsOf(productHandle) {
      onTagRead(getProductTag(productHandle));
      onTagRead("memberships");
      return catalog.collectionsOf(productHandle);
    },
    blogs() {
      onTagRead("blogs");
      return catalog.blogs();
    },
    // No tag is needed: callers also read the document numbers of the products, and that read reports a tag.
    facets: () => catalog.facets(),
  };
  sources.set(taggedCatalog, catalog);
  return taggedCatalog;
}

/** For each catalog from `createTaggedCatalog`, the catalog that it wraps. */
const sources = new WeakMap<Catalog, Catalog>();

/**
 * Returns the original of a catalog from `createTaggedCatalog`, which reports no tags. Use it to read titles of collections
 * and pages, and whether collections are empty. The tags `collections` and `pages` from `numbers` cover these reads.
 */
export function unwrapCatalog(catalog: Catalog): Catalog {
  return sources.get(catalog) ?? catalog;
}

/** Formats a tag that all CDNs accept: printable ASCII without spaces and commas. */
export function formatTag(kind: "product" | "collection" | "page" | "list", handle: string): string {
  return `${kind}-${encodeURIComponent(handle.toWellFormed())}`;
}

function getEntryTag(entry: Entry): string {
  if (entry.kind === "article" || entry.kind === "bundle") return `${entry.kind}s`;
  return formatTag(entry.kind, entry.handle);
}
