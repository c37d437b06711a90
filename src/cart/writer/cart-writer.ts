import { setTimeout } from "node:timers/promises";
import { watchDeadlines } from "../../deadlines.ts";
import { type Cart, emptyCart } from "../cart.ts";
import type { WrittenIds } from "../cart-ids.ts";
import type { CartIds, CartStore, CartWrite, SaveOutcome, StoredCart } from "../cart-store.ts";
import {
  type AppliedWrite,
  findReplay,
  type IdempotencyRecord,
  type KeyedCart,
  type WriteKey,
} from "./applied-write.ts";
import { applyEdits } from "./apply-edits.ts";
import { type AppliedEdit, EditQueue, type PendingEdit, tooLate, type WriteTime } from "./edit-queue.ts";

/** The only writer of carts. Edits of one cart wait here for each other: all waiting edits are applied in order to the cart as read and saved
 *  in one commit if the cart is still at that revision, otherwise again. Each edit counts as a revision and fails alone. An edit that has not
 *  started by its deadline is dropped; one that has started is answered with its outcome.
 *  @typeParam S a statement of the database */
export interface CartWriter<S = never> {
  /** Latest start of a write that arrives now, on the clock of `performance.now()`. */
  beginBy(): number;
  /**
   * @param ids of the cart; the checkout id applies to a new cart
   * @param edit pure; called again if the cart has changed since; if it returns the given cart, only the cart's age is
   * renewed
   * @returns the result of `edit`, its cart with the saved revision, after the commit
   */
  edit<E extends { readonly cart: Cart }>(
    ids: WrittenIds,
    at: WriteTime,
    edit: (cart: StoredCart) => E,
  ): Promise<E & { readonly cart: StoredCart }>;
  /**
   * A keyed write: `edit` and its record in one transaction, applied once even if it is sent several times.
   * @returns the new or existing record, and the result of `edit` if it was applied now
   * @throws Problem `idempotency_conflict` as `findSameWrite`
   */
  editOnce<E extends { readonly cart: StoredCart }>(
    ids: WrittenIds,
    at: WriteTime,
    edit: (cart: StoredCart) => E,
    keyed: KeyedEdit<E>,
  ): Promise<{ readonly applied: AppliedWrite; readonly edited?: E }>;
  /** Saves a new cart and claims it for the visitor in one commit. No queue: no client knows its id yet.
   *  @param edited what an edit returned for an empty cart  @param claim digest of the visitor's token
   *  @returns undefined if the visitor claimed another cart in the last seconds: nothing was written  @throws Problem after `at.beginBy` */
  create<E extends { readonly cart: StoredCart }>(
    edited: E,
    at: WriteTime,
    claim: string,
  ): Promise<(E & { readonly cart: StoredCart }) | undefined>;
  /** The cart id that the first writes of one visitor share. @see CartStore.claimFirst */
  readonly claimFirst: CartStore["claimFirst"];
  /** Saves a cart and other rows in one transaction. No queue: the caller has read the other rows together with the cart, and reads and
   *  tries again after "moved on". */
  saveAlong(before: StoredCart, after: StoredCart, write: CartWrite<S>): Promise<SaveOutcome>;
}

export interface KeyedEdit<E> {
  readonly key: WriteKey;
  /** The client has this cart's cookie. */
  readonly isKnown: boolean;
  /** Returns the response, which is recorded with the write. */
  readonly answer: (edited: E) => Promise<string>;
}

