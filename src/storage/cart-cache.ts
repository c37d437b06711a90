import type { Carts, StoredCart } from "../cart/cart-store.ts";
import { createCache } from "../runtime/cache.ts";
import { fnv1a } from "../runtime/hash.ts";
import type { StoredCarts } from "./cart-store.ts";

/**
 * Caches the carts of a store that only this process writes to. A cached cart is the last committed one: a saved cart
 * is cached after its commit, and a cart whose save failed, or that another thread wrote to, is read again.
 * @param versions shared by all threads that write to the store. Default: this thread is the only one
 * @param maxBytes maximum bytes of cached carts, approximate
 */
export function withCartCache(
  store: StoredCarts,
  versions: CartVersions = cartVersions(cartVersionsMemory()),
  maxBytes = 32 * 1_024 * 1_024,
): StoredCarts & Required<Pick<Carts, "findCached">> {
  const cache = createCache<string, CachedCart>({
    name: "carts",
    maxWeight: maxBytes,
    weigh: ({ cart }) => weightOf(cart),
    isCurrent: ({ cart, version }) => versions.current(cart.id) === version,
  });
  /** Reads in flight during which no save started. */
  const reads = new Map<string, Reading>();
  const read = (id: string, version: number): Promise<StoredCart | undefined> => {
    const reading = { cart: store.find(id), version };
    reads.set(id, reading);
    const end = (cart?: StoredCart): void => {
      if (reads.get(id) !== reading) return;
      reads.delete(id);
      if (cart !== undefined && versions.current(id) === version) cache.set(id, { cart, version });
    };
    reading.cart.then(end, () => end());
    return reading.cart;
  };
  return {
    ...store,
    async find(id) {
      // Read before the row, so that a write in between makes the cart outdated.
      const version = versions.current(id);
      const cached = cache.get(id);
      if (cached !== undefined) return cached.cart;
      const reading = reads.get(id);
      return reading?.version === version ? reading.cart : read(id, version);
    },
    findCached: (id) => cache.get(id)?.cart,
    save(before, after, write) {
      const { id } = before;
      const version = (versions.current(id) + 1) | 0;
      const settle = (cart?: StoredCart): void => {
        reads.delete(id);
        // If another thread saved at the same time, the order of the commits is unknown.
        if (versions.increment(id) === version && cart !== undefined) cache.set(id, { cart, version });
        else cache.delete(id);
      };
      // A read in flight may see the database before or after this save: its result is returned and not cached.
      reads.delete(id);
      return store.save(before, after, write).then(
        (outcome) => {
          settle(outcome === "saved" && after.revision > 0 ? after : undefined);
          return outcome;
        },
        (error: unknown) => {
          settle();
          throw error;
        },
      );
    },
  };
}

interface CachedCart {
  readonly cart: StoredCart;
  /** The version before the cart was read, or after it was saved. */
  readonly version: number;
}

interface Reading {
  readonly cart: Promise<StoredCart | undefined>;
  readonly version: number;
}

/** Bytes of a cart, approximate. */
function weightOf({ lines, note, discountCodes, giftCards }: StoredCart): number {
  let bytes = 1_000 + 300 * (lines.length + discountCodes.length + giftCards.length) + (note?.length ?? 0);
  for (const { properties } of lines)
    for (const name in properties) bytes += 2 * (name.length + (properties[name]?.length ?? 0));
  return bytes;
}

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

/** Memory for {@link cartVersions}, shared by the threads that receive it. */
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
