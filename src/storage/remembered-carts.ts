import { LRUCache } from "lru-cache";
import type { CartStore, StoredCart } from "../cart/cart-store.ts";

/** The carts of a store that only this process writes to, those in use in memory as well. Each is what was last committed: a save is
 *  remembered once it is on disk, and what became of a save that failed is read again.
 *  @param maxBytes about how much memory they may take; what has not been asked for longest goes first */
export function rememberCarts(store: CartStore, maxBytes = 32 * 1_024 * 1_024): CartStore {
  const known = new LRUCache<string, StoredCart>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  /** Reads under way that no save has begun beside. */
  const reads = new Map<string, Promise<StoredCart | undefined>>();
  const read = (id: string): Promise<StoredCart | undefined> => {
    const begun = store.find(id);
    reads.set(id, begun);
    const end = (cart?: StoredCart): void => {
      if (reads.get(id) !== begun) return;
      reads.delete(id);
      if (cart !== undefined) known.set(id, cart);
    };
    begun.then(end, () => end());
    return begun;
  };
  return {
    ...store,
    find: async (id) => known.get(id) ?? reads.get(id) ?? read(id),
    async save(before, after, write) {
      const { id } = before;
      const settle = (cart?: StoredCart): void => {
        reads.delete(id);
        if (cart === undefined) known.delete(id);
        else known.set(id, cart);
      };
      // A read under way may come before or after this save in the database: it is answered, and not remembered.
      reads.delete(id);
      try {
        const outcome = await store.save(before, after, write);
        settle(outcome === "saved" && after.revision > 0 ? after : undefined);
        return outcome;
      } catch (error) {
        settle();
        throw error;
      }
    },
  };
}

/** About how many bytes a cart takes. */
function sizeOf({ lines, note, discountCodes, giftCards }: StoredCart): number {
  const texts = lines.map(({ properties }) => JSON.stringify(properties).length);
  return (
    1_000 +
    300 * (lines.length + discountCodes.length + giftCards.length) +
    (note?.length ?? 0) +
    2 * texts.reduce((sum, length) => sum + length, 0)
  );
}
