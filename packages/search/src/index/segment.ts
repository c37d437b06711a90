import { addDeletes } from "./deletes.ts";
import type { Leaf, LeafDeletes } from "./leaf.ts";

/** An immutable piece of an index, plain data: its large arrays lie in shared memory, so that posting it to another thread copies next
 *  to nothing. */
export interface Segment {
  /** The language whose documents stand in where another has none of that id. */
  readonly defaultLocale: string;
  /** One for each language that has documents. */
  readonly leaves: readonly Leaf[];
}

/** A segment with the documents of it that no longer count, as a later segment has changed or deleted them. */
export interface SegmentWithDeletes {
  readonly segment: Segment;
  /** By leaf of the segment; absent: all count. */
  readonly deletes?: readonly LeafDeletes[];
}

/** @param externalIds of the documents that do not count, ascending */
export function withDeletes(segment: Segment, externalIds: ArrayLike<number>): SegmentWithDeletes {
  return { segment, deletes: segment.leaves.map(({ documents }) => addDeletes(documents, externalIds)) };
}
