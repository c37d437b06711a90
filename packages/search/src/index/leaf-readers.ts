import { addDeletedBits, docIdBits, noDeletes } from "./deletes.ts";
import type { Leaf, LeafReader } from "./leaf.ts";
import type { Segment } from "./segment.ts";

/** Documents of a leaf that another leaf replaces, one bit per doc id. */
export type Shadow = (leaf: Leaf, by: Leaf) => Uint32Array;

/**
 * Documents that a search in a language reads: those in that language, and those in the default language without a
 * version in it.
 */
export function leafReadersOf(segments: readonly Segment[], locale: string, shadow: Shadow): readonly LeafReader[] {
  const readers: LeafReader[] = [];
  for (const { defaultLocale, leaves, deletes } of segments) {
    const read = (wanted: string, shadowOfLeaf?: (leaf: Leaf) => Uint32Array | undefined): Leaf | undefined => {
      const at = leaves.findIndex((leaf) => leaf.locale === wanted);
      const leaf = leaves[at];
      if (leaf === undefined) return undefined;
      const localReaders = deletes?.[at] ?? noDeletes();
      const shadowed = shadowOfLeaf?.(leaf);
      readers.push({ leaf, ...(shadowed === undefined ? localReaders : addDeletedBits(shadowed, localReaders)) });
      return leaf;
    };
    const localReaders = read(locale);
    if (defaultLocale !== locale) read(defaultLocale, (leaf) => localReaders && shadow(leaf, localReaders));
  }
  return readers;
}

/** Documents of a leaf that another leaf contains too, one bit per doc id. */
export function shadowOf({ documents }: Leaf, { documents: { externalIds, byExternalId } }: Leaf): Uint32Array {
  return docIdBits(
    documents,
    byExternalId.map((docId) => externalIds[docId] as number),
  );
}
