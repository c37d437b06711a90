import type { Catalog } from "../../catalog/catalog.ts";
import type { View } from "../view.ts";

/** Longer lists have no tags: every product would have to be read. */
const maxRead = 5_000;

/** Tags that the page's path names: "/collections/rain/wool+warm", "/blogs/news/tagged/wool". As handles. */
export function currentTags(view: View): readonly string[] {
  const [, tags] = /^(?:\/collections\/[^/]+|\/blogs\/[^/]+\/tagged)\/([^/]+)$/.exec(view.path) ?? [];
  if (tags === undefined) return [];
  try {
    return decodeURIComponent(tags)
      .split("+", 20)
      .map(handleOf)
      .filter((tag) => tag !== "");
  } catch {
    return [];
  }
}

/** Whether the page is this list's, narrowed down by tags. */
export function hasTagPath(view: View, base: string): boolean {
  return view.path.startsWith(`${base}/`) && currentTags(view).length > 0;
}

/** @param tags handles; every one must be there */
export function withTags(catalog: Catalog, numbers: Uint32Array, tags: readonly string[]): Uint32Array {
  if (tags.length === 0 || numbers.length > maxRead) return numbers;
  return numbers.filter((number) => {
    const entry = catalog.entry(number);
    return entry?.kind === "product" && hasTags(entry.tags, tags);
  });
}

export function hasTags(own: readonly string[], wanted: readonly string[]): boolean {
  const handles = new Set(own.map(handleOf));
  return wanted.every((tag) => handles.has(tag));
}

/** Each tag of the products or articles once, in the order of the alphabet. */
export function tagsOf(catalog: Catalog, numbers: Uint32Array | readonly number[]): readonly string[] {
  if (numbers.length > maxRead) return [];
  const tags = new Set<string>();
  for (const number of numbers) {
    const entry = catalog.entry(number);
    if (entry?.kind === "product" || entry?.kind === "article") for (const tag of entry.tags) tags.add(tag);
  }
  return [...tags].sort();
}

/** A tag as addresses have it: small letters, digits and dashes. */
function handleOf(tag: string): string {
  return tag
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
