import { LRUCache } from "lru-cache";
import type { CartStore, StoredCart } from "../cart/cart-store.ts";
import { type CartMoves, cartMoves, cartMovesMemory } from "./cart-moves.ts";
import type { StoredCarts } from "./cart-store.ts";

/** The carts of a store that only this process writes to, those in use in memory as well. Each is what was last committed: a save is
 *  remembered once it is on disk, and what became of a save that failed is read again. So is what another thread has written to since.
 *  @param moves of this process, the same in all threads that write to the store; absent: there are no others
 *  @param maxBytes about how much memory they may take; what has not been asked for longest goes first */
export function rememberCarts(
  store: StoredCarts,
  moves: CartMoves = cartMoves(cartMovesMemory()),
  maxBytes = 32 * 1_024 * 1_024,
): StoredCarts & Required<Pick<CartStore, "remembered">> {
  const known = new LRUCache<string, Remembered>({
    maxSize: maxBytes,
    sizeCalculation: ({ cart }) => sizeOf(cart),
  });
  /** Reads under way that no save has begun beside. */
  const reads = new Map<string, Reading>();
  const read = (id: string, stamp: number): Promise<StoredCart | undefined> => {
    const reading = { cart: store.find(id), stamp };
    reads.set(id, reading);
    const end = (cart?: StoredCart): void => {
      if (reads.get(id) !== reading) return;
      reads.delete(id);
      if (cart !== undefined && moves.stamp(id) === stamp) known.set(id, { cart, stamp });
    };
    reading.cart.then(end, () => end());
    return reading.cart;
  };
  const remembered = (id: string, stamp: number): StoredCart | undefined => {
    const one = known.get(id);
    return one?.stamp === stamp ? one.cart : undefined;
  };
  return {
    ...store,
    async find(id) {
      const stamp = moves.stamp(id);
      const reading = reads.get(id);
      return remembered(id, stamp) ?? (reading?.stamp === stamp ? reading.cart : read(id, stamp));
    },
    remembered: (id) => remembered(id, moves.stamp(id)),
    save(before, after, write) {
      const { id } = before;
      const stamp = (moves.stamp(id) + 1) | 0;
      const settle = (cart?: StoredCart): void => {
        reads.delete(id);
        // Where another thread has saved meanwhile, nobody here knows which came last.
        if (moves.moved(id) === stamp && cart !== undefined) known.set(id, { cart, stamp });
        else known.delete(id);
      };
      // A read under way may come before or after this save in the database: it is answered, and not remembered.
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

interface Remembered {
  readonly cart: StoredCart;
  /** Of the cart before it was read, or once it was saved. */
  readonly stamp: number;
}

interface Reading {
  readonly cart: Promise<StoredCart | undefined>;
  readonly stamp: number;
}

/** About how many bytes a cart takes. */
function sizeOf({ lines, note, discountCodes, giftCards }: StoredCart): number {
  let size = 1_000 + 300 * (lines.length + discountCodes.length + giftCards.length) + (note?.length ?? 0);
  for (const { properties } of lines)
    for (const name in properties) size += 2 * (name.length + (properties[name]?.length ?? 0));
  return size;
}