/** @param beginMs maximum milliseconds that a write waits until it starts */
export function createCartWriter<S>(store: CartStore<S>, beginMs: number): CartWriter<S> {
  const queues = new Map<string, EditQueue>();
  const watch = watchDeadlines((now) => Math.min(...queues.values().map((queue) => queue.dropLate(now))));
  const enqueue = (edit: PendingEdit): void => {
    const { id } = edit.ids;
    const queue = queues.get(id);
    if (queue !== undefined) {
      queue.add(edit);
      return;
    }
    const started = new EditQueue(watch);
    queues.set(id, started);
    // Removed as soon as the queue is empty: a later edit starts another one.
    const onEmpty = (): void => void queues.delete(id);
    const found = knownCart(store, [edit]);
    if (found === undefined) {
      started.add(edit);
      void writeAll(store, started, onEmpty, 0);
    } else writeAlone(store, started, found.before, edit, onEmpty);
  };
  return {
    beginBy: () => performance.now() + beginMs,
    edit: (ids, at, edit) =>
      new Promise((resolve, refuse) => {
        const apply = (cart: StoredCart): AppliedEdit => {
          const edited = withNextRevision(cart, edit(cart));
          return { cart: edited.cart, resolve: () => resolve(edited) };
        };
        enqueue({ ids, at, apply, reject: refuse });
      }),
    editOnce: (ids, at, edit, { key, isKnown, answer }) =>
      new Promise((resolve, refuse) => {
        const keyed = { key, cart: { id: ids.id, isKnown } };
        const apply = async (cart: StoredCart, recorded: readonly IdempotencyRecord[]): Promise<AppliedEdit> => {
          const before = findReplay(recorded, key, keyed.cart);
          if (before !== undefined) return { cart, resolve: () => resolve({ applied: before }) };
          const edited = withNextRevision(cart, edit(cart));
          const applied = recordOf(keyed, edited.cart.revision > 0, await answer(edited));
          return { cart: edited.cart, record: applied, resolve: () => resolve({ applied, edited }) };
        };
        enqueue({ ids, at, keyed, apply, reject: refuse });
      }),
    async create(edited, at, claim) {
      const { id, checkoutId } = edited.cart;
      const created = withNextRevision(newCart({ id, checkoutId }), edited);
      const outcome = await store.save(newCart({ id, checkoutId }), created.cart, { ...at, claim });
      if (outcome === "too late") throw tooLate();
      return outcome === "saved" ? created : undefined;
    },
    claimFirst: store.claimFirst,
    saveAlong: (before, after, write) => store.save(before, after, write),
  };
}

/** Edits in one commit. */
const MAX_BATCH = 500;
/** Responses created in one iteration of the event loop. */
const RESPONSES_PER_ITERATION = 8;
/** Maximum milliseconds between two attempts if other servers write to the cart too. */
const MAX_RETRY_DELAY_MS = 20;

/**
 * Fast path: writes an edit of a cached cart without other writers, waiting only for the commit. Then writes edits that
 * arrived in the meantime.
 * @param queue for edits that arrive in the meantime
 * @param before the last committed cart
 */
function writeAlone(
  store: CartStore,
  queue: EditQueue,
  before: StoredCart,
  edit: PendingEdit,
  onEmpty: () => void,
): void {
  const goOn = (lost: 0 | 1): void => {
    const [next, another] = queue.first(2);
    const found = lost === 0 && another === undefined ? knownCart(store, next === undefined ? [] : [next]) : undefined;
    if (next === undefined) onEmpty();
    else if (found !== undefined && queue.begin([next])) writeAlone(store, queue, found.before, next, onEmpty);
    else void writeAll(store, queue, onEmpty, lost);
  };
  const refuse = (error: unknown): void => {
    edit.reject(error);
    goOn(0);
  };
  const save = ({ cart, resolve: tell }: AppliedEdit): void => {
    if (cart.revision === 0) {
      tell();
      goOn(0);
      return;
    }
    store.save(before, cart, edit.at).then((outcome) => {
      if (outcome === "saved") tell();
      else queue.putBack([edit]);
      goOn(outcome === "saved" ? 0 : 1);
    }, refuse);
  };
  try {
    const applied = edit.apply(before, []);
    if (applied instanceof Promise) applied.then(save).catch(refuse);
    else save(applied);
  } catch (error) {
    refuse(error);
  }
}

/** Writes waiting edits until the queue is empty. Never throws.  @param lost number of failed attempts so far */
async function writeAll(store: CartStore, queue: EditQueue, onEmpty: () => void, lost: number): Promise<void> {
  const resolveAll = createResolver();
  for (let tries = lost; queue.size > 0; ) {
    if (tries > 0) await setTimeout(Math.min(tries, MAX_RETRY_DELAY_MS));
    tries = (await writeBatch(store, queue, resolveAll, tries === 0)) ? 0 : tries + 1;
  }
  onEmpty();
}

/**
 * Reads the cart, applies waiting edits and saves it.
 * @param isFirstTry whether a cart with a new id can be assumed to be new
 * @returns false if it must be repeated
 */
