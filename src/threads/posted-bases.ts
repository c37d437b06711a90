import { perObject } from "../runtime/cache.ts";
import type { BuiltBase } from "../snapshot/build.ts";
import type { SnapshotParts } from "../snapshot/feed.ts";

/** The bases that loops use: held here as long as any loop holds its copy, since the file that their texts are read from is closed once nobody
 *  in this thread holds them. */
export interface PostedBases {
  /** A number for each layer. */
  readonly idOf: (layer: object) => number;
  /** A loop is sent these. */
  send(parts: SnapshotParts, to: object): void;
  /** A loop holds the base no more. */
  release(id: number, from: object): void;
  /** A loop is gone. */
  releaseAll(from: object): void;
  find(id: number): BuiltBase | undefined;
}

export function createPostedBases(): PostedBases {
  const held = new Map<number, { readonly base: BuiltBase; readonly by: Set<object> }>();
  let last = 0;
  const idOf = perObject((_: object) => {
    last += 1;
    return last;
  });
  const release = (id: number, from: object): void => {
    const { by } = held.get(id) ?? {};
    by?.delete(from);
    if (by?.size === 0) held.delete(id);
  };
  return {
    idOf,
    send({ layers: { base } }, to) {
      const id = idOf(base);
      const entry = held.get(id) ?? { base, by: new Set() };
      entry.by.add(to);
      held.set(id, entry);
    },
    release,
    releaseAll(from) {
      for (const id of [...held.keys()]) release(id, from);
    },
    find: (id) => held.get(id)?.base,
  };
}
