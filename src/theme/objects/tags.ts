import type { Catalog } from "../../catalog/catalog.ts";
import { valueLabel } from "../../catalog/facets/facet-labels.ts";
import type { ProductList } from "../../catalog/facets/facets.ts";
import { facetParams, noSelection } from "../../catalog/facets/filter-selection.ts";
import { localTags } from "../../catalog/localize.ts";
import { handleOf } from "../../catalog/rows/identity.ts";
import { perObject } from "../../runtime/cache.ts";
import type { RenderRequest } from "../theme.ts";
import type { View } from "../view.ts";

/** Longer lists use an index instead of reading their products or articles. */
const maxRead = 5_000;

/** The list of a page. */
export interface ShownList {
  readonly kind: "collection" | "blog";
  readonly handle: string;
  /** Tags in the path that filter it ("/collections/rain/wool+warm", "/blogs/news/tagged/wool"), as handles. */
  readonly tags: readonly string[];
}

/** @returns undefined on a page that is not a list */
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

/** Returns the products of a list that have all of the tags.  @param tags handles */
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

/** For a long list: the tag's name is taken from one of its products. */
function withTag(view: Shop, list: ProductList, wanted: string): ProductList {
  const { catalog } = view.request;
  const tags = tagsByHandle(view).get(wanted);
  if (tags === undefined) return { key: "none", numbers: () => new Uint32Array(0) };
  return catalog.facets().narrow(list, { ...noSelection, values: new Map([[facetParams.tag, tags]]) }).list;
}

/** Locale -> handle of a tag, in the default language or the locale's -> the tags with that handle. */
const tagsByLocale = perObject((_: Catalog) => new Map<string, ReadonlyMap<string, ReadonlySet<string>>>());

/** Cached per catalog: reading tens of thousands of tags, and a product of each, takes hundreds of milliseconds. */
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
 * Returns whether a product or article has all of the tags, in the render's language or the default one: the URL of a
 * tag stays valid when the shopper changes the language.
 * @param wanted handles
 */
export function hasTags(entry: Tagged, wanted: readonly string[], locale: string): boolean {
  const handles = new Set([...entry.tags, ...localTags(entry, locale)].map(handleOf));
  return wanted.every((tag) => handles.has(tag));
}

type Tagged = Parameters<typeof localTags>[0];

/** Tags of the products or articles, each once, sorted in the render's language. */
export function tagsOf(catalog: Catalog, numbers: Uint32Array | readonly number[], locale: string): readonly string[] {
  const tags = new Set<string>();
  for (const entry of taggedEntries(catalog, numbers)) for (const tag of localTags(entry, locale)) tags.add(tag);
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/** Tags of a list's products, as `tagsOf` returns them. */
export function tagsIn({ catalog, locale }: Shown, list: ProductList): readonly string[] {
  if (list.numbers().length <= maxRead) return tagsOf(catalog, list.numbers(), locale);
  const values = catalog.facets().valuesOf(list, facetParams.tag);
  const tags = new Set(values.map((one) => valueLabel(catalog, facetParams.tag, one, locale)));
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/**
 * Names of the tags in a URL; a handle without a product or article stays unchanged.
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
    // If both lists have the same length, the position in it gives a tag's translation.
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
