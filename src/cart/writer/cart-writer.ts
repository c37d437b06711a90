import { setTimeout } from "node:timers/promises";
import { watchDeadlines } from "../../deadlines.ts";
import { type Cart, emptyCart } from "../cart.ts";
import type { WrittenIds } from "../cart-ids.ts";
import type { CartIds, CartStore, CartWrite, SaveOutcome, StoredCart } from "../cart-store.ts";
import {
  type AppliedWrite,
  createAppliedWrite,
  findReplay,
  type IdempotencyRecord,
  type WriteKey,
} from "./applied-write.ts";
import { applyEdits } from "./apply-edits.ts";
import { type AppliedEdit, EditQueue, type PendingEdit, tooLate, type WriteTime } from "./edit-queue.ts";

/**
 * The only writer of carts. Edits of one cart wait in a queue, are applied in order to the stored cart, and are saved
 * in one commit. If another server changed the cart in the meantime, they are applied again. Each edit increments the
 * revision and fails separately. An edit that has not started by its deadline is rejected. An edit that has started
 * always reports its outcome.
 * @typeParam S a statement of the database
 */
export interface CartWriter<S = never> {
  /** Returns the latest start of a write that arrives now, as a time of `performance.now()`. */
  beginBy(): number;
  /**
   * Applies an edit to a cart, and resolves after the commit.
   * @param ids IDs of the cart; the checkout ID is used only for a new cart
   * @param edit a pure function, called again if the cart changed in the meantime. If it returns the same cart, only
   * the time of last use is updated
   * @returns the result of `edit`, with the cart at the saved revision
   */
  edit<E extends { readonly cart: Cart }>(
    ids: WrittenIds,
    at: WriteTime,
    edit: (cart: StoredCart) => E,
  ): Promise<E & { readonly cart: StoredCart }>;
  /**
   * Applies a keyed edit and stores its record in one transaction. A repeated request is applied only once.
   * @returns the new or existing record, and the result of `edit` if it was applied now
   * @throws Problem `idempotency_conflict` as `findReplay`
   */
  editOnce<E extends { readonly cart: StoredCart }>(
    ids: WrittenIds,
    at: WriteTime,
    edit: (cart: StoredCart) => E,
    keyed: KeyedEdit<E>,
  ): Promise<{ readonly applied: AppliedWrite; readonly edited?: E }>;
  /**
   * Saves a new cart and claims it for the visitor in one commit, without a queue, because no client knows the ID yet.
   * @param edited result of an edit of an empty cart  @param claim digest of the visitor's token
   * @returns undefined if the visitor claimed another cart in the last seconds, and nothing was written
   * @throws Problem after `at.beginBy`
   */
  create<E extends { readonly cart: StoredCart }>(
    edited: E,
    at: WriteTime,
    claim: string,
  ): Promise<(E & { readonly cart: StoredCart }) | undefined>;
  /** Returns the cart ID that the first writes of one visitor share.  @see CartStore.claimFirst */
  readonly claimFirst: CartStore["claimFirst"];
  /**
   * Saves a cart and other rows in one transaction, without a queue. After the outcome "moved on", the caller reads the
   * cart and the rows again and retries.
   */
  saveAlong(before: StoredCart, after: StoredCart, write: CartWrite<S>): Promise<SaveOutcome>;
}

export interface KeyedEdit<E> {
  readonly key: WriteKey;
  /** Whether the client sent this cart's cookie. */
  readonly isKnown: boolean;
  /** Creates the response, which is stored with the write. */
  readonly answer: (edited: E) => Promise<string>;
}

/**
 * Creates the cart writer of one event loop.
 * @param beginMs maximum milliseconds from the arrival of a write to its start
 */
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
    // A later edit creates a new queue.
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
          const applied = createAppliedWrite(keyed, edited.cart.revision > 0, await answer(edited));
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

/** Maximum edits in one commit. */
const MAX_BATCH = 500;
/** Responses created per iteration of the event loop. */
const RESPONSES_PER_ITERATION = 8;
/** Maximum milliseconds between two attempts after other servers changed the cart. */
const MAX_RETRY_DELAY_MS = 20;

/**
 * Fast path for an edit of a cached cart without other pending edits. Saves the cart without reading it, then writes
 * edits that arrived during the save.
 * @param queue edits that arrive during the save
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
 * Reads the cart, applies waiting edits and saves the cart.
 * @param isFirstTry whether a cart with a new ID can be assumed not to exist
 * @returns false if the write must be repeated
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
    // The result may include an edit that was rejected at its deadline in the meantime.
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

/** The cart to which edits are applied, with the records of earlier keyed writes. */
interface Found {
  readonly before: StoredCart;
  /** Records of keyed writes that were applied earlier. */
  readonly recorded: readonly IdempotencyRecord[];
}

/** Returns the same as `read` if the database is not needed; undefined if it is. */
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
  // Records are read after the cart: a write without a record is then not in the cart either.
  const keys = edits.flatMap(({ keyed }) => (keyed === undefined ? [] : [keyed.key]));
  return { before, recorded: keys.length === 0 ? [] : await store.findApplied(keys, ids.id, at.now) };
}

type ResolveAll = (applied: Iterable<Pick<AppliedEdit, "resolve">>) => void;

/**
 * Creates a function that creates responses in order, over several iterations of the event loop. Other requests and the
 * next edits need not wait for all responses.
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

/** Returns the result of an edit with the next revision of its cart. */
function withNextRevision<E extends { readonly cart: Cart }>(
  cart: StoredCart,
  edited: E,
): E & { readonly cart: StoredCart } {
  if (edited.cart === cart) return { ...edited, cart };
  const { id, checkoutId, revision } = cart;
  return { ...edited, cart: { ...edited.cart, id, checkoutId, revision: revision + 1 } };
}
