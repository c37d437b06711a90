import type { Cart } from "./cart.ts";
import type { AppliedWrite, IdempotencyRecord, WriteKey } from "./writer/applied-write.ts";

export type StoredCart = Cart & CartIds & SavedCart;

interface SavedCart {
  /**
   * The last revision that each server saved, by server id, for the servers that saved most recently: a server uses it to detect that a save
   * succeeded although its response was lost. Undefined for a cart that was never saved.
   */
  readonly savedBy?: Readonly<Record<string, number>>;
}

/** Ids of a cart, 128 or more random bits each. */
export interface CartIds {
  readonly id: string;
  readonly checkoutId: string;
}

/**
 * "saved": committed to disk; "moved on": the cart changed since it was read, or a key is used; "too late": it did not
 * start in time. Only "saved" wrote anything.
 */
export type SaveOutcome = "saved" | "moved on" | "too late";

/** Reads carts. Methods throw `DatabaseUnavailable`. */
export interface Carts {
  find(id: string): Promise<StoredCart | undefined>;
  /** The cart as last committed if it is in memory; undefined if {@link find} would read the database. */
  findCached?(id: string): StoredCart | undefined;
  /** Revisions by id; a cart that does not exist is absent. */
  revisions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  findByCheckout(checkoutId: string): Promise<StoredCart | undefined>;
  /** Records of these keys, at most a day old: of this cart, and of the visitors who sent them. */
  findApplied(
    keys: readonly WriteKey[],
    cartId: string | undefined,
    now: number,
  ): Promise<readonly IdempotencyRecord[]>;
}

/** Storage of carts (implemented in `storage/`). Only the cart writer writes.
 *  @typeParam S a statement of the database */
export interface CartStore<S = never> extends Carts {
  /** Saves `after` in one transaction if the cart is still at the revision of `before`. A save that started is awaited; if its answer is lost,
   *  the outcome is looked up.
   *  @param before as read; revision 0: the cart is new
   *  @param after with its new revision; at the same revision, only the records and the time of the last use are written
   *  @throws if nothing was written, or if the outcome cannot be determined */
  save(before: StoredCart, after: StoredCart, write: CartWrite<S>): Promise<SaveOutcome>;
  /** The cart id that the first writes of one visitor share for 10 seconds, on all servers.
   *  @param tokenHash digest of the token  @param newId used unless an id is claimed already */
  claimFirst(tokenHash: string, newId: string, now: number): Promise<string>;
}

export interface CartWrite<S = never> {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Keyed writes, recorded in the same transaction if their keys are unused. */
  readonly applied?: readonly AppliedWrite[];
  /** Latest start, on the clock of `performance.now()`. Default: no limit. */
  readonly beginBy?: number;
  /** Digest of the token as in {@link CartStore.claimFirst}: also claims the new cart; "moved on" if the visitor has claimed another one. */
  readonly claim?: string;
  /** Run in the same transaction, after the cart. Requires a new revision. */
  readonly along?: readonly S[];
}
