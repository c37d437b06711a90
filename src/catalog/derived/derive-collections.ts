import { getOrCreate, memoizePerObject } from "../../runtime/cache.ts";
import { capitalize } from "../../runtime/capitalize.ts";
import { truncateWithEllipsis } from "../../runtime/truncate-text.ts";
import type { Catalog } from "../catalog.ts";
import { type Collection, type CollectionRules, matchesRules } from "../collection.ts";
import type { FacetValue } from "../facets/facets.ts";
import { facetParams } from "../facets/filter-selection.ts";
import { localize } from "../localize.ts";
import type { Translations } from "../product.ts";
import { deriveId, handleOf } from "../rows/identity.ts";

/** Names that the shop uses for derived collections. */
export interface CollectionNames {
  /** Name of the collection of all products, by locale. The default locale is first. */
  readonly allProducts: ReadonlyMap<string, string>;
}

/** A collection that is derived from the catalog. */
export interface DerivedCollection {
  readonly collection: Collection;
  /** Facet and values that select the collection's products; undefined if the collection contains all products. */
  readonly source?: { readonly facet: string; readonly values: ReadonlySet<string> };
}

/** Id of the collection of all products. */
export const allProductsId = deriveId("derived all");

/** Minimum number of products of a derived collection. */
const MIN_PRODUCTS = 2;
const MAX_PRODUCT_TYPES = 20;
const MAX_VENDORS = 12;
/**
 * Maximum number of collections derived from tags. The limit is low because shops also use tags for internal purposes.
 */
const MAX_TAGS = 8;
/**
 * Maximum share of a shop's products that may have a tag. A tag on more products is too general to be a collection,
 * except in a small shop.
 */
const MAX_TAGGED_SHARE = 0.9;
const SMALL_SHOP_PRODUCT_COUNT = 10;
const MAX_TITLE_LENGTH = 80;
/** Placeholder words that import programs write for an empty value. */
const placeholderValues: ReadonlySet<string> = new Set(
  "default n/a na none null - uncategorized uncategorised unknown".split(" "),
);

/**
 * Derives collections for a shop that has none: one of all products, then one for each product type and each vendor,
 * largest first. If no product has a type, tags replace types. Omits collections with one product or with all products,
 * a single vendor, tags on nearly all products, and internal tags.
 */
export function deriveCollections(
  catalog: Pick<Catalog, "entry" | "facets" | "numbers">,
  names: CollectionNames,
): readonly DerivedCollection[] {
  const total = catalog.numbers("product").length;
  if (total === 0) return [];
  const facets = catalog.facets();
  // These handles are reserved by the shop's URLs.
  const usedHandles = new Set(["all", "types", "vendors"]);
  const findGroups = (facet: string, limit: number, filter: (group: Group) => boolean = () => true): readonly Group[] =>
    groupValues(facets.values(facet))
      .filter((group) => group.count >= MIN_PRODUCTS && group.count < total && filter(group))
      .slice(0, limit);
  const types = findGroups(facetParams.productType, MAX_PRODUCT_TYPES);
  const hasProductTypes = facets.values(facetParams.productType).length > 0;
  const isUsefulTag = ({ key, count }: Group): boolean =>
    !isInternalTag(key) && (total <= SMALL_SHOP_PRODUCT_COUNT || count < MAX_TAGGED_SHARE * total);
  const tags = hasProductTypes ? [] : findGroups(facetParams.tag, MAX_TAGS, isUsefulTag);
  const usedKeys = new Set([...types, ...tags].map(({ key }) => key));
  const vendors = findGroups(facetParams.vendor, MAX_VENDORS).filter(({ key }) => !usedKeys.has(key));
  const locales = [...names.allProducts.keys()];
  const collectionsOfTypes = addTitles(types).map(({ group, title }): DerivedCollection => {
    const translations = translateType(catalog, group, title, locales);
    return createCollection({ facet: facetParams.productType, group, title, usedHandles, translations });
  });
  const createNamedCollection = (facet: string, group: Group, name: (text: string) => string): DerivedCollection => {
    const title = truncateTitle(name(group.values[0]?.value.trim() ?? ""));
    return createCollection({ facet, group, title, usedHandles, translations: {} });
  };
  const tagCollections = tags.map((group) => createNamedCollection(facetParams.tag, group, capitalize));
  const vendorCollections =
    vendors.length < 2 ? [] : vendors.map((group) => createNamedCollection(facetParams.vendor, group, (text) => text));
  return [createFullCollection(names), ...collectionsOfTypes, ...tagCollections, ...vendorCollections];
}

