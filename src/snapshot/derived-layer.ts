import { createSegmentBuilder, type Segment } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import {
  addDerivedCollections,
  type CollectionNames,
  type DerivedCollection,
  deriveCollections,
  FIRST_DERIVED_NUMBER,
} from "../catalog/derived/derive-collections.ts";
import { getMessages } from "../messages/messages.ts";
import { listDocuments } from "../predictive-search/documents.ts";
import { schema } from "../predictive-search/schema.ts";
import type { IndexedSettings } from "./build.ts";

export type DerivedCollectionSettings = Pick<IndexedSettings, "locales" | "derivedCollections">;

/** A catalog with collections that are derived from its products, and the search index of these collections. */
export interface DerivedLayer {
  readonly catalog: Catalog;
  readonly segments: readonly Segment[];
}

/**
 * Returns a function that derives collections from the products of a catalog without collections. If the collections
 * are the same as in the previous catalog, their search index and its caches are reused.
 */
export function createDerivedLayer({
  locales,
  derivedCollections = false,
}: DerivedCollectionSettings): (catalog: Catalog) => DerivedLayer {
  const allProductsNames = [locales.default, ...locales.others].map(
    (locale) => [locale, getMessages(locale)("collections.all")] as const,
  );
  const names: CollectionNames = { allProducts: new Map(allProductsNames) };
  let previousText = "";
  let collections: readonly DerivedCollection[] = [];
  let segments: readonly Segment[] = [];
  return (catalog) => {
    if (!derivedCollections || catalog.numbers("collection").length > 0) return { catalog, segments: [] };
    const currentCollections = deriveCollections(catalog, names);
    const currentText = JSON.stringify(
      currentCollections.map(({ collection, source }) => [collection, [...(source?.values ?? [])]]),
    );
    if (currentText !== previousText) {
      previousText = currentText;
      collections = currentCollections;
      segments = currentCollections.length === 0 ? [] : [buildSegment(currentCollections, locales)];
    }
    return { catalog: addDerivedCollections(catalog, collections), segments };
  };
}

function buildSegment(
  collections: readonly DerivedCollection[],
  locales: DerivedCollectionSettings["locales"],
): Segment {
  const builder = createSegmentBuilder(schema, locales.default);
  for (const [index, { collection }] of collections.entries())
    for (const document of listDocuments(collection, FIRST_DERIVED_NUMBER + index, locales)) builder.add(document);
  return builder.finish();
}
