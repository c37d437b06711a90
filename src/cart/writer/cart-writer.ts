import { setTimeout } from "node:timers/promises";
import { watchDeadlines } from "../../deadlines.ts";
import { type Cart, emptyCart } from "../cart.ts";
import type { CartWriteIds } from "../cart-ids.ts";
import type { CartIds, CartStore, CartWrite, SaveOutcome, StoredCart } from "../cart-store.ts";
import {
  type AppliedWrite,
  createAppliedWrite,
  findRepeatedWrite,
  type IdempotencyRecord,
  type WriteKey,
} from "./applied-write.ts";
import { applyEdits } from "./apply-edits.ts";
import { type AppliedEdit, createTimeoutProblem, EditQueue, type PendingEdit, type WriteTiming } from "./edit-queue.ts";

/**
 * The only writer of carts. Edits of one cart wait in a queue, are applied in order to the stored cart, and are saved
 * in one commit. If another server changed the cart in the meantime, the edits are applied again. Each edit increments
 * the revision and fails separately. An edit that has not started by its deadline is rejected. An edit that has started
 * always reports its outcome.
 * @typeParam S a statement of the database
 */
export interface CartWriter<S = never> {
  /** Returns the latest start of a write that arrives now, as a time of `performance.now()`. */
  startDeadline(): number;
  /**
   * Applies an edit to a cart, and resolves after the commit.
   * @param ids IDs of the cart; the checkout ID is used only for a new cart
   * @param edit a pure function, called again if the cart changed in the meantime. If it returns the same cart, only
   * the time of last use is updated
   * @returns the result of `edit`, with the cart at the saved revision
   */
  edit<E extends { readonly cart: Cart }>(
    ids: CartWriteIds,
    timing: WriteTiming,
    edit: (cart: StoredCart) => E,
  ): Promise<E & { readonly cart: StoredCart }>;
  /**
   * Applies an edit only once per idempotency key, and stores its record in the same transaction.
   * @returns the new or existing record, and the result of `edit` if it was applied now
   * @throws Problem `idempotency_conflict` as `findRepeatedWrite`
   */
  editOnce<E extends { readonly cart: StoredCart }>(
    ids: CartWriteIds,
    timing: WriteTiming,
    edit: (cart: StoredCart) => E,
    idempotentEdit: IdempotentEdit<E>,
  ): Promise<{ readonly applied: AppliedWrite; readonly result?: E }>;
  /**
   * Saves a new cart and claims it for the visitor in one commit, without a queue, because no client knows the ID yet.
   * @param editResult result of an edit of an empty cart  @param visitorTokenHash digest of the visitor's token
   * @returns undefined if the visitor claimed another cart in the last seconds, and nothing was written
   * @throws Problem if the save does not start before `timing.startDeadline`
   */
  create<E extends { readonly cart: StoredCart }>(
    editResult: E,
    timing: WriteTiming,
    visitorTokenHash: string,
  ): Promise<(E & { readonly cart: StoredCart }) | undefined>;
  /** Returns the cart ID that the first writes of one visitor share.  @see CartStore.claimFirstCart */
  readonly claimFirstCart: CartStore["claimFirstCart"];
  /**
   * Saves a cart and other rows in one transaction, without a queue. After the outcome "conflict", the caller reads the
   * cart and the rows again and retries.
   */
  saveWithStatements(oldCart: StoredCart, newCart: StoredCart, write: CartWrite<S>): Promise<SaveOutcome>;
}

export interface IdempotentEdit<E> {
  readonly key: WriteKey;
  /** Whether the client sent this cart's cookie. */
  readonly isKnown: boolean;
  /** Creates the response, which is stored with the write. */
  readonly formatAnswer: (editResult: E) => Promise<string>;
}

/**
 * Creates the cart writer of one event loop.
 * @param maxStartDelayMs maximum milliseconds from the arrival of a write to its start
 */
