import { createSegmentBuilder, type Segment } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import {
  type DerivedCollection,
  type DerivedNames,
  deriveCollections,
  FIRST_DERIVED,
  withDerivedCollections,
} from "../catalog/derived/derive-collections.ts";
import { messagesIn } from "../messages/messages.ts";
import { searchDocuments } from "../predictive-search/documents.ts";
import { schema } from "../predictive-search/schema.ts";
import type { IndexedSettings } from "./build.ts";

/** How collections are derived, where the merchant wants them to be. */
export type Deriving = Pick<IndexedSettings, "locales" | "derivedCollections">;

/** A catalogue with derived collections, and the part of an index in which they are found. */
export interface DerivedLayer {
  readonly catalog: Catalog;
  readonly segments: readonly Segment[];
}

/** Lays derived collections over catalogues that have none of their own, as they follow one another; where the same ones come out, what is known of
 *  them stays. */
export function createDerivedLayer({
  locales,
  derivedCollections = false,
}: Deriving): (catalog: Catalog) => DerivedLayer {
  const all = [locales.default, ...locales.others].map(
    (locale) => [locale, messagesIn(locale)("collections.all")] as const,
  );
  const names: DerivedNames = { all: new Map(all) };
  let text = "";
  let derived: readonly DerivedCollection[] = [];
  let segments: readonly Segment[] = [];
  return (catalog) => {
    if (!derivedCollections || catalog.numbers("collection").length > 0) return { catalog, segments: [] };
    const now = deriveCollections(catalog, names);
    const nowText = JSON.stringify(now.map(({ collection, of }) => [collection, [...(of?.values ?? [])]]));
    if (nowText !== text) {
      text = nowText;
      derived = now;
      segments = now.length === 0 ? [] : [indexed(now, locales)];
    }
    return { catalog: withDerivedCollections(catalog, derived), segments };
  };
}

function indexed(derived: readonly DerivedCollection[], locales: Deriving["locales"]): Segment {
  const builder = createSegmentBuilder(schema, locales.default);
  for (const [index, { collection }] of derived.entries())
    for (const document of searchDocuments(collection, FIRST_DERIVED + index, locales)) builder.add(document);
  return builder.finish();
}
