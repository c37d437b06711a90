import type { Collection } from "../../../catalog/collection.ts";
import { localize } from "../../../catalog/localize.ts";
import {
  collectionFeaturedImage,
  collectionImage,
  collectionPresenter,
  type ShownCollection,
} from "../../../catalog/presenters/collection.ts";
import type { View } from "../../view.ts";
import { imageAddress, imageObject } from "../image.ts";
import { type Listing, numberListing } from "../listing.ts";
import { noMetafields } from "../metafields.ts";
import { productObject } from "../products/product.ts";
import { shownList, tagsOf, withTags } from "../tags.ts";
import { objectType, TemplateObject } from "../template-object.ts";
import { collectionFilters } from "./collection-filters.ts";
import { isAnythingChosen, matchesChoice, readChoice } from "./filter-choice.ts";
import { filterFacts } from "./filter-facts.ts";
import { sortOptionObject } from "./filter-object.ts";
import { sortKeys, sortProducts } from "./sort-products.ts";

interface Subject extends ShownCollection {
  readonly view: View;
  readonly products: Listing;
  /** How many there are, and how many without the shopper's filters. */
  readonly count: () => number;
  readonly fullCount: () => number;
  readonly filters: () => readonly unknown[];
  /** Of the products without the shopper's filters, and of those shown; each once, in order. */
  readonly allTags: () => readonly string[];
  readonly tags: () => readonly string[];
  /** Names the list of products within the catalogue. */
  readonly key: string;
  readonly numbers: () => Uint32Array;
}

/** @param collection in any language; it is translated here */
export function collectionObject(view: View, collection: Collection): TemplateObject<Subject> {
  const { catalog, locale } = view.request;
  return make(view, localize(collection, locale), `collection ${collection.handle}`, () =>
    catalog.collectionProducts(collection.handle),
  );
}

/** Everything there is, for a shop that has no collection of that name. */
export function allProductsCollection(view: View): TemplateObject<Subject> {
  const collection: Collection = {
    kind: "collection",
    id: "all",
    handle: "all",
    title: view.translate("collections.all_products")?.text ?? "Products",
    description: "",
    products: [],
    published: true,
    translations: {},
  };
  return make(view, collection, "all", () => view.request.catalog.numbers("product"));
}

/** Sorting and filters of the page's query count on the collection's own page alone. */
function make(view: View, collection: Collection, key: string, numbers: () => Uint32Array): TemplateObject<Subject> {
  const { catalog, locale } = view.request;
  const list = shownList(view);
  const isShown = list?.kind === "collection" && list.handle === collection.handle;
  const wanted = isShown ? list.tags : [];
  const order = isShown ? view.query.get("sort_by") : null;
  const choice = readChoice(isShown ? view.query : new URLSearchParams(), view.config.currency);
  let kept: Uint32Array | undefined;
  const shown = (): Uint32Array => {
    kept ??= choose(sortProducts({ catalog, locale }, key, numbers(), order));
    return kept;
  };
  const choose = (listed: Uint32Array): Uint32Array => {
    const sorted = withTags(catalog, listed, wanted, locale);
    const facts = isAnythingChosen(choice) ? filterFacts(catalog, key, numbers()) : undefined;
    if (facts === undefined) return sorted;
    return sorted.filter((number) => {
      const one = facts.get(number);
      return one !== undefined && matchesChoice(one, choice);
    });
  };
  const products = numberListing(shown, (number) => {
    const entry = catalog.entry(number);
    return entry?.kind === "product" ? productObject(view, entry) : undefined;
  });
  const filters = (): readonly unknown[] => {
    const all = isShown ? filterFacts(catalog, key, numbers()) : undefined;
    if (all === undefined) return [];
    const tagged = wanted.length === 0 ? undefined : new Set(withTags(catalog, numbers(), wanted, locale));
    const facts = tagged === undefined ? all : new Map([...all].filter(([number]) => tagged.has(number)));
    return collectionFilters({ view, facts, choice });
  };
  const count = (): number => shown().length;
  const fullCount = (): number => numbers().length;
  const allTags = (): readonly string[] => tagsOf(catalog, numbers(), locale);
  const tags = (): readonly string[] => tagsOf(catalog, shown(), locale);
  return new TemplateObject(collectionType, {
    view,
    collection,
    locale,
    prefix: view.prefix,
    products,
    count,
    fullCount,
    filters,
    allTags,
    tags,
    key,
    numbers,
  });
}

const collectionType = objectType<Subject>(
  "collection",
  {
    ...collectionPresenter,
    image: ({ collection }) => imageAddress(collectionImage(collection)),
    featured_image: (subject) =>
      imageObject(collectionFeaturedImage(subject, subject.view.request.catalog, subject.numbers)),
    products_count: ({ count }) => count(),
    all_products_count: ({ fullCount }) => fullCount(),
  },
  {
    products: ({ products }) => products,
    sort_by: ({ view }) => view.query.get("sort_by") ?? undefined,
    default_sort_by: () => "manual",
    sort_options: ({ view }) =>
      [...sortKeys].map(([value, name]) =>
        sortOptionObject({ value, name: view.translate(`collections.sort.${value}`)?.text ?? name }),
      ),
    filters: ({ filters }) => filters(),
    tags: ({ tags }) => tags(),
    all_tags: ({ allTags }) => allTags(),
    all_types: (subject) => allOf(subject, "productType"),
    all_vendors: (subject) => allOf(subject, "vendor"),
    metafields: () => noMetafields,
  },
  {
    absent: "template_suffix published_at current_vendor current_type next_product previous_product",
    returns: {
      image: "image",
      featured_image: "image",
      products: "product[]",
      sort_options: "sort_option[]",
      filters: "filter[]",
      metafields: "metafields",
    },
    identity: ({ collection }) => collection.handle,
  },
);

/** Values of one fact, each once; none where the list is too long to be read. */
function allOf({ view, key, numbers }: Subject, fact: "vendor" | "productType"): readonly string[] {
  const facts = filterFacts(view.request.catalog, key, numbers());
  return [...new Set([...(facts?.values() ?? [])].map((one) => one[fact]))].filter((value) => value !== "").sort();
}
