import { addDeletedBits, addDeletes, createEmptyDeletes, findDocIdBits } from "./deletes.ts";
import type { Leaf, LeafDeletes, LeafReader } from "./leaf.ts";

/**
 * An immutable part of an index, as plain data. Its arrays use shared memory if the platform has it, so posting a
 * segment to another thread only copies references.
 */
export interface Segment {
  /** Fallback locale. Its documents are found if they have no version in the searched locale. */
  readonly defaultLocale: string;
  /** Indexes, one for each locale with documents. */
  readonly leaves: readonly Leaf[];
  /** Deleted documents, one entry for each entry of `leaves`. Default: none. @see deleteDocuments */
  readonly deletes?: readonly LeafDeletes[];
}

/** The part of a segment that `deleteDocuments` reads. */
export interface SegmentDocuments extends Pick<Segment, "deletes"> {
  readonly leaves: readonly Pick<Leaf, "documents">[];
}

/**
 * Deletes documents from a segment, for example documents that a newer segment contains in a new version. The segment
 * is not changed, and the result shares its memory.
 * @param externalIds ids in ascending order; ids that the segment does not contain are ignored
 */
export function deleteDocuments<S extends SegmentDocuments>(
  segment: S,
  externalIds: ArrayLike<number>,
): S & Required<Pick<Segment, "deletes">> {
  const deletes = segment.leaves.map(({ documents }, leaf) =>
    addDeletes(documents, externalIds, segment.deletes?.[leaf]),
  );
  return { ...segment, deletes };
}

/** Returns the documents of `leaf` that are also in `newerLeaf`, as a bit set with one bit per doc id. */
export type ReplacedDocumentFinder = (leaf: Leaf, newerLeaf: Leaf) => Uint32Array;

/**
 * Returns readers for a search in a locale. They find the documents of the locale, and the documents of the default
 * locale that have no version in the locale.
 */
export function createLeafReaders(
  segments: readonly Segment[],
  locale: string,
  findReplacedDocs: ReplacedDocumentFinder,
): readonly LeafReader[] {
  const readers: LeafReader[] = [];
  for (const { defaultLocale, leaves, deletes } of segments) {
    const addLeafReader = (
      readerLocale: string,
      findReplacedDocs?: (leaf: Leaf) => Uint32Array | undefined,
    ): Leaf | undefined => {
      const leafIndex = leaves.findIndex((leaf) => leaf.locale === readerLocale);
      const leaf = leaves[leafIndex];
      if (leaf === undefined) return undefined;
      const deletedDocs = deletes?.[leafIndex] ?? createEmptyDeletes();
      const replacedDocuments = findReplacedDocs?.(leaf);
      readers.push({
        leaf,
        ...(replacedDocuments === undefined ? deletedDocs : addDeletedBits(replacedDocuments, deletedDocs)),
      });
      return leaf;
    };
    const languageLeaf = addLeafReader(locale);
    if (defaultLocale !== locale)
      addLeafReader(defaultLocale, (leaf) => languageLeaf && findReplacedDocs(leaf, languageLeaf));
  }
  return readers;
}

/**
 * Returns the documents of the first leaf that the second leaf also contains, one bit per doc id. A leaf has the
 * documents of one language in a segment.
 */
export function findSharedDocuments(
  { documents }: Leaf,
  { documents: { externalIds, byExternalId } }: Leaf,
): Uint32Array {
  return findDocIdBits(
    documents,
    byExternalId.map((docId) => externalIds[docId] as number),
  );
}
