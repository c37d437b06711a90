import { type Catalog, findEntry } from "../../../catalog/catalog.ts";
import type { Collection } from "../../../catalog/collection.ts";
import { allProductsId } from "../../../catalog/derived/derive-collections.ts";
import type { ProductList } from "../../../catalog/facets/facets.ts";
import {
  emptySelection,
  facetParams,
  hasSelection,
  parseFilters,
  readSortKey,
} from "../../../catalog/facets/filter-selection.ts";
import { localize } from "../../../catalog/localize.ts";
import {
  type CollectionView,
  collectionPresenter,
  findFeaturedImage,
  getOwnImage,
} from "../../../catalog/presenters/content.ts";
import { formatPublicId } from "../../../catalog/presenters/presenter.ts";
import { decodeUriPart } from "../../../runtime/decode-uri.ts";
import { escapeIfUnsafe } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";
import { createImageObject, createImageUrlObject } from "../image.ts";
import { createEntryListing, type Listing } from "../listing.ts";
import { emptyMetafields } from "../metafields.ts";
import { createCollectionProduct, createProductObject } from "../products/product.ts";
import { filterByTags, listTags, parsePageList } from "../tags.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { readTemplateSuffix } from "../template-suffix.ts";
import { sortOptionType } from "./filter-object.ts";
import { listFilters } from "./list-filters.ts";

/** Supported values of `sort_by`, with their English names. */
const sortOrderNames: readonly (readonly [value: string, name: string])[] = [
  ["manual", "Featured"],
  ["best-selling", "Best selling"],
  ["title-ascending", "Alphabetically, A-Z"],
  ["title-descending", "Alphabetically, Z-A"],
  ["price-ascending", "Price, low to high"],
  ["price-descending", "Price, high to low"],
  ["created-ascending", "Date, old to new"],
  ["created-descending", "Date, new to old"],
];

interface CollectionData extends CollectionView {
  readonly view: View;
  readonly products: Listing;
  /** Returns the number of products that match the shopper's filters. */
  readonly count: () => number;
  readonly fullCount: () => number;
  readonly filters: () => readonly unknown[];
  /** Returns the unique tags of all products, ignoring the shopper's filters. */
  readonly allTags: () => readonly string[];
  readonly tags: () => readonly string[];
  /** All products of the collection, ignoring the shopper's filters. */
  readonly list: ProductList;
  readonly numbers: () => Uint32Array;
}

/** Creates a `collection` object in the page's language.  @param collection collection in any language */
export function createCollectionObject(
  view: View,
  collection: Collection,
  tags: readonly string[] = [],
): TemplateObject<CollectionData> {
  const { catalog } = view.request;
  const { handle } = collection;
  return createProductListObject({
    view,
    collection: localizeCollection(view, collection),
    key: `collection ${handle}`,
    tags,
    numbers: () => catalog.collectionProducts(handle),
  });
}

/** Returns the collection in the page's language. */
export function localizeCollection(view: View, collection: Collection): Collection {
  const localizedCollection = localize(collection, view.request.locale);
  const title = collection.id === allProductsId ? getAllProductsTitle(view) : undefined;
  return title === undefined ? localizedCollection : { ...localizedCollection, title };
}

/** Returns the title that the theme's translations define for the collection of all products. */
function getAllProductsTitle(view: View): string | undefined {
  return view.translate("collections.all_products")?.text;
}

/** Creates the collection of all products, for a shop without a collection named "all". */
export function createAllProductsObject(view: View, tags: readonly string[]): TemplateObject<CollectionData> {
  const collection: Collection = {
    kind: "collection",
    id: allProductsId,
    handle: "all",
    title: getAllProductsTitle(view) ?? "Products",
    description: "",
    products: [],
    published: true,
    translations: {},
  };
  return createProductListObject({
    view,
    collection,
    key: "all",
    tags,
    numbers: () => view.request.catalog.numbers("product"),
  });
}

/** Creates a `collection` object. The sort order and filters in the URL only apply on the collection's own page. */
function createProductListObject({
  view,
  collection,
  key,
  tags,
  numbers,
}: {
  readonly view: View;
  readonly collection: Collection;
  readonly key: string;
  /** Handles of the tags that all products must have. */
  readonly tags: readonly string[];
  readonly numbers: () => Uint32Array;
}): TemplateObject<CollectionData> {
  const { catalog, locale } = view.request;
  const pageList = parsePageList(view);
  const isPageList = pageList?.kind === "collection" && pageList.handle === collection.handle;
  const fullList: ProductList = { key, numbers: memoize(numbers) };
  const selection = isPageList ? parseFilters(view.query, view.config.currency) : emptySelection;
  const order = isPageList ? readSortKey(view.query.get("sort_by")) : undefined;
  const taggedList = memoize(() => filterByTags(view, fullList, tags));
  const filterResult = memoize(() => catalog.facets().filter(taggedList(), selection));
  const displayedList = memoize(() => (hasSelection(selection) ? filterResult().list : taggedList()));
  const sortedNumbers = memoize(() =>
    order === undefined ? displayedList().numbers() : catalog.facets().sort(displayedList(), order, locale),
  );
  const products = createEntryListing(
    catalog,
    "product",
    (product) => createProductObject(view, product),
    sortedNumbers,
  );
  const isEmpty = (): boolean => taggedList().numbers().length === 0;
  return new TemplateObject(collectionType, {
    view,
    collection,
    locale,
    prefix: view.prefix,
    products,
    count: () => displayedList().numbers().length,
    fullCount: () => fullList.numbers().length,
    filters: () => (isPageList && !isEmpty() ? listFilters({ view, filterResult: filterResult(), selection }) : []),
    allTags: () => listTags(view.request, fullList),
    tags: () => listTags(view.request, displayedList()),
    list: fullList,
    numbers: fullList.numbers,
  });
}

