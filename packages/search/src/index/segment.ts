import { addDeletes } from "./deletes.ts";
import type { Leaf, LeafDeletes } from "./leaf.ts";

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