/** A facet value with all its spellings, most frequent spelling first. */
interface Group {
  readonly key: string;
  readonly values: readonly FacetValue[];
  readonly count: number;
}

/** Returns the groups of facet values, largest first. They are cached with the list of values. */
const groupValues = memoizePerObject((values: readonly FacetValue[]): readonly Group[] => {
  const valuesByKey = Map.groupBy(values, ({ value }) => value.trim().toLowerCase());
  return [...valuesByKey]
    .filter(([key]) => /[\p{L}\p{N}]/u.test(key) && !placeholderValues.has(key))
    .map(([key, spellings]) => ({
      key,
      values: spellings.toSorted((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1)),
      count: spellings.reduce((sum, { count }) => sum + count, 0),
    }))
    .sort((left, right) => right.count - left.count || (left.key < right.key ? -1 : 1));
});

/**
 * Returns the groups with titles. A type that is a path, as in product feeds, gets its last part as title if that part
 * is unique: "Home > Kitchen > Mugs" becomes "Mugs".
 */
function addTitles(groups: readonly Group[]): readonly { readonly group: Group; readonly title: string }[] {
  const paths = groups.map(({ values }) => splitProductType(values[0]?.value ?? ""));
  const pathsByName = Map.groupBy(paths, (path) => (path.at(-1) ?? "").toLowerCase());
  return groups.map((group, index) => {
    const path = paths[index] ?? [];
    const isUniqueName = pathsByName.get((path.at(-1) ?? "").toLowerCase())?.length === 1;
    return { group, title: truncateTitle(capitalizeName(isUniqueName ? (path.at(-1) ?? "") : path.join(" \u203a "))) };
  });
}

