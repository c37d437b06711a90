import { addDeletedBits, addDeletes, docIdBits, noDeletes } from "./deletes.ts";
import type { Leaf, LeafDeletes, LeafReader } from "./leaf.ts";

/** An immutable part of an index, as plain data. Its arrays use shared memory if the platform has it; posting a segment to another thread then copies
 *  only references. */
export interface Segment {
  /** The language whose documents are found where a searched language has no document of that id. */
  readonly defaultLocale: string;
  /** One for each language that has documents. */
  readonly leaves: readonly Leaf[];
  /** By leaf: the documents that no longer count. Default: none. @see deleteDocuments */
  readonly deletes?: readonly LeafDeletes[];
}

/** The part of a segment that `deleteDocuments` reads. */
export interface SegmentDocuments extends Pick<Segment, "deletes"> {
  readonly leaves: readonly Pick<Leaf, "documents">[];
}

/** Deletes documents from a segment, for example those that a newer segment contains in a new version. The segment is not changed; the result shares
 *  its memory.
 *  @param externalIds ascending; ids that the segment does not contain are ignored */
export function deleteDocuments<S extends SegmentDocuments>(
  segment: S,
  externalIds: ArrayLike<number>,
): S & Required<Pick<Segment, "deletes">> {
  const deletes = segment.leaves.map(({ documents }, leaf) =>
    addDeletes(documents, externalIds, segment.deletes?.[leaf]),
  );
  return { ...segment, deletes };
}

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
