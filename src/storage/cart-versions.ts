import { fnv1a } from "../runtime/hash.ts";

/** Versions of carts, shared by the threads of this process: a thread detects that another one wrote to a cart that it has cached. Carts share
 *  counters by a hash of their id, so a write also invalidates a few other carts.
 *
 *      counters   0   0   3   0   1   ...      the index of a cart: hash(id) mod their number */
export interface CartVersions {
  /** Changes with each write. */
  current(id: string): number;
  /** Call after the commit of a write and before its acknowledgment. @returns the new version */
  increment(id: string): number;
}

/** Memory for {@link cartVersions}, shared by the threads that it is posted to. */
export function cartVersionsMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT);
}

export function cartVersions(memory: SharedArrayBuffer): CartVersions {
  const counters = new Int32Array(memory);
  return {
    current: (id) => Atomics.load(counters, indexOf(id)),
    increment: (id) => (Atomics.add(counters, indexOf(id), 1) + 1) | 0,
  };
}

/** A power of two. */
const COUNTERS = 65_536;

function indexOf(id: string): number {
  const hash = fnv1a(id);
  return (hash ^ (hash >>> 16)) & (COUNTERS - 1);
}
