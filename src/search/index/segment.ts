import type { Leaf } from "./leaf.ts";

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
  /** External ids. */
  readonly removed: ReadonlySet<number>;
}
