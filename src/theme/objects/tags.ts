import type { Catalog } from "../../catalog/catalog.ts";
import { noChoice } from "../../catalog/facets/facet-choice.ts";
import { valueLabel } from "../../catalog/facets/facet-labels.ts";
import { facetParams } from "../../catalog/facets/facet-params.ts";
import type { ProductList } from "../../catalog/facets/facets.ts";
import { localTags } from "../../catalog/localize.ts";
import { handleOf } from "../../catalog/rows/handle.ts";
import type { RenderRequest } from "../theme.ts";
import type { View } from "../view.ts";

/** Products and articles of longer lists are not read one by one. */
const maxRead = 5_000;

/** The list that a page shows. */
export interface ShownList {
  readonly kind: "collection" | "blog";
  readonly handle: string;
  /** What its path narrows it down to ("/collections/rain/wool+warm", "/blogs/news/tagged/wool"), as handles. */
  readonly tags: readonly string[];
}

/** undefined on a page of something else */
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

/** The products of a list that have all of some tags. @param tags handles */
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

/** Of a long list: each tag is called as one of its products has it. */
function withTag(view: Shop, list: ProductList, wanted: string): ProductList {
  const { catalog } = view.request;
  const tags = tagsByHandle(view).get(wanted);
  if (tags === undefined) return { key: "none", numbers: () => new Uint32Array(0) };
  return catalog.facets().narrow(list, { ...noChoice, values: new Map([[facetParams.tag, tags]]) }).list;
}

/** By catalog and locale: handles of tags, in the default language and in the locale's, with the tags that they stand for. */
const cachedTags = new WeakMap<Catalog, Map<string, ReadonlyMap<string, ReadonlySet<string>>>>();

/** Cached for each catalog: reading tens of thousands of tags, and a product of each, takes hundreds of milliseconds. */
function tagsByHandle({ request: { catalog, locale }, config }: Shop): ReadonlyMap<string, ReadonlySet<string>> {
  const byLocale = cachedTags.get(catalog) ?? new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  cachedTags.set(catalog, byLocale);
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

/** Whether a product or an article has all of some tags, in the render's language or in the default one: a page of a tag stays one
 *  where the shopper changes the language. @param wanted handles */
export function hasTags(entry: Tagged, wanted: readonly string[], locale: string): boolean {
  const handles = new Set([...entry.tags, ...localTags(entry, locale)].map(handleOf));
  return wanted.every((tag) => handles.has(tag));
}

type Tagged = Parameters<typeof localTags>[0];

/** Each tag of the products or articles once, in the render's language and in the order of its alphabet. */
export function tagsOf(catalog: Catalog, numbers: Uint32Array | readonly number[], locale: string): readonly string[] {
  const tags = new Set<string>();
  for (const entry of taggedEntries(catalog, numbers)) for (const tag of localTags(entry, locale)) tags.add(tag);
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/** Each tag of the products of a list, as `tagsOf`. */
export function tagsIn({ catalog, locale }: Shown, list: ProductList): readonly string[] {
  if (list.numbers().length <= maxRead) return tagsOf(catalog, list.numbers(), locale);
  const values = catalog.facets().valuesOf(list, facetParams.tag);
  const tags = new Set(values.map((one) => valueLabel(catalog, facetParams.tag, one, locale)));
  return [...tags].sort(new Intl.Collator(locale, { numeric: true }).compare);
}

/** Tags that an address names, as they are shown; a handle that no product or article has stays as it is.
 *  @param handles as `ShownList` has them */
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
    // A list that is translated one by one tells what a tag of the default language is called.
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