function memoize<T>(computeValue: () => T): () => T {
  let cachedResult: { readonly value: T } | undefined;
  return () => {
    cachedResult ??= { value: computeValue() };
    return cachedResult.value;
  };
}

const collectionType = createObjectType<CollectionData>(
  "collection",
  {
    ...collectionPresenter,
    // Themes detect the collection of all products by its missing id.
    id: ({ collection }) => (collection.id === allProductsId ? undefined : formatPublicId(collection.id)),
    image: ({ collection }) => createImageUrlObject(getOwnImage(collection)),
    featured_image: (subject) =>
      createImageObject(findFeaturedImage(subject, subject.view.request.catalog, subject.numbers)),
    products_count: ({ count }) => count(),
    all_products_count: ({ fullCount }) => fullCount(),
  },
  {
    products: ({ products }) => products,
    sort_by: ({ view }) => readSortKey(view.query.get("sort_by")),
    default_sort_by: () => "manual",
    sort_options: ({ view }) => listSortOptions(view),
    filters: ({ filters }) => filters(),
    tags: ({ tags }) => tags(),
    all_tags: ({ allTags }) => allTags(),
    all_types: ({ view, list }) => listFacetValues(view.request.catalog, list, facetParams.productType),
    all_vendors: ({ view, list }) => listFacetValues(view.request.catalog, list, facetParams.vendor),
    metafields: () => emptyMetafields,
    template_suffix: ({ view, collection }) =>
      readTemplateSuffix(view, `/collections/${collection.handle}`, view.request.catalog.collection(collection.handle)),
    current_vendor: ({ view, collection }) => getFilterValue(view, collection, "vendor"),
    current_type: ({ view, collection }) => getFilterValue(view, collection, "product_type"),
    previous_product: (subject) => findNeighborProduct(subject, -1),
    next_product: (subject) => findNeighborProduct(subject, 1),
  },
  {
    emptyFields: "published_at",
    fieldTypes: {
      image: "image",
      featured_image: "image",
      products: "product[]",
      sort_options: "sort_option[]",
      filters: "filter[]",
      metafields: "metafields",
      previous_product: "product",
      next_product: "product",
    },
    identity: ({ collection }) => collection.handle,
  },
);

/**
 * Returns the available sort orders. Sorting by date requires that the catalog contains dates.
 * @param allowedValues values to include; undefined for all
 */
export function listSortOptions(view: View, allowedValues?: readonly string[]): readonly unknown[] {
  const hasDates = memoize(() => view.request.catalog.facets().hasDates());
  return sortOrderNames
    .filter(([value]) => allowedValues?.includes(value) !== false && (!value.startsWith("created") || hasDates()))
    .map(
      ([value, name]) =>
        new TemplateObject(sortOptionType, { value, name: view.translate(`collections.sort.${value}`)?.text ?? name }),
    );
}

/**
 * Returns the vendor or product type that filters the page, if the page shows this collection and its query contains
 * exactly one.
 * @param field name in the query parameter: "vendor" for `filter.p.vendor`
 */
function getFilterValue(view: View, { handle }: Collection, field: string): unknown {
  const isPageList = parsePageList(view)?.handle === handle;
  const values = isPageList ? view.query.getAll(`filter.p.${field}`) : [];
  const [value, ...otherValues] = values;
  return value === undefined || otherValues.length > 0 ? undefined : escapeIfUnsafe(value);
}

/**
 * On the page of a product in the collection, returns the previous or next product. The object prints the product's URL
 * within the collection.
 */
function findNeighborProduct({ view, collection, numbers }: CollectionData, step: -1 | 1): unknown {
  const [, encodedHandle = "", handle = ""] = /^\/collections\/([^/]+)\/products\/([^/]+)$/.exec(view.path) ?? [];
  const { catalog } = view.request;
  const number =
    encodedHandle === encodeURIComponent(collection.handle) ? catalog.productNumber(decodeUriPart(handle)) : undefined;
  const index = number === undefined ? -1 : numbers().indexOf(number);
  const product = index < 0 ? undefined : findEntry(catalog, "product", numbers()[index + step]);
  if (product === undefined) return undefined;
  return createCollectionProduct(
    view,
    product,
    `/collections/${encodedHandle}/products/${encodeURIComponent(product.handle)}`,
  );
}

/** Returns the unique values of a product field such as "vendor" in a list of products, sorted. */
export function listFacetValues(catalog: Catalog, list: ProductList, facet: string): readonly string[] {
  const values = catalog.facets().valuesOf(list, facet);
  return values.map(({ value }) => value).sort();
}
