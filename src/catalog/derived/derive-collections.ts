import type { Catalog } from "../catalog.ts";
import { type Collection, type CollectionRules, matchesRules } from "../collection.ts";
import type { FacetValue } from "../facets/facets.ts";
import { facetParams } from "../facets/filter-selection.ts";
import { localize } from "../localize.ts";
import type { Translations } from "../product.ts";
import { deriveId, handleOf } from "../rows/identity.ts";

/** Names that the shop uses for derived collections. */
export interface DerivedNames {
  /** Name of the collection of all products, by locale. The default locale is first. */
  readonly all: ReadonlyMap<string, string>;
}

/** A collection that is derived from the catalog. */
export interface DerivedCollection {
  readonly collection: Collection;
  /** Facet and values that select the collection's products; undefined if the collection contains all products. */
  readonly of?: { readonly facet: string; readonly values: ReadonlySet<string> };
}

/** Id of the collection of all products. */
export const derivedAllId = deriveId("derived all");

/** Minimum number of products of a derived collection. */
const LEAST_PRODUCTS = 2;
const MAX_TYPES = 20;
const MAX_VENDORS = 12;
/**
 * Maximum number of collections derived from tags. The limit is low because shops also use tags for internal purposes.
 */
const MAX_TAGS = 8;
/**
 * Maximum share of a shop's products that may have a tag. A tag on more products is too general to be a collection,
 * except in a small shop.
 */
const NEARLY_ALL = 0.9;
const FEW_PRODUCTS = 10;
const MAX_TITLE = 80;
/** Placeholder words that import programs write for an empty value. */
const emptyWords = new Set(["default", "n/a", "na", "none", "null", "-", "uncategorized", "uncategorised", "unknown"]);

/**
 * Derives collections for a shop that has none: one of all products, then one for each product type and each vendor,
 * largest first. If no product has a type, tags replace types. Omits collections with one product or with all products,
 * a single vendor, tags on nearly all products, and internal tags.
 */
export function deriveCollections(
  catalog: Pick<Catalog, "entry" | "facets" | "numbers">,
  names: DerivedNames,
): readonly DerivedCollection[] {
  const total = catalog.numbers("product").length;
  if (total === 0) return [];
  const facets = catalog.facets();
  // These handles are reserved by the shop's URLs.
  const usedHandles = new Set(["all", "types", "vendors"]);
  const groups = (facet: string, most: number, isShelf: (group: Group) => boolean = () => true): readonly Group[] =>
    groupsOf(facets.values(facet))
      .filter((group) => group.count >= LEAST_PRODUCTS && group.count < total && isShelf(group))
      .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
      .slice(0, most);
  const types = groups(facetParams.productType, MAX_TYPES);
  const hasTypes = facets.values(facetParams.productType).length > 0;
  const isTagOfShelf = ({ key, count }: Group): boolean =>
    !isInternalTag(key) && (total <= FEW_PRODUCTS || count < NEARLY_ALL * total);
  const tags = hasTypes ? [] : groups(facetParams.tag, MAX_TAGS, isTagOfShelf);
  const known = new Set([...types, ...tags].map(({ key }) => key));
  const vendors = groups(facetParams.vendor, MAX_VENDORS).filter(({ key }) => !known.has(key));
  const locales = [...names.all.keys()];
  const ofTypes = titled(types).map(({ group, title }): DerivedCollection => {
    const translations = translatedTypes(catalog, group, title, locales);
    return derived({ facet: facetParams.productType, group, title, usedHandles, translations });
  });
  const named = (facet: string, group: Group, name: (text: string) => string): DerivedCollection => {
    const title = cut(name(group.values[0]?.value.trim() ?? ""));
    return derived({ facet, group, title, usedHandles, translations: {} });
  };
  const ofTags = tags.map((group) => named(facetParams.tag, group, capital));
  const ofVendors = vendors.length < 2 ? [] : vendors.map((group) => named(facetParams.vendor, group, (text) => text));
  return [everything(names), ...ofTypes, ...ofTags, ...ofVendors];
}

/** A facet value with all its spellings, most frequent spelling first. */
interface Group {
  readonly key: string;
  readonly values: readonly FacetValue[];
  readonly count: number;
}

function groupsOf(values: readonly FacetValue[]): readonly Group[] {
  const byKey = Map.groupBy(values, ({ value }) => value.trim().toLowerCase());
  return [...byKey]
    .filter(([key]) => /[\p{L}\p{N}]/u.test(key) && !emptyWords.has(key))
    .map(([key, spellings]) => ({
      key,
      values: spellings.toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1)),
      count: spellings.reduce((sum, { count }) => sum + count, 0),
    }));
}

/**
 * Returns the groups with titles. A type that is a path, as in product feeds, gets its last part as title if that part
 * is unique: "Home > Kitchen > Mugs" becomes "Mugs".
 */
function titled(groups: readonly Group[]): readonly { readonly group: Group; readonly title: string }[] {
  const paths = groups.map(({ values }) => pathOf(values[0]?.value ?? ""));
  const ends = Map.groupBy(paths, (path) => (path.at(-1) ?? "").toLowerCase());
  return groups.map((group, index) => {
    const path = paths[index] ?? [];
    const isAlone = ends.get((path.at(-1) ?? "").toLowerCase())?.length === 1;
    return { group, title: cut(capital(isAlone ? (path.at(-1) ?? "") : path.join(" \u203a "))) };
  });
}

