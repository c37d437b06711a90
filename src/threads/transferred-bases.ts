import { perObject } from "../runtime/cache.ts";
import type { BuiltBase } from "../snapshot/build.ts";
import type { SnapshotParts } from "../snapshot/feed.ts";

/**
 * Holds the bases that loops use while any loop holds its copy: the file of a base's strings is closed when this thread
 * holds no reference to it.
 */
export interface TransferredBases {
  /** Returns the number of a layer. */
  readonly idOf: (layer: object) => number;
  /** Records that a loop receives these parts. */
  send(parts: SnapshotParts, to: object): void;
  /** Records that a loop no longer holds the base. */
  release(id: number, from: object): void;
  /** Records that a loop has ended. */
  releaseAll(from: object): void;
  find(id: number): BuiltBase | undefined;
}

export function createTransferredBases(): TransferredBases {
  const entries = new Map<number, { readonly base: BuiltBase; readonly by: Set<object> }>();
  let last = 0;
  const idOf = perObject((_: object) => {
    last += 1;
    return last;
  });
  const release = (id: number, from: object): void => {
    const { by } = entries.get(id) ?? {};
    by?.delete(from);
    if (by?.size === 0) entries.delete(id);
  };
  return {
    idOf,
    send({ layers: { base } }, to) {
      const id = idOf(base);
      const entry = entries.get(id) ?? { base, by: new Set() };
      entry.by.add(to);
      entries.set(id, entry);
    },
    release,
    releaseAll(from) {
      for (const id of [...entries.keys()]) release(id, from);
    },
    find: (id) => entries.get(id)?.base,
  };
}
