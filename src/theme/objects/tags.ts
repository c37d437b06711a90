import { type Catalog, findEntry } from "../../catalog/catalog.ts";
import { formatValueLabel } from "../../catalog/facets/facet-labels.ts";
import type { ProductList } from "../../catalog/facets/facets.ts";
import { emptySelection, facetParams } from "../../catalog/facets/filter-selection.ts";
import { localizeTags } from "../../catalog/localize.ts";
import { handleOf } from "../../catalog/rows/identity.ts";
import { getOrCreate, memoizePerObject } from "../../runtime/cache.ts";
import type { RenderRequest } from "../theme.ts";
import type { View } from "../view.ts";

/** Maximum length of a list whose entries are read one by one to find tags. Longer lists use an index. */
const maxScannedEntries = 5_000;

/** The list of products or articles that a page shows. */
export interface PageList {
  readonly kind: "collection" | "blog";
  readonly handle: string;
  /**
   * Handles of the tags that filter the list: "/collections/rain/wool+warm", "/collections/rain?constraint=wool+warm",
   * "/blogs/news/tagged/wool".
   */
  readonly tags: readonly string[];
}

/** Parses the path of a collection or blog.  @returns undefined on other pages */
export function parsePageList({ path, query }: Pick<View, "path" | "query">): PageList | undefined {
  const [, folder = "", handle = "", tagPath = ""] = /^\/(collections|blogs)\/([^/]+)(?:\/(.*?))?\/?$/.exec(path) ?? [];
  const kind = folder === "blogs" ? "blog" : "collection";
  const [, tags = ""] = (kind === "blog" ? /^tagged\/([^/]+)$/ : /^([^/]+)$/).exec(tagPath) ?? [];
  if (folder === "" || (tagPath !== "" && tags === "")) return undefined;
  try {
    // A plus sign in a query is a space.
    const constraint = kind === "collection" ? (query.get("constraint") ?? "").replaceAll(" ", "+") : "";
    const handles = `${decodeURIComponent(tags)}+${constraint}`.split("+", 20).map(handleOf);
    return { kind, handle: decodeURIComponent(handle), tags: handles.filter((tag) => tag !== "") };
  } catch {
    return undefined;
  }
}

/** Returns the products that have all of the given tags.  @param tags handles of the tags */
export function filterByTags(view: TagContext, list: ProductList, tags: readonly string[]): ProductList {
  if (tags.length === 0) return list;
  if (list.numbers().length > maxScannedEntries)
    return tags.reduce((filteredList, tag) => filterByTag(view, filteredList, tag), list);
  const { catalog, locale } = view.request;
  const taggedNumbers = list.numbers().filter((number) => {
    const product = findEntry(catalog, "product", number);
    return product !== undefined && hasTags(product, tags, locale);
  });
  return { key: JSON.stringify([list.key, locale, tags]), numbers: () => taggedNumbers };
}

type LocalizedCatalog = Pick<RenderRequest, "catalog" | "locale">;
interface TagContext {
  readonly request: LocalizedCatalog;
  readonly config: Pick<View["config"], "locales">;
}

/** Returns the products of a long list that have the tag, using an index of tags. */
function filterByTag(view: TagContext, list: ProductList, tagHandle: string): ProductList {
  const { catalog } = view.request;
  const tags = groupTagsByHandle(view).get(tagHandle);
  if (tags === undefined) return { key: "none", numbers: () => new Uint32Array(0) };
  return catalog.facets().filter(list, { ...emptySelection, values: new Map([[facetParams.tag, tags]]) }).list;
}

/**
 * Tags by locale and handle. Several tags can have the same handle. A tag has a handle in the default language and in
 * the page's language.
 */
const tagsByLocale = memoizePerObject((_: Catalog) => new Map<string, ReadonlyMap<string, ReadonlySet<string>>>());

/**
 * Returns the tags by handle. They are cached per catalog, because reading tens of thousands of tags takes hundreds of
 * milliseconds.
 */
function groupTagsByHandle({
  request: { catalog, locale },
  config,
}: TagContext): ReadonlyMap<string, ReadonlySet<string>> {
  return getOrCreate(tagsByLocale(catalog), locale, () => {
    const tags = new Map<string, Set<string>>();
    for (const facetValue of catalog.facets().values(facetParams.tag)) {
      const isTranslated = locale !== config.locales.default;
      const label = isTranslated ? formatValueLabel(catalog, facetParams.tag, facetValue, locale) : facetValue.value;
      for (const name of new Set([facetValue.value, label]))
        getOrCreate(tags, handleOf(name), () => new Set()).add(facetValue.value);
    }
    return tags;
  });
}

/**
 * Returns whether a product or article has all of the tags. A tag can be in the page's language or in the default
 * language, so that its URL stays valid when the shopper changes the language.
 * @param tagHandles handles of the tags
 */
export function hasTags(entry: TaggedEntry, tagHandles: readonly string[], locale: string): boolean {
  const handles = new Set([...entry.tags, ...localizeTags(entry, locale)].map(handleOf));
  return tagHandles.every((tag) => handles.has(tag));
}

type TaggedEntry = Parameters<typeof localizeTags>[0];

/** Returns the unique tags of products or articles, sorted in the page's language. */
export function collectTags(
  catalog: Catalog,
  numbers: Uint32Array | readonly number[],
  locale: string,
): readonly string[] {
  const tags = new Set<string>();
  for (const entry of readTaggedEntries(catalog, numbers)) for (const tag of localizeTags(entry, locale)) tags.add(tag);
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/** Returns the unique tags of all products in a list, sorted in the page's language. */
export function listTags({ catalog, locale }: LocalizedCatalog, list: ProductList): readonly string[] {
  if (list.numbers().length <= maxScannedEntries) return collectTags(catalog, list.numbers(), locale);
  const values = catalog.facets().valuesOf(list, facetParams.tag);
  const tags = new Set(values.map((facetValue) => formatValueLabel(catalog, facetParams.tag, facetValue, locale)));
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/**
 * Returns the names of the tags in a URL. If no product or article has the tag, its handle is returned.
 * @param handles handles of the tags in the URL
 */
export function listTagNames(
  catalog: Catalog,
  numbers: Uint32Array | readonly number[],
  handles: readonly string[],
  locale: string,
): readonly string[] {
  const names = new Map<string, string>();
  for (const entry of readTaggedEntries(catalog, numbers)) {
    const localizedTags = localizeTags(entry, locale);
    for (const tag of localizedTags) names.set(handleOf(tag), tag);
    // Tags and translated tags correspond by index, but only if both lists have the same length.
    if (localizedTags.length === entry.tags.length)
      entry.tags.forEach((tag, index) => {
        const handle = handleOf(tag);
        if (!names.has(handle)) names.set(handle, localizedTags[index] as string);
      });
  }
  return [...new Set(handles.map((handle) => names.get(handle) ?? handle))];
}

function* readTaggedEntries(catalog: Catalog, numbers: Uint32Array | readonly number[]): Generator<TaggedEntry> {
  if (numbers.length > maxScannedEntries) return;
  for (const number of numbers) {
    const entry = catalog.entry(number);
    if (entry?.kind === "product" || entry?.kind === "article") yield entry;
  }
}
