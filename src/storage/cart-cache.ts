import type { Carts, StoredCart } from "../cart/cart-store.ts";
import { createCache } from "../runtime/cache.ts";
import { hashFnv1a } from "../runtime/hash.ts";
import type { StoredCarts } from "./cart-store.ts";

/**
 * Caches the carts of a store that only this process writes to. A saved cart is cached after its commit. A cart is read
 * again if its save failed, or if another thread wrote to it.
 * @param versions cart versions, shared by all threads that write to the store. Default: only this thread writes
 * @param maxBytes maximum bytes of cached carts, approximate
 */
export function addCartCache(
  store: StoredCarts,
  versions: CartVersions = openCartVersions(allocateCartVersions()),
  maxBytes = 32 * 1_024 * 1_024,
): StoredCarts & Required<Pick<Carts, "findCached">> {
  const cache = createCache<string, CachedCart>({
    name: "carts",
    maxWeight: maxBytes,
    weigh: ({ cart }) => estimateBytes(cart),
    isCurrent: ({ cart, version }) => versions.getVersion(cart.id) === version,
  });
  /** Reads in flight by cart ID. A save removes the read of its cart, because the result may be outdated. */
  const pendingReads = new Map<string, PendingCartRead>();
  const readStoredCart = (id: string, version: number): Promise<StoredCart | undefined> => {
    const pendingRead = { cart: store.find(id), version };
    pendingReads.set(id, pendingRead);
    const finishRead = (cart?: StoredCart): void => {
      if (pendingReads.get(id) !== pendingRead) return;
      pendingReads.delete(id);
      if (cart !== undefined && versions.getVersion(id) === version) cache.set(id, { cart, version });
    };
    pendingRead.cart.then(finishRead, () => finishRead());
    return pendingRead.cart;
  };
  return {
    ...store,
    async find(id) {
      // Read the version before the row, so that a write in between makes the cached cart outdated.
      const version = versions.getVersion(id);
      const cachedCart = cache.get(id);
      if (cachedCart !== undefined) return cachedCart.cart;
      const pendingRead = pendingReads.get(id);
      return pendingRead?.version === version ? pendingRead.cart : readStoredCart(id, version);
    },
    findCached: (id) => cache.get(id)?.cart,
    save(oldCart, newCart, write) {
      const { id } = oldCart;
      // Do not cache `newCart`: a write without a new revision does not change the cart, but another request may have
      // changed it since it was read.
      if (newCart.revision === oldCart.revision) return store.save(oldCart, newCart, write);
      const version = versions.beginWrite(id);
      const finishSave = (cart?: StoredCart): void => {
        pendingReads.delete(id);
        // Do not cache the cart if another thread saved it at the same time, because the order of the commits is
        // unknown.
        if (versions.endWrite(id) === version && cart !== undefined) cache.set(id, { cart, version });
        else cache.delete(id);
      };
      // A read in flight may return the cart before or after this save, so its result must not be cached.
      pendingReads.delete(id);
      return store.save(oldCart, newCart, write).then(
        (outcome) => {
          finishSave(outcome === "saved" ? newCart : undefined);
          return outcome;
        },
        (error: unknown) => {
          finishSave();
          throw error;
        },
      );
    },
  };
}

interface CachedCart {
  readonly cart: StoredCart;
  /** Version of the cart before its row was read, or after it was saved. */
  readonly version: number;
}

interface PendingCartRead {
  readonly cart: Promise<StoredCart | undefined>;
  readonly version: number;
}

/** Returns the approximate size of a cart in bytes. */
function estimateBytes({ lines, note, discountCodes, giftCards }: StoredCart): number {
  let bytes = 1_000 + 300 * (lines.length + discountCodes.length + giftCards.length) + (note?.length ?? 0);
  for (const { properties } of lines)
    for (const name in properties) bytes += 2 * (name.length + (properties[name]?.length ?? 0));
  return bytes;
}

/**
 * Versions of carts, shared by the threads of this process. With them, a thread detects that another thread wrote to a
 * cart in its cache. The counters of a cart have the index hash(id) modulo their number. Several carts may share
 * a counter, so a write also invalidates a few other carts.
 */
export interface CartVersions {
  /**
   * Returns the version of a cart, which changes with each write. NaN, which equals no version, while a write is in
   * flight: it may be committed already, and another thread may have read the new cart.
   */
  getVersion(id: string): number;
  /**
   * Begins a write. Must be called before its commit. If the thread ends before `endWrite`, the carts that share the
   * counter are no longer cached, until the process ends.
   * @returns the version after the write, unless another write of the cart ends before
   */
  beginWrite(id: string): number;
  /**
   * Ends a write. Must be called after its commit and before its acknowledgment, or after its failure.
   * @returns the new version
   */
  endWrite(id: string): number;
}

/** Creates the shared memory for {@link openCartVersions}. */
export function allocateCartVersions(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * COUNTER_COUNT * Int32Array.BYTES_PER_ELEMENT);
}

export function openCartVersions(memory: SharedArrayBuffer): CartVersions {
  const versions = new Int32Array(memory, 0, COUNTER_COUNT);
  const writesInFlight = new Int32Array(memory, versions.byteLength, COUNTER_COUNT);
  return {
    getVersion(id) {
      const index = getCounterIndex(id);
      return Atomics.load(writesInFlight, index) > 0 ? Number.NaN : Atomics.load(versions, index);
    },
    beginWrite(id) {
      const index = getCounterIndex(id);
      Atomics.add(writesInFlight, index, 1);
      return (Atomics.load(versions, index) + 1) | 0;
    },
    endWrite(id) {
      const index = getCounterIndex(id);
      const version = (Atomics.add(versions, index, 1) + 1) | 0;
      Atomics.sub(writesInFlight, index, 1);
      return version;
    },
  };
}

/** Number of counters of each kind, a power of two. */
const COUNTER_COUNT = 65_536;

function getCounterIndex(id: string): number {
  const hash = hashFnv1a(id);
  return (hash ^ (hash >>> 16)) & (COUNTER_COUNT - 1);
}
