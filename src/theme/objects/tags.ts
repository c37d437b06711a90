import type { Catalog } from "../../catalog/catalog.ts";
import { valueLabel } from "../../catalog/facets/facet-labels.ts";
import type { ProductList } from "../../catalog/facets/facets.ts";
import { facetParams, noSelection } from "../../catalog/facets/filter-selection.ts";
import { localTags } from "../../catalog/localize.ts";
import { handleOf } from "../../catalog/rows/identity.ts";
import { memoizePerObject } from "../../runtime/cache.ts";
import type { RenderRequest } from "../theme.ts";
import type { View } from "../view.ts";

/** Maximum length of lists whose products or articles are read one by one. Longer lists use an index. */
const maxRead = 5_000;

/** The product or article list of a page. */
export interface ShownList {
  readonly kind: "collection" | "blog";
  readonly handle: string;
  /** Handles of the tags in the path that filter the list: "/collections/rain/wool+warm", "/blogs/news/tagged/wool". */
  readonly tags: readonly string[];
}

/** Parses the path of a collection or blog.  @returns undefined on other pages */
export function shownList({ path }: Pick<View, "path">): ShownList | undefined {
  const [, list = "", handle = "", tagged = ""] = /^\/(collections|blogs)\/([^/]+)(?:\/(.*?))?\/?$/.exec(path) ?? [];
  const kind = list === "blogs" ? "blog" : "collection";
  const [, tags = ""] = (kind === "blog" ? /^tagged\/([^/]+)$/ : /^([^/]+)$/).exec(tagged) ?? [];
  if (list === "" || (tagged !== "" && tags === "")) return undefined;
  try {
    const handles = decodeURIComponent(tags).split("+", 20).map(handleOf);
    return { kind, handle: decodeURIComponent(handle), tags: handles.filter((tag) => tag !== "") };
  } catch {
    return undefined;
  }
}

/** Returns the products of a list that have all of the tags.  @param tags handles of the tags */
export function withTags(view: Shop, list: ProductList, tags: readonly string[]): ProductList {
  if (tags.length === 0) return list;
  if (list.numbers().length > maxRead) return tags.reduce((left, tag) => withTag(view, left, tag), list);
  const { catalog, locale } = view.request;
  const tagged = list.numbers().filter((number) => {
    const entry = catalog.entry(number);
    return entry?.kind === "product" && hasTags(entry, tags, locale);
  });
  return { key: JSON.stringify([list.key, locale, tags]), numbers: () => tagged };
}

type Shown = Pick<RenderRequest, "catalog" | "locale">;
interface Shop {
  readonly request: Shown;
  readonly config: Pick<View["config"], "locales">;
}

/** Returns the products of a long list that have a tag. One of the products provides the tag's name. */
function withTag(view: Shop, list: ProductList, wanted: string): ProductList {
  const { catalog } = view.request;
  const tags = tagsByHandle(view).get(wanted);
  if (tags === undefined) return { key: "none", numbers: () => new Uint32Array(0) };
  return catalog.facets().filter(list, { ...noSelection, values: new Map([[facetParams.tag, tags]]) }).list;
}

/** Tags with the same handle, by locale and handle. Handles are those of the default language and of the locale. */
const tagsByLocale = memoizePerObject((_: Catalog) => new Map<string, ReadonlyMap<string, ReadonlySet<string>>>());

/**
 * Returns the tags of each handle, cached per catalog. Reading tens of thousands of tags, and a product of each, takes
 * hundreds of milliseconds.
 */
function tagsByHandle({ request: { catalog, locale }, config }: Shop): ReadonlyMap<string, ReadonlySet<string>> {
  const byLocale = tagsByLocale(catalog);
  const cached = byLocale.get(locale);
  if (cached !== undefined) return cached;
  const tags = new Map<string, Set<string>>();
  for (const one of catalog.facets().values(facetParams.tag)) {
    const isTranslated = locale !== config.locales.default;
    const label = isTranslated ? valueLabel(catalog, facetParams.tag, one, locale) : one.value;
    for (const name of label === one.value ? [label] : [one.value, label]) {
      const handle = handleOf(name);
      const same = tags.get(handle);
      if (same === undefined) tags.set(handle, new Set([one.value]));
      else same.add(one.value);
    }
  }
  byLocale.set(locale, tags);
  return tags;
}

/**
 * Returns whether a product or article has all of the tags, in the render's language or the default language. The URL
 * of a tag stays valid when the shopper changes the language.
 * @param wanted handles of the tags
 */
export function hasTags(entry: Tagged, wanted: readonly string[], locale: string): boolean {
  const handles = new Set([...entry.tags, ...localTags(entry, locale)].map(handleOf));
  return wanted.every((tag) => handles.has(tag));
}

type Tagged = Parameters<typeof localTags>[0];

/** Returns the unique tags of the products or articles, sorted in the render's language. */
export function tagsOf(catalog: Catalog, numbers: Uint32Array | readonly number[], locale: string): readonly string[] {
  const tags = new Set<string>();
  for (const entry of taggedEntries(catalog, numbers)) for (const tag of localTags(entry, locale)) tags.add(tag);
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/** Returns the tags of a list's products, as `tagsOf` returns them. */
export function tagsIn({ catalog, locale }: Shown, list: ProductList): readonly string[] {
  if (list.numbers().length <= maxRead) return tagsOf(catalog, list.numbers(), locale);
  const values = catalog.facets().valuesOf(list, facetParams.tag);
  const tags = new Set(values.map((one) => valueLabel(catalog, facetParams.tag, one, locale)));
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/**
 * Returns the names of the tags in a URL. A handle that no product or article has is returned unchanged.
 * @param handles as in `ShownList`
 */
export function namedTags(
  catalog: Catalog,
  numbers: Uint32Array | readonly number[],
  handles: readonly string[],
  locale: string,
): readonly string[] {
  const names = new Map<string, string>();
  for (const entry of taggedEntries(catalog, numbers)) {
    const shown = localTags(entry, locale);
    for (const tag of shown) names.set(handleOf(tag), tag);
    // If both lists have the same length, a tag and its translation have the same index.
    if (shown.length === entry.tags.length)
      entry.tags.forEach((tag, index) => {
        const handle = handleOf(tag);
        if (!names.has(handle)) names.set(handle, shown[index] as string);
      });
  }
  return [...new Set(handles.map((handle) => names.get(handle) ?? handle))];
}

function* taggedEntries(catalog: Catalog, numbers: Uint32Array | readonly number[]): Generator<Tagged> {
  if (numbers.length > maxRead) return;
  for (const number of numbers) {
    const entry = catalog.entry(number);
    if (entry?.kind === "product" || entry?.kind === "article") yield entry;
  }
}
