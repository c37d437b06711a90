import { deleteDocuments, type Segment } from "@vitrine/search";
import type { PackedBase, PackedDelta } from "../catalog/packed/packed-catalog.ts";
import type { BuiltBase, BuiltDelta } from "./build.ts";

/** A base with what changed since, laid over it in deltas: plain data over shared memory.
 *
 *      base        revisions 1 to 40     1,000,000 rows
 *      deltas[0]                41 to 55    20,000 rows
 *      deltas[1]                56 to 57        30 rows */
export interface Layers {
  readonly base: BuiltBase;
  /** The oldest first. Each holds all that changed after the revision of the one below it, or more. */
  readonly deltas: readonly BuiltDelta[];
  /** Documents that newer layers replace: by layer, the base first. */
  readonly deletes: Deletes;
}

export type Deletes = readonly NonNullable<Segment["deletes"]>[];

/** The documents of a segment without their index. */
type Documents = Parameters<typeof deleteDocuments>[0]["leaves"];

/** What a thread needs of layers to build another one over them. */
export interface LayersBelow {
  readonly base: PackedBase;
  readonly deltas: readonly PackedDelta[];
  readonly documents: readonly Documents[];
  readonly deletes: Deletes;
}

export function layersOf(base: BuiltBase): Layers {
  return { base, deltas: [], deletes: [[]] };
}

export function revisionOf({ base, deltas }: Layers): number {
  return deltas.at(-1)?.delta.revision ?? base.base.revision;
}

/** The base and its oldest deltas, as a thread needs them. */
export function layersBelow({ base, deltas, deletes }: Layers, count: number): LayersBelow {
  const below = deltas.slice(0, count);
  return {
    base: base.base,
    deltas: below.map(({ delta }) => delta),
    documents: [base, ...below].map(({ segment }) => documentsOf(segment)),
    deletes: deletes.slice(0, count + 1),
  };
}

export function segmentsOf({ base, deltas, deletes }: Layers): readonly Segment[] {
  return [base, ...deltas].map(({ segment }, layer) => ({ ...segment, deletes: deletes[layer] ?? [] }));
}

/** Deletes of all layers once a new one lies over them. */
export function deletesUnder(
  { documents, deletes }: Pick<LayersBelow, "documents" | "deletes">,
  above: BuiltDelta,
): Deletes {
  const replaced = documents.map(
    (leaves, layer) => deleteDocuments({ leaves, deletes: deletes[layer] ?? [] }, above.delta.replaced).deletes,
  );
  return [...replaced, []];
}

export function documentsOf({ leaves }: Segment): Documents {
  return leaves.map(({ documents }) => ({ documents }));
}

/** Rows of a delta, gone ones with them. */
export function rowsIn({ delta }: BuiltDelta): number {
  return delta.replaced.length;
}

/** Rows that are read and indexed in a few hundredths of a second, rather than left in layers of their own. */
const MERGED_AT_ONCE = 1_000;

/** How many deltas stay as they are below the next one: it takes in the newest of them as long as all that it then holds is soon built.
 *  @param rows that it holds anyway */
export function keptBelow(deltas: readonly BuiltDelta[], rows: number): number {
  let kept = deltas.length;
  for (let sum = rows; kept > 0; kept -= 1) {
    sum += rowsIn(deltas[kept - 1] as BuiltDelta);
    if (sum > MERGED_AT_ONCE) break;
  }
  return kept;
}

/** A delta stays by itself as long as it has so many times the rows of all newer ones together: a keystroke pays for each layer, and a row is
 *  written anew each time that its layer is merged. */
const TIER_RATIO = 2;

/** The first of the deltas that are to be merged into one; undefined where all are fine as they are. */
export function mergeFrom(deltas: readonly BuiltDelta[]): number | undefined {
  const rows = deltas.map(rowsIn);
  const newer = (at: number): number => rows.slice(at + 1).reduce((sum, count) => sum + count, 0);
  const found = rows.findIndex((count, at) => at + 1 < rows.length && count <= TIER_RATIO * newer(at));
  return found < 0 ? undefined : found;
}

/** Changes up to here are laid over, whatever the base. */
const ALWAYS_LAID_OVER = 5_000;

/** Rows that are laid over a base at once, at most: more are sooner built anew with it. */
export function maxLaidOver(baseRows: number): number {
  return Math.max(ALWAYS_LAID_OVER, Math.floor(baseRows / 2));
}

/** Rows below which no base is built anew for their sake. */
const ALWAYS_KEPT_OVER = 1_000;
/** Share of a base's rows up to which layers lie over it: what it still holds of them takes memory, and counts in how frequent its terms are. */
const SHARE_OVER = 1 / 8;

/** Whether the base is to be built anew, aside. */
export function isBaseDue({ base, deltas }: Layers): boolean {
  const rows = deltas.reduce((sum, delta) => sum + rowsIn(delta), 0);
  return rows >= Math.max(ALWAYS_KEPT_OVER, base.base.positions.length * SHARE_OVER);
}