export function createCartWriter<S>(store: CartStore<S>, maxStartDelayMs: number): CartWriter<S> {
  const queues = new Map<string, EditQueue>();
  const addDeadline = watchDeadlines((now) => Math.min(...queues.values().map((queue) => queue.rejectExpired(now))));
  const enqueue = (edit: PendingEdit): void => {
    const { id } = edit.ids;
    const queue = queues.get(id);
    if (queue !== undefined) {
      queue.add(edit);
      return;
    }
    const newQueue = new EditQueue(addDeadline);
    queues.set(id, newQueue);
    newQueue.add(edit);
    // Delete the empty queue. A later edit of the cart creates a new one.
    void writeAllEdits(store, newQueue, () => queues.delete(id));
  };
  return {
    startDeadline: () => performance.now() + maxStartDelayMs,
    edit: (ids, timing, edit) =>
      new Promise((resolve, reject) => {
        const applyEdit = (cart: StoredCart): AppliedEdit => {
          const result = setNextRevision(cart, edit(cart));
          return { cart: result.cart, resolve: () => resolve(result) };
        };
        enqueue({ ids, timing, apply: applyEdit, reject });
      }),
    editOnce: (ids, timing, edit, { key, isKnown, formatAnswer: answer }) =>
      new Promise((resolve, reject) => {
        const keyedWrite = { key, cart: { id: ids.id, isFromCookie: isKnown } };
        const applyEdit = async (cart: StoredCart, records: readonly IdempotencyRecord[]): Promise<AppliedEdit> => {
          const replayedWrite = findRepeatedWrite(records, key, keyedWrite.cart);
          if (replayedWrite !== undefined) return { cart, resolve: () => resolve({ applied: replayedWrite }) };
          const result = setNextRevision(cart, edit(cart));
          const appliedWrite = createAppliedWrite(keyedWrite, result.cart.revision > 0, await answer(result));
          return { cart: result.cart, record: appliedWrite, resolve: () => resolve({ applied: appliedWrite, result }) };
        };
        enqueue({ ids, timing, keyedWrite, apply: applyEdit, reject });
      }),
    async create(result, timing, visitorTokenHash) {
      const newCart = createCart(result.cart);
      const saved = setNextRevision(newCart, result);
      const outcome = await store.save(newCart, saved.cart, { ...timing, visitorTokenHash });
      if (outcome === "timed out") throw createTimeoutProblem();
      return outcome === "saved" ? saved : undefined;
    },
    claimFirstCart: store.claimFirstCart,
    saveWithStatements: (oldCart, newCart, write) => store.save(oldCart, newCart, write),
  };
}

/** Maximum edits in one commit. */
const MAX_BATCH_EDITS = 500;
/** Responses created per iteration of the event loop. */
const RESPONSES_PER_ITERATION = 8;
/** Maximum milliseconds between two attempts after other servers changed the cart. */
const MAX_RETRY_DELAY_MS = 20;

/**
 * Writes waiting edits until the queue is empty. Never throws.
 * @param onEmpty called as soon as the queue is empty, before another edit can be added to it
 */
