import { memoizePerObject } from "../runtime/cache.ts";
import type { BuiltBase, BuiltDelta } from "./build.ts";
import type { SnapshotParts } from "./feed.ts";

/**
 * Parts in the form in which they are sent to another thread. A layer is sent only once, and later replaced by its id.
 * The receiver therefore keeps the same object with its caches.
 */
export interface TransferredParts extends Omit<SnapshotParts, "layers"> {
  readonly base: Transferred<BuiltBase>;
  readonly deltas: readonly Transferred<BuiltDelta>[];
  readonly deletes: SnapshotParts["layers"]["deletes"];
}

interface Transferred<Layer> {
  readonly id: number;
  /** The layer; undefined if the previous parts contained it. */
  readonly layer?: Layer;
}

/**
 * Sends parts to one thread. It references each base that the thread still uses, because the file of a base's strings
 * is closed when the sending thread has no reference to the base.
 */
export interface PartsSender {
  /** Prepares the next parts. All of them must be sent to the thread, in order. */
  prepare(parts: SnapshotParts): TransferredParts;
  /** Releases a base that the thread no longer uses. */
  release(id: number): void;
  /** Releases everything after the thread has ended. */
  close(): void;
}

/** Creates senders of parts to other threads. */
export function createPartsTransfers() {
  const referenced = new Set<Map<number, BuiltBase>>();
  let last = 0;
  const idOf = memoizePerObject((_: object) => {
    last += 1;
    return last;
  });
  return {
    /** Creates a sender to one thread. */
    connect(): PartsSender {
      const bases = new Map<number, BuiltBase>();
      referenced.add(bases);
      let sent: ReadonlySet<number> = new Set();
      const transfer = <Layer extends object>(layer: Layer): Transferred<Layer> => {
        const id = idOf(layer);
        return sent.has(id) ? { id } : { id, layer };
      };
      return {
        prepare({ layers: { base, deltas, deletes }, ...rest }) {
          const transferred = { ...rest, base: transfer(base), deltas: deltas.map(transfer), deletes };
          sent = new Set([transferred.base, ...transferred.deltas].map(({ id }) => id));
          bases.set(transferred.base.id, base);
          return transferred;
        },
        release: (id) => void bases.delete(id),
        close: () => void referenced.delete(bases),
      };
    },
    /** Returns a base that a thread uses, by its id; undefined if no thread uses it. */
    find(id: number): BuiltBase | undefined {
      for (const bases of referenced) if (bases.has(id)) return bases.get(id);
      return undefined;
    },
  };
}

/** @param onUnused receives the id of each base that this thread no longer references */
export function createPartsReceiver(onUnused: (id: number) => void) {
  let received: ReadonlyMap<number, object> = new Map();
  const ids = new WeakMap<object, number>();
  const unused = new FinalizationRegistry(onUnused);
  return {
    read({ base, deltas, deletes, ...rest }: TransferredParts): SnapshotParts {
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
      // All readers of the base's strings reference this object.
      if (base.layer !== undefined) unused.register(base.layer.base, base.id);
      received = now;
      return { ...rest, layers };
    },
    /** Returns the id of a received layer. */
    idOf: (layer: object): number | undefined => ids.get(layer),
  };
}
