import { type Catalog, isEntryKind } from "../catalog/catalog.ts";
import { formatTag } from "../catalog/tagged-catalog.ts";
import type { ChangedKey } from "../storage/catalog/changed-keys.ts";

/** Maximum number of collections or pages whose titles are compared. With more, any change counts as a new title. */
const MAX_COMPARED_ENTRIES = 200;

/**
 * Returns the tags of reads whose result may differ between two revisions of a catalog.
 * @param keys keys of the rows that changed
 */
export function findChangedTags(
  oldCatalog: Catalog,
  newCatalog: Catalog,
  keys: readonly ChangedKey[],
): ReadonlySet<string> {
  const tags = new Set<string>();
  for (const { kind, id, handle } of keys) {
    if (kind === "product") {
      for (const catalog of [oldCatalog, newCatalog])
        for (const tag of listProductTags(catalog, catalog.productById(id)?.handle ?? handle)) tags.add(tag);
    } else if (kind === "collection") {
      for (const tag of [formatTag("collection", handle), formatTag("list", handle), "memberships"]) tags.add(tag);
    } else if (kind === "page") tags.add(formatTag("page", handle));
    else if (isEntryKind(kind) || kind === "discount" || kind === "metaobject") tags.add(`${kind}s`);
  }
  if (oldCatalog.blogs().join() !== newCatalog.blogs().join()) tags.add("blogs");
  for (const kind of ["collection", "page"] as const)
    if (
      describeTitles(oldCatalog, kind) !== describeTitles(newCatalog, kind) ||
      (newCatalog.numbers(kind).length > MAX_COMPARED_ENTRIES && keys.some((key) => key.kind === kind))
    )
      tags.add(`${kind}s`);
  return tags;
}

/** Returns the tags of a product and of the lists that contain it. */
export function listProductTags(catalog: Catalog, handle: string): readonly string[] {
  const lists = catalog.collectionsOf(handle).map((collection) => formatTag("list", collection));
  return ["products", formatTag("product", handle), ...lists];
}

/** Returns a text that changes if the order or a title of the entries changes, or if a collection becomes empty. */
function describeTitles(catalog: Catalog, kind: "collection" | "page"): string {
  const numbers = catalog.numbers(kind);
  const titles = Array.from(numbers.subarray(0, MAX_COMPARED_ENTRIES), (number) => {
    const entry = catalog.entry(number);
    if (entry?.kind !== kind) return [];
    const translatedTitles = Object.entries(entry.translations).map(([locale, { title }]) => [locale, title]);
    const hasProducts = entry.kind === "collection" && catalog.collectionProducts(entry.handle).length > 0;
    return [entry.handle, entry.title, translatedTitles, hasProducts];
  });
  return JSON.stringify([numbers.length, titles]);
}
