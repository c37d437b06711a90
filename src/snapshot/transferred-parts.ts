import type { BuiltBase, BuiltDelta } from "./build.ts";
import type { SnapshotParts } from "./feed.ts";

/**
 * Parts on their way to another thread. Each layer is sent once, and by number after that: so it remains the same
 * object there, with its caches.
 */
export interface TransferredParts extends Omit<SnapshotParts, "layers"> {
  readonly base: Transferred<BuiltBase>;
  readonly deltas: readonly Transferred<BuiltDelta>[];
  readonly deletes: SnapshotParts["layers"]["deletes"];
}

interface Transferred<Layer> {
  readonly id: number;
  /** Undefined if the previous parts contained it. */
  readonly layer?: Layer;
}

/**
 * Prepares parts for one other thread, which has received all those prepared before.
 * @param idOf returns a unique number for each layer
 */
export function createPartsSender(idOf: (layer: object) => number): (parts: SnapshotParts) => TransferredParts {
  let sent: ReadonlySet<number> = new Set();
  return ({ layers: { base, deltas, deletes }, ...rest }) => {
    const transfer = <Layer extends object>(layer: Layer): Transferred<Layer> => {
      const id = idOf(layer);
      return sent.has(id) ? { id } : { id, layer };
    };
    const transferred = { ...rest, base: transfer(base), deltas: deltas.map(transfer), deletes };
    sent = new Set([transferred.base, ...transferred.deltas].map(({ id }) => id));
    return transferred;
  };
}

export interface PartsReceiver {
  read(transferred: TransferredParts): SnapshotParts;
  /** The number of a received layer. */
  idOf(layer: object): number | undefined;
}

/** @param onUnused receives the number of each base that this thread no longer references */
export function createPartsReceiver(onUnused: (id: number) => void): PartsReceiver {
  let received: ReadonlyMap<number, object> = new Map();
  const ids = new WeakMap<object, number>();
  const unused = new FinalizationRegistry(onUnused);
  return {
    read({ base, deltas, deletes, ...rest }) {
      const now = new Map<number, object>();
      const read = <Layer extends object>({
        id,
        layer = received.get(id) as Layer | undefined,
      }: Transferred<Layer>): Layer => {
        if (layer === undefined) throw new Error(`layer ${id} was not sent`);
        now.set(id, layer);
        ids.set(layer, id);
        return layer;
      };
      const layers = { base: read(base), deltas: deltas.map(read), deletes };
      // Readers of its strings hold the base's rows.
      if (base.layer !== undefined) unused.register(base.layer.base, base.id);
      received = now;
      return { ...rest, layers };
    },
    idOf: (layer) => ids.get(layer),
  };
}