function splitProductType(type: string): readonly string[] {
  const parts = type
    .split(/\s*>\s*|\s+\/\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length === 0 ? [type.trim()] : parts;
}

/**
 * Capitalizes a lowercase name. A name that contains a capital letter is unchanged, because brands choose their
 * spelling.
 */
function capitalizeName(text: string): string {
  return text === text.toLowerCase() ? capitalize(text) : text;
}

function truncateTitle(text: string): string {
  return truncateWithEllipsis(text, MAX_TITLE_LENGTH);
}

/** Returns the translations of a product type, read from an example product. */
function translateType(
  catalog: Pick<Catalog, "entry">,
  { values }: Group,
  title: string,
  locales: readonly string[],
): Translations {
  const [firstValue] = values;
  const exampleEntry = firstValue?.example === undefined ? undefined : catalog.entry(firstValue.example);
  if (exampleEntry?.kind !== "product" || exampleEntry.productType !== firstValue?.value) return {};
  const titlesByLocale = locales.slice(1).flatMap((locale) => {
    const type = capitalizeName(splitProductType(localize(exampleEntry, locale).productType).at(-1) ?? "");
    return type === "" || type === title ? [] : [[locale, { title: truncateTitle(type) }] as const];
  });
  return Object.fromEntries(titlesByLocale);
}

/** Facets that become collections, each with a prefix for handles and the collection rule that selects products. */
const facetRules: ReadonlyMap<string, readonly [kind: string, rule: keyof CollectionRules]> = new Map([
  [facetParams.productType, ["type", "productType"]],
  [facetParams.vendor, ["brand", "vendor"]],
  [facetParams.tag, ["tag", "tag"]],
]);

function createCollection({
  facet,
  group,
  title,
  usedHandles,
  translations,
}: {
  readonly facet: string;
  readonly group: Group;
  readonly title: string;
  readonly usedHandles: Set<string>;
  readonly translations: Translations;
}): DerivedCollection {
  const [handleSuffix, ruleName] = facetRules.get(facet) ?? ["", "tag"];
  const id = deriveId(`derived ${facet} ${group.key}`);
  const baseHandle = handleOf(title) || `collection-${id}`;
  const handle = usedHandles.has(baseHandle) ? `${baseHandle}-${handleSuffix}-${id.slice(-4)}` : baseHandle;
  usedHandles.add(handle);
  const value = group.values[0]?.value ?? "";
  return {
    collection: {
      kind: "collection",
      id,
      handle,
      title,
      description: "",
      products: [],
      rules: { [ruleName]: value },
      published: true,
      isDerived: true,
      translations,
    },
    source: { facet, values: new Set(group.values.map((candidate) => candidate.value)) },
  };
}

function createFullCollection({ allProducts }: CollectionNames): DerivedCollection {
  const [[, title] = ["", "Products"], ...translatedTitles] = allProducts;
  const collection: Collection = {
    kind: "collection",
    id: allProductsId,
    handle: "all",
    title,
    description: "",
    products: [],
    published: true,
    isDerived: true,
    translations: Object.fromEntries(translatedTitles.map(([locale, text]) => [locale, { title: text }])),
  };
  return { collection };
}

/**
 * Returns whether a tag is meant for a program or the merchant instead of shoppers. Only the spelling of the tag
 * matters, not its frequency.
 * @param tag without surrounding whitespace
 */
function isInternalTag(tag: string): boolean {
  const key = tag.toLowerCase();
  return (
    internalTags.has(key) ||
    [structuredTagPattern, idOrDatePattern, appTagPattern, exclusionTagPattern].some((pattern) => pattern.test(key))
  );
}

/**
 * Matches a key with a value ("color:red", "color=red"), the name of a program ("YGroup_x", "_hidden"), or a leading
 * punctuation mark ("#sync").
 */
const structuredTagPattern = /[:=_|]|^[!-/:-@[-`{-~]/;
/** Matches numbers of five or more digits, such as "20230114". Sizes and years are shorter. */
const idOrDatePattern = /^\d{5,}$/;

const internalTags: ReadonlySet<string> = new Set(
  "b2b default draft dropship exclude excluded hidden hide internal nofollow noindex test wholesale".split(" "),
);

/**
 * Matches tags that apps add for their own use: a keyword such as "shipping", "spo" (product options) or "bis" (waiting
 * list), a hyphen and a value.
 */
const appTagPattern = /^(?:b2b|bis|excl|exclude|freight|hidden|hide|internal|ship|shipping|spo|sync|wholesale)-\S+$/;
/** Matches tags that exclude a product from something: "no-discount", "nosync", "do-not-return". */
const exclusionTagPattern =
  /^(?:(?:do-?not|dont)-\S+|no-?(?:coupon|discount|export|facebook|feed|follow|google|index|promo|refund|return|shipping|sync|tax)s?)$/;

/** First document number of derived collections. Rows of a catalog have lower numbers. */
export const FIRST_DERIVED_NUMBER = 0xffff_0000;

/**
 * Adds derived collections to a catalog. Their products are computed on access.
 * @param collections the same array object while the collections are unchanged, because cached data is keyed by the
 * array
 */
export function addDerivedCollections(catalog: Catalog, collections: readonly DerivedCollection[]): Catalog {
  if (collections.length === 0) return catalog;
  const collectionsByHandle = new Map(collections.map((item) => [item.collection.handle, item]));
  const numbers = Uint32Array.from(collections, (_, index) => FIRST_DERIVED_NUMBER + index);
  const members = new Map<string, Uint32Array>();
  const getMembers = ({ collection: { handle }, source }: DerivedCollection): Uint32Array => {
    const products = catalog.numbers("product");
    if (source === undefined) return products;
    return getOrCreate(members, handle, () => catalog.facets().findProductsWithValue(source.facet, source.values));
  };
  const getDerivedCollection = (number: number): DerivedCollection | undefined =>
    number < FIRST_DERIVED_NUMBER ? undefined : collections[number - FIRST_DERIVED_NUMBER];
  return {
    ...catalog,
    entry: (number) => getDerivedCollection(number)?.collection ?? catalog.entry(number),
    locationOf: (number) =>
      getDerivedCollection(number) === undefined
        ? catalog.locationOf(number)
        : { rows: collections, position: number - FIRST_DERIVED_NUMBER },
    collection: (handle) => collectionsByHandle.get(handle)?.collection ?? catalog.collection(handle),
    numbers: (kind) => (kind === "collection" ? numbers : catalog.numbers(kind)),
    collectionProducts(handle) {
      const derivedCollection = collectionsByHandle.get(handle);
      return derivedCollection === undefined ? catalog.collectionProducts(handle) : getMembers(derivedCollection);
    },
    collectionsOf(productHandle) {
      const product = catalog.product(productHandle);
      if (product === undefined) return [];
      const containsProduct = ({ collection: { rules }, source }: DerivedCollection): boolean =>
        source === undefined || (rules !== undefined && matchesRules(rules, product));
      // The first derived collection contains all products, so it is the least specific and moves to the end.
      const [firstMatch, ...otherMatches] = collections.filter(containsProduct);
      return [...otherMatches, ...(firstMatch === undefined ? [] : [firstMatch])].map(
        ({ collection }) => collection.handle,
      );
    },
  };
}
