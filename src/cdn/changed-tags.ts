import { type Catalog, isEntryKind } from "../catalog/catalog.ts";
import { formatTag } from "../catalog/tagged-catalog.ts";
import type { ChangedKey } from "../storage/catalog/changed-keys.ts";

/** Maximum number of collections that are compared. Only shops without own collections derive them from products. */
const MAX_COMPARED_COLLECTIONS = 200;

/**
 * Returns the tags of reads whose result may differ between two revisions of a catalog.
 * @param keys keys of the rows that changed
 */
export function findChangedTags(before: Catalog, after: Catalog, keys: readonly ChangedKey[]): ReadonlySet<string> {
  const tags = new Set<string>();
  for (const { kind, id, handle } of keys) {
    if (kind === "product") {
      for (const catalog of [before, after])
        for (const tag of listProductTags(catalog, catalog.productById(id)?.handle ?? handle)) tags.add(tag);
    } else if (kind === "collection") {
      for (const tag of [formatTag("collection", handle), formatTag("list", handle), "collections"]) tags.add(tag);
    } else if (kind === "page") {
      for (const tag of [formatTag("page", handle), "pages"]) tags.add(tag);
    } else if (isEntryKind(kind) || kind === "discount" || kind === "metaobject") tags.add(`${kind}s`);
  }
  if (before.blogs().join() !== after.blogs().join()) tags.add("blogs");
  if (describeCollections(before) !== describeCollections(after)) tags.add("collections");
  return tags;
}

/** Returns the tags of a product and of the lists that contain it. */
export function listProductTags(catalog: Catalog, handle: string): readonly string[] {
  const lists = catalog.collectionsOf(handle).map((collection) => formatTag("list", collection));
  return ["products", formatTag("product", handle), ...lists];
}

/** Returns a text that changes if a collection appears, disappears, becomes empty, or is no longer empty. */
function describeCollections(catalog: Catalog): string {
  const numbers = catalog.numbers("collection");
  const collections = Array.from(numbers.subarray(0, MAX_COMPARED_COLLECTIONS), (number) => {
    const entry = catalog.entry(number);
    return entry?.kind === "collection"
      ? [entry.handle, entry.title, catalog.collectionProducts(entry.handle).length > 0]
      : [];
  });
  return JSON.stringify([numbers.length, collections]);
}
