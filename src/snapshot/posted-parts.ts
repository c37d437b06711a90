import type { BuiltBase, BuiltDelta } from "./build.ts";
import type { SnapshotParts } from "./feed.ts";

/** Parts on their way to another thread. Each layer goes once, and is a number after that: so it stays the same object there, and what is known of it
 *  is kept. */
export interface PostedParts extends Omit<SnapshotParts, "layers"> {
  readonly base: Posted<BuiltBase>;
  readonly deltas: readonly Posted<BuiltDelta>[];
  readonly deletes: SnapshotParts["layers"]["deletes"];
}

interface Posted<Layer> {
  readonly id: number;
  /** Absent: it was in the parts before. */
  readonly layer?: Layer;
}

/** Prepares parts for one other thread, which has those that were prepared before.
 *  @param idOf a number for each layer, another for another */
export function createPartsSender(idOf: (layer: object) => number): (parts: SnapshotParts) => PostedParts {
  let there: ReadonlySet<number> = new Set();
  return ({ layers: { base, deltas, deletes }, ...rest }) => {
    const post = <Layer extends object>(layer: Layer): Posted<Layer> => {
      const id = idOf(layer);
      return there.has(id) ? { id } : { id, layer };
    };
    const posted = { ...rest, base: post(base), deltas: deltas.map(post), deletes };
    there = new Set([posted.base, ...posted.deltas].map(({ id }) => id));
    return posted;
  };
}

export interface PartsReceiver {
  read(posted: PostedParts): SnapshotParts;
  /** The number of a layer that was read. */
  idOf(layer: object): number | undefined;
}

/** @param onUnused told the number of each base that nobody in this thread holds any more */
export function createPartsReceiver(onUnused: (id: number) => void): PartsReceiver {
  let here: ReadonlyMap<number, object> = new Map();
  const ids = new WeakMap<object, number>();
  const unused = new FinalizationRegistry(onUnused);
  return {
    read({ base, deltas, deletes, ...rest }) {
      const now = new Map<number, object>();
      const read = <Layer extends object>({ id, layer = here.get(id) as Layer | undefined }: Posted<Layer>): Layer => {
        if (layer === undefined) throw new Error(`layer ${id} was not sent`);
        now.set(id, layer);
        ids.set(layer, id);
        return layer;
      };
      const layers = { base: read(base), deltas: deltas.map(read), deletes };
      // What reads texts holds the base's rows.
      if (base.layer !== undefined) unused.register(base.layer.base, base.id);
      here = now;
      return { ...rest, layers };
    },
    idOf: (layer) => ids.get(layer),
  };
}
