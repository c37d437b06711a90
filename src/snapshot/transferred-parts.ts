import { memoizePerObject } from "../runtime/cache.ts";
import type { BaseLayer, DeltaLayer } from "./build.ts";
import type { SnapshotContent } from "./feed.ts";

/**
 * Parts of a snapshot as they are sent to another thread. Each layer is sent only once, and later only its id. The
 * receiver can therefore reuse the layer and its caches.
 */
export interface TransferredSnapshot extends Omit<SnapshotContent, "layers"> {
  readonly base: LayerTransfer<BaseLayer>;
  readonly deltas: readonly LayerTransfer<DeltaLayer>[];
  readonly deletes: SnapshotContent["layers"]["deletes"];
}

interface LayerTransfer<Layer> {
  readonly id: number;
  /** The layer; undefined if it was already sent. */
  readonly layer?: Layer;
}

/**
 * Sends snapshot parts to one thread. Keeps a reference to each base (full build of the catalog) that the thread uses,
 * because the file with the strings of a base is closed when no reference is left.
 */
export interface SnapshotSender {
  /** Prepares parts for sending. All results must be sent to the thread, in the order of the calls. */
  prepare(parts: SnapshotContent): TransferredSnapshot;
  /** Releases a copy of a base that the thread no longer uses. */
  release(id: number): void;
  /** Releases all bases, after the thread has ended. */
  close(): void;
}

/** A base that a thread uses, with the number of its copies in the thread. */
interface SentBase {
  readonly baseLayer: BaseLayer;
  copyCount: number;
}

/** Creates senders of snapshot parts to other threads. */
export function createSnapshotSenders() {
  const basesInUse = new Set<Map<number, SentBase>>();
  let lastId = 0;
  const idOf = memoizePerObject((_: object) => {
    lastId += 1;
    return lastId;
  });
  return {
    /** Creates a sender of snapshot parts to one thread. */
    connect(): SnapshotSender {
      const basesById = new Map<number, SentBase>();
      basesInUse.add(basesById);
      let sentIds: ReadonlySet<number> = new Set();
      const prepareLayer = <Layer extends object>(layer: Layer): LayerTransfer<Layer> => {
        const id = idOf(layer);
        return sentIds.has(id) ? { id } : { id, layer };
      };
      return {
        prepare({ layers: { base, deltas, deletes }, ...otherParts }) {
          const transferredParts = {
            ...otherParts,
            base: prepareLayer(base),
            deltas: deltas.map(prepareLayer),
            deletes,
          };
          sentIds = new Set([transferredParts.base, ...transferredParts.deltas].map(({ id }) => id));
          const { id, layer } = transferredParts.base;
          // A rollback sends a base again, whose first copy may still be in use.
          const copyCount = (basesById.get(id)?.copyCount ?? 0) + Number(layer !== undefined);
          basesById.set(id, { baseLayer: base, copyCount });
          return transferredParts;
        },
        release(id) {
          const base = basesById.get(id);
          if (base === undefined) return;
          base.copyCount -= 1;
          if (base.copyCount === 0) basesById.delete(id);
        },
        close: () => void basesInUse.delete(basesById),
      };
    },
    /** Returns a base that a thread uses, by its id; undefined if no thread uses it. */
    find(id: number): BaseLayer | undefined {
      for (const basesById of basesInUse) if (basesById.has(id)) return basesById.get(id)?.baseLayer;
      return undefined;
    },
  };
}

/**
 * Creates a receiver of snapshot parts from another thread.
 * @param onUnusedPart receives the id of each base (full build) that this thread no longer references
 */
export function createSnapshotReceiver(onUnusedPart: (id: number) => void) {
  let receivedLayers: ReadonlyMap<number, object> = new Map();
  const ids = new WeakMap<object, number>();
  const layerRegistry = new FinalizationRegistry(onUnusedPart);
  return {
    readSnapshot({ base, deltas, deletes, ...otherParts }: TransferredSnapshot): SnapshotContent {
      const currentLayers = new Map<number, object>();
      const readLayer = <Layer extends object>({
        id,
        layer = receivedLayers.get(id) as Layer | undefined,
      }: LayerTransfer<Layer>): Layer => {
        if (layer === undefined) throw new Error(`layer ${id} was not sent`);
        currentLayers.set(id, layer);
        ids.set(layer, id);
        return layer;
      };
      const layers = { base: readLayer(base), deltas: deltas.map(readLayer), deletes };
      // All readers of the base's strings reference this object, so the base is unused when it is garbage collected.
      if (base.layer !== undefined) layerRegistry.register(base.layer.base, base.id);
      receivedLayers = currentLayers;
      return { ...otherParts, layers };
    },
    /** Returns the id of a received layer. */
    idOf: (layer: object): number | undefined => ids.get(layer),
  };
}