async function writeBatch(
  store: CartStore,
  queue: EditQueue,
  resolveAll: ResolveAll,
  isFirstTry: boolean,
): Promise<boolean> {
  const waiting = queue.first(MAX_BATCH);
  let started: readonly PendingEdit[] = [];
  try {
    const known = isFirstTry ? knownCart(store, waiting) : undefined;
    const { before, recorded } = known ?? (await read(store, waiting));
    const batch = await applyEdits(before, recorded, queue, waiting);
    const edits = [...batch.applied.keys()];
    // An edit that was dropped during the applications is part of their base.
    if (!queue.begin(edits)) return false;
    started = edits;
    if (!batch.isRejected && (batch.after.revision > 0 || batch.records.length > 0)) {
      const now = Math.max(...edits.map(({ at }) => at.now));
      const beginBy = Math.min(...edits.map(({ at }) => at.beginBy));
      const outcome = await store.save(before, batch.after, { now, beginBy, applied: batch.records });
      if (outcome !== "saved") {
        queue.putBack(edits);
        return false;
      }
    }
    resolveAll(batch.applied.values());
  } catch (error) {
    for (const edit of started.length > 0 ? started : waiting.filter((one) => queue.begin([one]))) edit.reject(error);
  }
  return true;
}

/** The state to which edits are applied. */
interface Found {
  readonly before: StoredCart;
  /** Keyed writes applied before. */
  readonly recorded: readonly IdempotencyRecord[];
}

/** Like `read`, if the database is not needed. */
function knownCart(store: CartStore, edits: readonly PendingEdit[]): Found | undefined {
  const [first] = edits;
  if (first === undefined || edits.some(({ keyed }) => keyed !== undefined)) return undefined;
  const { ids } = first;
  const before = store.findCached?.(ids.id) ?? (ids.isNew ? newCart(ids) : undefined);
  return before && { before, recorded: [] };
}

function newCart({ id, checkoutId }: CartIds): StoredCart {
  return { ...emptyCart, id, checkoutId };
}

async function read(store: CartStore, edits: readonly PendingEdit[]): Promise<Found> {
  const [first] = edits;
  if (first === undefined) throw new Error("nothing waits");
  const { ids, at } = first;
  const before = (await store.find(ids.id)) ?? newCart(ids);
  // Looked up after the cart: a write that is not recorded now is not in that cart either.
  const keys = edits.flatMap(({ keyed }) => (keyed === undefined ? [] : [keyed.key]));
  return { before, recorded: keys.length === 0 ? [] : await store.findApplied(keys, ids.id, at.now) };
}

type ResolveAll = (applied: Iterable<Pick<AppliedEdit, "resolve">>) => void;

/**
 * Creates responses in several iterations of the event loop, in order, so that neither other requests nor the next
 * edits wait for all of them.
 */
function createResolver(): ResolveAll {
  const waiting = new Set<Pick<AppliedEdit, "resolve">>();
  let isResolving = false;
  const resolveSome = (): void => {
    for (const one of waiting.values().take(RESPONSES_PER_ITERATION)) {
      waiting.delete(one);
      one.resolve();
    }
    isResolving = waiting.size > 0;
    if (isResolving) setImmediate(resolveSome);
  };
  return (applied) => {
    for (const one of applied) waiting.add(one);
    if (!isResolving) resolveSome();
  };
}

/** The edit with its cart's next revision. */
function withNextRevision<E extends { readonly cart: Cart }>(
  cart: StoredCart,
  edited: E,
): E & { readonly cart: StoredCart } {
  if (edited.cart === cart) return { ...edited, cart };
  const { id, checkoutId, revision } = cart;
  return { ...edited, cart: { ...edited.cart, id, checkoutId, revision: revision + 1 } };
}

/** @param isMade whether the cart exists after the write */
function recordOf(
  { key, cart }: { readonly key: WriteKey; readonly cart: KeyedCart },
  isMade: boolean,
  answer: string,
): AppliedWrite {
  return {
    key: key.key,
    fingerprint: key.fingerprint,
    scopes: [...(isMade || cart.isKnown ? [cart.id] : []), ...(cart.isKnown ? [] : [key.visitor])],
    ...(isMade ? { cartId: cart.id } : {}),
    answer,
  };
}
