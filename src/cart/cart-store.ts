import { Problem } from "../problem.ts";
import { type Cart, emptyCart } from "./cart.ts";

export type StoredCart = Cart & CartIds;

/** The two ids of a cart, 128 random bits or more each. */
export interface CartIds {
  readonly id: string;
  readonly checkoutId: string;
}

/** Where carts are kept (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface CartStore {
  find(id: string): Promise<StoredCart | undefined>;
  findByCheckout(checkoutId: string): Promise<StoredCart | undefined>;
  /** Saves `cart` as the revision after `cart.revision`, where that is still the newest (0: the cart is new).
   *  @returns false where it has moved on: nothing was written */
  save(cart: StoredCart, now: number): Promise<boolean>;
  /** The cart id that first writes with one CSRF token share within 10 seconds, on any node.
   *  @param tokenHash digest of the token  @param newId used where none was claimed yet */
  claimFirst(tokenHash: string, newId: string, now: number): Promise<string>;
}

/** Attempts before a contended cart counts as unreachable; edits of one process queue, so only other nodes contend. */
const MAX_ATTEMPTS = 50;

const queues = new WeakMap<CartStore, Map<string, Promise<unknown>>>();

/** THE read-modify-write of a cart: reads, edits, saves where the revision is still the one read, else again.
 *  Edits of one cart queue inside this process; other nodes are held off by the revision.
 *  @param ids of the cart; the checkout id counts where the cart is new
 *  @param edit pure; called again where the cart has moved on; where it returns the very cart it was given, nothing is saved
 *  @returns what `edit` returned, its cart with the saved revision, after the commit */
export async function editCart<E extends { readonly cart: Cart }>(
  store: CartStore,
  ids: CartIds,
  now: number,
  edit: (cart: StoredCart) => E,
): Promise<E> {
  return inQueue(store, ids.id, async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const cart = (await store.find(ids.id)) ?? { ...emptyCart, ...ids };
      const edited = edit(cart);
      if (edited.cart === cart) return edited;
      const { id, checkoutId, revision } = cart;
      if (await store.save({ ...edited.cart, id, checkoutId, revision }, now)) {
        return { ...edited, cart: { ...edited.cart, id, checkoutId, revision: revision + 1 } };
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 2, 40)));
    }
    throw new Problem("cart_service_unavailable", "The cart is being changed by others: try again.");
  });
}

async function inQueue<T>(store: CartStore, id: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(store) ?? new Map<string, Promise<unknown>>();
  queues.set(store, queue);
  const before = queue.get(id);
  const mine = before === undefined ? work() : before.then(work, work);
  const settled = mine.catch(() => undefined);
  queue.set(id, settled);
  try {
    return await mine;
  } finally {
    if (queue.get(id) === settled) queue.delete(id);
  }
}