async function writeAllEdits(store: CartStore, queue: EditQueue, onEmpty: () => void): Promise<void> {
  const resolveEdits = createEditResolver();
  for (let attempts = 0; queue.size > 0; ) {
    if (attempts > 0) await setTimeout(Math.min(attempts, MAX_RETRY_DELAY_MS));
    attempts = (await writeBatch(store, queue, resolveEdits, attempts === 0)) ? 0 : attempts + 1;
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
  resolveEdits: EditResolver,
  isFirstTry: boolean,
): Promise<boolean> {
  const pendingEdits = queue.peek(MAX_BATCH_EDITS);
  let startedEdits: readonly PendingEdit[] = [];
  try {
    const cachedState = isFirstTry ? findCachedState(store, pendingEdits) : undefined;
    const { cart, records } = cachedState ?? (await readCartState(store, pendingEdits));
    const batch = await applyEdits(cart, records, queue, pendingEdits);
    const edits = [...batch.appliedEdits.keys()];
    // Repeat the batch if one of its edits was rejected at its deadline in the meantime.
    if (!queue.start(edits)) return false;
    startedEdits = edits;
    if (!batch.isRejected && (batch.cart.revision > 0 || batch.records.length > 0)) {
      const now = Math.max(...edits.map(({ timing }) => timing.now));
      const startDeadline = Math.min(...edits.map(({ timing }) => timing.startDeadline));
      const outcome = await store.save(cart, batch.cart, { now, startDeadline, appliedWrites: batch.records });
      if (outcome !== "saved") {
        queue.requeue(edits);
        return false;
      }
    }
    resolveEdits(batch.appliedEdits.values());
  } catch (error) {
    for (const edit of startedEdits.length > 0 ? startedEdits : pendingEdits.filter((edit) => queue.start([edit])))
      edit.reject(error);
  }
  return true;
}

/** The cart to which edits are applied, with the records of earlier writes that had idempotency keys. */
interface CartState {
  readonly cart: StoredCart;
  /** Records of earlier writes that had idempotency keys. */
  readonly records: readonly IdempotencyRecord[];
}

/** Returns the cached or new cart if the edits need no database read; undefined if they do. */
function findCachedState(store: CartStore, edits: readonly PendingEdit[]): CartState | undefined {
  const [firstEdit] = edits;
  if (firstEdit === undefined || edits.some(({ keyedWrite }) => keyedWrite !== undefined)) return undefined;
  const { ids } = firstEdit;
  const cart = store.findCached?.(ids.id) ?? (ids.isNew ? createCart(ids) : undefined);
  return cart && { cart, records: [] };
}

function createCart({ id, checkoutId }: CartIds): StoredCart {
  return { ...emptyCart, id, checkoutId };
}

async function readCartState(store: CartStore, edits: readonly PendingEdit[]): Promise<CartState> {
  const [firstEdit] = edits;
  if (firstEdit === undefined) throw new Error("no edit is pending");
  const { ids, timing } = firstEdit;
  const cart = (await store.find(ids.id)) ?? createCart(ids);
  // Read the records after the cart. If a write has no record, it was not committed before the cart was read.
  const keys = edits.flatMap(({ keyedWrite }) => (keyedWrite === undefined ? [] : [keyedWrite.key]));
  return { cart, records: keys.length === 0 ? [] : await store.findAppliedWrites(keys, ids.id, timing.now) };
}

type EditResolver = (resolvedEdits: Iterable<Pick<AppliedEdit, "resolve">>) => void;

/**
 * Creates a function that completes saved edits in order, a few per iteration of the event loop, so that other requests
 * and the next edits do not wait until all responses are created.
 */
function createEditResolver(): EditResolver {
  const pendingEdits = new Set<Pick<AppliedEdit, "resolve">>();
  let isScheduled = false;
  const resolveNextEdit = (): void => {
    for (const edit of pendingEdits.values().take(RESPONSES_PER_ITERATION)) {
      pendingEdits.delete(edit);
      edit.resolve();
    }
    isScheduled = pendingEdits.size > 0;
    if (isScheduled) setImmediate(resolveNextEdit);
  };
  return (edits) => {
    for (const edit of edits) pendingEdits.add(edit);
    if (!isScheduled) resolveNextEdit();
  };
}

/** Returns the result of an edit with the next revision of its cart. */
function setNextRevision<E extends { readonly cart: Cart }>(
  cart: StoredCart,
  result: E,
): E & { readonly cart: StoredCart } {
  if (result.cart === cart) return { ...result, cart };
  const { id, checkoutId, revision } = cart;
  return { ...result, cart: { ...result.cart, id, checkoutId, revision: revision + 1 } };
}