function pathOf(type: string): readonly string[] {
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
function capital(text: string): string {
  return text === text.toLowerCase() ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function cut(text: string): string {
  return text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE - 1).trimEnd()}…` : text;
}

/** Returns the translations of a product type, read from an example product. */
function translatedTypes(
  catalog: Pick<Catalog, "entry">,
  { values }: Group,
  title: string,
  locales: readonly string[],
): Translations {
  const [first] = values;
  const example = first?.example === undefined ? undefined : catalog.entry(first.example);
  if (example?.kind !== "product" || example.productType !== first?.value) return {};
  const translated = locales.slice(1).flatMap((locale) => {
    const type = capital(pathOf(localize(example, locale).productType).at(-1) ?? "");
    return type === "" || type === title ? [] : [[locale, { title: cut(type) }] as const];
  });
  return Object.fromEntries(translated);
}

/** For each facet: the word that makes a handle unique, and the name of the collection rule. */
const kinds: ReadonlyMap<string, readonly [kind: string, rule: keyof CollectionRules]> = new Map([
  [facetParams.productType, ["type", "productType"]],
  [facetParams.vendor, ["brand", "vendor"]],
  [facetParams.tag, ["tag", "tag"]],
]);

function derived({
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
  const [kind, rule] = kinds.get(facet) ?? ["", "tag"];
  const id = deriveId(`derived ${facet} ${group.key}`);
  const base = handleOf(title) || `collection-${id}`;
  const handle = usedHandles.has(base) ? `${base}-${kind}-${id.slice(-4)}` : base;
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
      rules: { [rule]: value },
      published: true,
      isDerived: true,
      translations,
    },
    of: { facet, values: new Set(group.values.map((one) => one.value)) },
  };
}

function everything({ all }: DerivedNames): DerivedCollection {
  const [[, title] = ["", "Products"], ...others] = all;
  const collection: Collection = {
    kind: "collection",
    id: derivedAllId,
    handle: "all",
    title,
    description: "",
    products: [],
    published: true,
    isDerived: true,
    translations: Object.fromEntries(others.map(([locale, text]) => [locale, { title: text }])),
  };
  return { collection };
}

/**
 * Returns whether a tag is meant for a program or the merchant instead of shoppers. The spelling of the tag decides;
 * its frequency does not matter.
 * @param tag without surrounding whitespace
 */
export function isInternalTag(tag: string): boolean {
  const key = tag.toLowerCase();
  return structured.test(key) || idOrDate.test(key) || notes.has(key) || rule.test(key) || rejection.test(key);
}

/**
 * Matches a key with a value ("color:red", "color=red"), the name of a program ("YGroup_x", "_hidden"), or a leading
 * punctuation mark ("#sync").
 */
const structured = /[:=_|]|^[!-/:-@[-`{-~]/;
/** Matches numbers of five or more digits, such as "20230114". Sizes and years are shorter. */
const idOrDate = /^\d{5,}$/;

const notes: ReadonlySet<string> = new Set(
  "b2b default draft dropship exclude excluded hidden hide internal nofollow noindex test wholesale".split(" "),
);

/**
 * Matches tags of shipping, product option ("spo-"), waiting list ("bis-"), feed and wholesale programs: a keyword, a
 * hyphen and a value.
 */
const rule = /^(?:b2b|bis|excl|exclude|freight|hidden|hide|internal|ship|shipping|spo|sync|wholesale)-\S+$/;
/** Matches tags that exclude a product from something: "no-discount", "nosync", "do-not-return". */
const rejection =
  /^(?:(?:do-?not|dont)-\S+|no-?(?:coupon|discount|export|facebook|feed|follow|google|index|promo|refund|return|shipping|sync|tax)s?)$/;

/** First document number of derived collections. Rows of a catalog have lower numbers. */
export const FIRST_DERIVED = 0xffff_0000;

/**
 * Adds derived collections to a catalog. Their products are computed on access.
 * @param derived the same array object while the collections are unchanged, because cached data is keyed by the array
 */
export function withDerivedCollections(catalog: Catalog, derived: readonly DerivedCollection[]): Catalog {
  if (derived.length === 0) return catalog;
  const byHandle = new Map(derived.map((one) => [one.collection.handle, one]));
  const numbers = Uint32Array.from(derived, (_, index) => FIRST_DERIVED + index);
  const members = new Map<string, Uint32Array>();
  const membersOf = ({ collection: { handle }, of }: DerivedCollection): Uint32Array => {
    const products = catalog.numbers("product");
    if (of === undefined) return products;
    const known = members.get(handle);
    if (known !== undefined) return known;
    const found = catalog.facets().holding(of.facet, of.values);
    members.set(handle, found);
    return found;
  };
  const at = (number: number): DerivedCollection | undefined =>
    number < FIRST_DERIVED ? undefined : derived[number - FIRST_DERIVED];
  return {
    ...catalog,
    entry: (number) => at(number)?.collection ?? catalog.entry(number),
    placeOf: (number) =>
      at(number) === undefined ? catalog.placeOf(number) : { rows: derived, place: number - FIRST_DERIVED },
    collection: (handle) => byHandle.get(handle)?.collection ?? catalog.collection(handle),
    numbers: (kind) => (kind === "collection" ? numbers : catalog.numbers(kind)),
    collectionProducts(handle) {
      const found = byHandle.get(handle);
      return found === undefined ? catalog.collectionProducts(handle) : membersOf(found);
    },
    collectionsOf(productHandle) {
      const product = catalog.product(productHandle);
      if (product === undefined) return [];
      const isIn = ({ collection: { rules }, of }: DerivedCollection): boolean =>
        of === undefined || (rules !== undefined && matchesRules(rules, product));
      // The first derived collection contains all products, so it is the least specific and moves to the end.
      const [all, ...others] = derived.filter(isIn);
      return [...others, ...(all === undefined ? [] : [all])].map(({ collection }) => collection.handle);
    },
  };
}
