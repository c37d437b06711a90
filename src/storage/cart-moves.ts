import { fnv1a } from "../runtime/hash.ts";

/** Which carts have been written to by any thread of this process, so that each can tell whether what it remembers is still so. Carts share counters
 *  by a hash of their id: one that moves on has a few others read again.
 *
 *      counters   0   0   3   0   1   ...      a cart's own: hash(id) mod their number */
export interface CartMoves {
  /** Another number once this cart has been written to. */
  stamp(id: string): number;
  /** The cart has been written to: said after the commit and before it is acknowledged. @returns the stamp from now on */
  moved(id: string): number;
}

/** Memory for `cartMoves`, shared by the threads that it is posted to. */
export function cartMovesMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT);
}

export function cartMoves(memory: SharedArrayBuffer): CartMoves {
  const counters = new Int32Array(memory);
  return {
    stamp: (id) => Atomics.load(counters, placeOf(id)),
    moved: (id) => (Atomics.add(counters, placeOf(id), 1) + 1) | 0,
  };
}

/** A power of two. */
const COUNTERS = 65_536;

function placeOf(id: string): number {
  const hash = fnv1a(id);
  return (hash ^ (hash >>> 16)) & (COUNTERS - 1);
}
