import type { Catalog } from "../../catalog/catalog.ts";
import { localTags } from "../../catalog/localize.ts";
import { handleOf } from "../handle.ts";
import type { View } from "../view.ts";

/** Longer lists have no tags: every product would have to be read. */
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

/** @param tags handles; every one must be there */
export function withTags(catalog: Catalog, numbers: Uint32Array, tags: readonly string[], locale: string): Uint32Array {
  if (tags.length === 0 || numbers.length > maxRead) return numbers;
  return numbers.filter((number) => {
    const entry = catalog.entry(number);
    return entry?.kind === "product" && hasTags(entry, tags, locale);
  });
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
