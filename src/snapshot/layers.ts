import { deleteDocuments, type Segment } from "@vitrine/search";
import type { PackedBase, PackedDelta } from "../catalog/packed/packed-catalog.ts";
import type { BaseLayer, DeltaLayer } from "./build.ts";

/**
 * A full build of the catalog (base), and deltas with the changes since. All layers are plain data over shared memory.
 *
 *      base        revisions 1 to 40     1,000,000 rows
 *      deltas[0]                41 to 55    20,000 rows
 *      deltas[1]                56 to 57        30 rows
 */
export interface CatalogLayers {
  readonly base: BaseLayer;
  /**
   * Deltas over the base, oldest first. Each contains at least all changes after the revision of the layer below it.
   */
  readonly deltas: readonly DeltaLayer[];
  /** For the base and each delta, the documents that newer deltas replace. The base is first. */
  readonly deletes: DocumentDeletes;
}

export type DocumentDeletes = readonly NonNullable<Segment["deletes"]>[];

/** The part of an index segment that is needed to delete documents from it. */
type Documents = Parameters<typeof deleteDocuments>[0]["leaves"];

/** Data that a thread needs to build another delta: the base and the deltas so far. */
export interface OlderLayers {
  readonly base: PackedBase;
  readonly deltas: readonly PackedDelta[];
  readonly documents: readonly Documents[];
  readonly deletes: DocumentDeletes;
}

export function createCatalogLayers(baseLayer: BaseLayer): CatalogLayers {
  return { base: baseLayer, deltas: [], deletes: [[]] };
}

export function revisionOf({ base, deltas }: CatalogLayers): number {
  return deltas.at(-1)?.delta.revision ?? base.base.revision;
}

/** Returns the base and its oldest deltas in the form that a builder thread needs. */
export function selectOldestLayers({ base, deltas, deletes }: CatalogLayers, count: number): OlderLayers {
  const olderDeltas = deltas.slice(0, count);
  return {
    base: base.base,
    deltas: olderDeltas.map(({ delta }) => delta),
    documents: [base, ...olderDeltas].map(({ segment }) => documentsOf(segment)),
    deletes: deletes.slice(0, count + 1),
  };
}

export function listSegments({ base, deltas, deletes }: CatalogLayers): readonly Segment[] {
  return [base, ...deltas].map(({ segment }, layer) => ({ ...segment, deletes: deletes[layer] ?? [] }));
}

/** Returns which documents of the base and of each delta are obsolete after `addedLayer` becomes the newest delta. */
export function addDeletes(
  { documents, deletes }: Pick<OlderLayers, "documents" | "deletes">,
  addedLayer: DeltaLayer,
): DocumentDeletes {
  const newDeletes = documents.map(
    (leaves, layer) =>
      deleteDocuments({ leaves, deletes: deletes[layer] ?? [] }, addedLayer.delta.replacedNumbers).deletes,
  );
  return [...newDeletes, []];
}

export function documentsOf({ leaves }: Segment): Documents {
  return leaves.map(({ documents }) => ({ documents }));
}

/** Returns the number of changed rows in a delta, including removed rows. */
function countRows({ delta }: DeltaLayer): number {
  return delta.replacedNumbers.length;
}

/**
 * Maximum number of rows that can be read and indexed in less than 0.1 s. Deltas up to this size are merged
 * immediately.
 */
const MAX_QUICK_MERGE_ROWS = 1_000;

/**
 * Returns the number of deltas, counted from the oldest one, that stay as they are. Newer deltas are merged with the
 * new changes, as long as the merged delta has at most `MAX_QUICK_MERGE_ROWS` rows.
 * @param rows number of rows that changed since the newest delta
 */
export function countUnmergedDeltas(deltaLayers: readonly DeltaLayer[], rows: number): number {
  let count = deltaLayers.length;
  for (let sum = rows; count > 0; count -= 1) {
    sum += countRows(deltaLayers[count - 1] as DeltaLayer);
    if (sum > MAX_QUICK_MERGE_ROWS) break;
  }
  return count;
}

/**
 * A delta is merged only if it has at most this multiple of the rows of all newer deltas together. More layers slow
 * down searches, but each merge writes all rows of its deltas again.
 */
const MAX_MERGE_RATIO = 2;

/** Returns the index of the first delta to merge; undefined if no merge is needed. */
export function findMergeStart(deltaLayers: readonly DeltaLayer[]): number | undefined {
  const rows = deltaLayers.map(countRows);
  const countNewerRows = (index: number): number => rows.slice(index + 1).reduce((sum, count) => sum + count, 0);
  const firstIndex = rows.findIndex(
    (count, index) => index + 1 < rows.length && count <= MAX_MERGE_RATIO * countNewerRows(index),
  );
  return firstIndex < 0 ? undefined : firstIndex;
}

/** Maximum number of changed rows in a delta if the catalog is small. */
const SMALL_DELTA_ROWS = 5_000;

/** Returns the maximum number of changed rows in one delta. For more rows, a full build is faster. */
export function computeMaxDeltaRows(baseRowCount: number): number {
  return Math.max(SMALL_DELTA_ROWS, Math.floor(baseRowCount / 2));
}

/** Minimum number of changed rows for a new full build. */
const MIN_REBUILD_ROWS = 1_000;
/**
 * Maximum share of rows that deltas may replace before a new full build. Replaced rows use memory, and still count in
 * term frequencies.
 */
const MAX_CHANGED_RATIO = 1 / 8;

/** Returns whether the deltas are large enough for a new full build in the background. */
export function needsRebuild({ base, deltas }: CatalogLayers): boolean {
  const rows = deltas.reduce((sum, deltaLayer) => sum + countRows(deltaLayer), 0);
  return rows >= Math.max(MIN_REBUILD_ROWS, base.base.positions.length * MAX_CHANGED_RATIO);
}
