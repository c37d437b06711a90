import type { BuiltBase, BuiltDelta } from "./build.ts";
import type { SnapshotParts } from "./feed.ts";

/**
 * Parts on their way to another thread. Each layer is sent once, and by number after that: so it remains the same
 * object there, with its caches.
 */
export interface PostedParts extends Omit<SnapshotParts, "layers"> {
  readonly base: Posted<BuiltBase>;
  readonly deltas: readonly Posted<BuiltDelta>[];
  readonly deletes: SnapshotParts["layers"]["deletes"];
}

interface Posted<Layer> {
  readonly id: number;
  /** Undefined if the previous parts contained it. */
  readonly layer?: Layer;
}

/**
 * Prepares parts for one other thread, which has received all those prepared before.
 * @param idOf returns a unique number for each layer
 */
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
  /** The number of a received layer. */
  idOf(layer: object): number | undefined;
}

/** @param onUnused receives the number of each base that this thread no longer references */
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
      // Readers of its strings hold the base's rows.
      if (base.layer !== undefined) unused.register(base.layer.base, base.id);
      here = now;
      return { ...rest, layers };
    },
    idOf: (layer) => ids.get(layer),
  };
}
