import { Problem } from "../problem.ts";
import { type AppliedWrite, type KeptWrite, requireSameWrite, type WriteKey } from "./applied-write.ts";
import { type Cart, emptyCart } from "./cart.ts";

export type StoredCart = Cart & CartIds;

/** The two ids of a cart, 128 random bits or more each. */
export interface CartIds {
  readonly id: string;
  readonly checkoutId: string;
}

/** The cart that a keyed write is about. */
export interface KeyedCart {
  readonly id: string;
  /** The client has its cookie. */
  readonly isKnown: boolean;
}

/** Where carts are kept (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface CartStore {
  find(id: string): Promise<StoredCart | undefined>;
  findByCheckout(checkoutId: string): Promise<StoredCart | undefined>;
  /** Saves `cart` as the revision after `cart.revision`, where that is still the newest (0: the cart is new).
   *  @param applied recorded in the same transaction, where its key is not used yet
   *  @returns false where it has moved on, or the key is used: nothing was written */
  save(cart: StoredCart, now: number, applied?: AppliedWrite): Promise<boolean>;
  /** Keeps a cart that a write did not change from counting as abandoned; its row is written once a day at most. */
  renew(id: string, now: number): Promise<void>;
  /** Records a keyed write that changed nothing, where `cart.revision` is still the newest. @returns as {@link save} */
  keepApplied(cart: StoredCart, now: number, applied: AppliedWrite): Promise<boolean>;
  /** What was applied under this key within a day: to this cart, or by this visitor while they knew of no cart.
   *  @param cart.isKnown the visitor has its cookie: what they did to another cart does not count */
  findApplied(key: WriteKey, cart: KeyedCart | undefined, now: number): Promise<KeptWrite | undefined>;
  /** The cart id that first writes of one visitor share within 10 seconds, on any node.
   *  @param tokenHash digest of the token  @param newId used where none was claimed yet */
  claimFirst(tokenHash: string, newId: string, now: number): Promise<string>;
}

/** Attempts before a contended cart counts as unreachable; edits of one process queue, so only other nodes contend. */
const MAX_ATTEMPTS = 50;

const queues = new WeakMap<CartStore, Map<string, Promise<unknown>>>();

/** THE read-modify-write of a cart: reads, edits, saves where the revision is still the one read, else again.
 *  Edits of one cart queue inside this process; other nodes are held off by the revision.
 *  @param ids of the cart; the checkout id counts where the cart is new
 *  @param edit pure; called again where the cart has moved on; where it returns the very cart it was given, only its age is renewed
 *  @returns what `edit` returned, its cart with the saved revision, after the commit */
export async function editCart<E extends { readonly cart: Cart }>(
  store: CartStore,
  ids: CartIds,
  now: number,
  edit: (cart: StoredCart) => E,
): Promise<E> {
  return untilSaved(store, ids.id, async () => {
    const cart = await findOrNew(store, ids);
    const edited = withNextRevision(cart, edit(cart));
    if (edited.cart !== cart)
      return (await store.save({ ...edited.cart, revision: cart.revision }, now)) ? edited : undefined;
    if (cart.revision > 0) await store.renew(cart.id, now);
    return edited;
  });
}

/** A keyed write: what {@link editCart} does and the record of it in one transaction, once however often it comes.
 *  @param at.isKnown the client has this cart's cookie
 *  @param at.answer what it is answered, recorded with it
 *  @returns the record, new or found, and what `edit` returned where it was applied just now
 *  @throws Problem `idempotency_conflict` as {@link requireSameWrite} */
export async function editCartOnce<E extends { readonly cart: StoredCart }>(
  store: CartStore,
  ids: CartIds,
  now: number,
  edit: (cart: StoredCart) => E,
  at: {
    readonly key: WriteKey;
    readonly isKnown: boolean;
    readonly answer: (edited: E) => Promise<string>;
  },
): Promise<{ readonly applied: AppliedWrite; readonly edited?: E }> {
  const { key, isKnown, answer } = at;
  return untilSaved(store, ids.id, async () => {
    const cart = await findOrNew(store, ids);
    // Looked up after the cart: what is not recorded by now is not in that cart either.
    const before = await store.findApplied(key, { id: ids.id, isKnown }, now);
    if (before !== undefined) return { applied: requireSameWrite(before, key) };
    const edited = withNextRevision(cart, edit(cart));
    const isMade = edited.cart.revision > 0;
    const applied: AppliedWrite = {
      key: key.key,
      fingerprint: key.fingerprint,
      scopes: [...(isKnown || isMade ? [ids.id] : []), ...(isKnown ? [] : [key.visitor])],
      ...(isMade ? { cartId: ids.id } : {}),
      answer: await answer(edited),
    };
    const isKept =
      edited.cart === cart
        ? await store.keepApplied(cart, now, applied)
        : await store.save({ ...edited.cart, revision: cart.revision }, now, applied);
    return isKept ? { applied, edited } : undefined;
  });
}

/** Tries until `attempt` gives something: edits of one cart one after the other here, other nodes between them. */
function untilSaved<T>(store: CartStore, id: string, attempt: () => Promise<T | undefined>): Promise<T> {
  return inQueue(store, id, async () => {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      const done = await attempt();
      if (done !== undefined) return done;
      await new Promise((resolve) => setTimeout(resolve, Math.min(tries * 2, 40)));
    }
    throw new Problem("cart_service_unavailable", "The cart is being changed by others: try again.");
  });
}

async function findOrNew(store: CartStore, ids: CartIds): Promise<StoredCart> {
  return (await store.find(ids.id)) ?? { ...emptyCart, ...ids };
}

/** The edit with its cart as it will be once saved. */
function withNextRevision<E extends { readonly cart: Cart }>(
  cart: StoredCart,
  edited: E,
): E & { readonly cart: StoredCart } {
  if (edited.cart === cart) return { ...edited, cart };
  const { id, checkoutId, revision } = cart;
  return { ...edited, cart: { ...edited.cart, id, checkoutId, revision: revision + 1 } };
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
