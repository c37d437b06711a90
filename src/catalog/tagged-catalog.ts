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
  const taggedCatalog: Catalog = {
    revision: catalog.revision,
    stock: catalog.stock,
    entry: (number) => readEntry(catalog.entry(number)),
    locationOf(number) {
      readEntry(catalog.entry(number));
      return catalog.locationOf(number);
    },
    product(handle) {
      onTagRead(formatTag("product", handle));
      return catalog.product(handle);
    },
    productNumber(handle) {
      onTagRead(formatTag("product", handle));
      return catalog.productNumber(handle);
    },
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
    findAnyVariant(id) {
      onTagRead("products");
      return catalog.findAnyVariant(id);
    },
    variantsBySku(sku) {
      onTagRead("products");
      return catalog.variantsBySku(sku);
    },
    hasVariant(id) {
      onTagRead("products");
      return catalog.hasVariant(id);
    },
    collection(handle) {
      onTagRead(formatTag("collection", handle));
      return catalog.collection(handle);
    },
    page(handle) {
      onTagRead(formatTag("page", handle));
      return catalog.page(handle);
    },
    article(blog, handle) {
      onTagRead("articles");
      return catalog.article(blog, handle);
    },
    bundle(handle) {
      onTagRead("bundles");
      return catalog.bundle(handle);
    },
    discount(code) {
      onTagRead("discounts");
      return catalog.discount(code);
    },
    automaticDiscounts() {
      onTagRead("discounts");
      return catalog.automaticDiscounts();
    },
    // Pages of anonymous visitors show neither gift cards nor customers, so no tag is needed.
    giftCard: (code) => catalog.giftCard(code),
    customer: (id) => catalog.customer(id),
    metaobjects(type) {
      onTagRead("metaobjects");
      return catalog.metaobjects(type);
    },
    numbers(kind) {
      onTagRead(`${kind}s`);
      return catalog.numbers(kind);
    },
    collectionProducts(handle) {
      onTagRead(formatTag("list", handle));
      return catalog.collectionProducts(handle);
    },
    collectionsOf(productHandle) {
      onTagRead(formatTag("product", productHandle));
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
