import type { Cart } from "./cart.ts";
import type { AppliedWrite, IdempotencyRecord, WriteKey } from "./writer/applied-write.ts";

export type StoredCart = Cart & CartIds & SavedCart;

interface SavedCart {
  /**
   * Last revision saved by each recent writer, by its ID. Each server has two: one for edits, and one for orders. A
   * server uses it to detect that a save succeeded although its response was lost. Undefined for a cart that was never
   * saved.
   */
  readonly savedBy?: Readonly<Record<string, number>>;
  /** Fields that a later version of Vitrine stored. They are saved again unchanged. */
  readonly laterFields?: Readonly<Record<string, unknown>>;
}

/** IDs of a cart, at least 128 random bits each. */
export interface CartIds {
  readonly id: string;
  readonly checkoutId: string;
}

/**
 * Outcome of a save. "saved": committed to disk. "conflict": the cart changed since it was read, or a key was already
 * used. "timed out": the save did not start in time. Only "saved" wrote anything.
 */
export type SaveOutcome = "saved" | "conflict" | "timed out";

/** Read access to carts. Methods throw `DatabaseUnavailableError`. */
export interface Carts {
  find(id: string): Promise<StoredCart | undefined>;
  /** Returns the last committed cart if it is in memory; undefined if {@link find} would read the database. */
  findCached?(id: string): StoredCart | undefined;
  /**
   * Returns the revisions of carts by ID, without carts that do not exist. "unknown" if the database of a cart is
   * unavailable, but others are not.
   */
  getRevisions(ids: readonly string[]): Promise<ReadonlyMap<string, number | "unknown">>;
  findByCheckout(checkoutId: string): Promise<StoredCart | undefined>;
  /**
   * Returns the stored writes of the last day that have one of these idempotency keys, for this cart or for the
   * visitors who sent the keys.
   */
  findAppliedWrites(
    keys: readonly WriteKey[],
    cartId: string | undefined,
    now: number,
  ): Promise<readonly IdempotencyRecord[]>;
  /** Prefixes of cart IDs. Undefined if all carts are in the main database. */
  readonly idPrefixes?: CartIdPrefixes;
}

/** Prefixes of cart IDs, which name the database of a cart. Carts in the main database have the prefix "". */
export interface CartIdPrefixes {
  /** Returns the prefix for a new cart.  @param key new carts with the same key are in the same database */
  select(key: string): string;
  /** Returns the prefix of an ID.  @param id ID of a cart or a checkout */
  getPrefix(id: string): string;
}

/**
 * Storage of carts, implemented in `storage/`. Only the cart writer calls its write methods.
 * @typeParam S a statement of the database
 */
export interface CartStore<S = never> extends Carts {
  /**
   * Saves `newCart` in one transaction if the cart is still at the revision of `oldCart`. If the response to the commit is
   * lost, looks up the outcome.
   * @param oldCart the cart as it was read; revision 0 for a new cart
   * @param newCart the cart with its new revision. If the revision is the same, only idempotency records and the time of
   * last use are written
   * @throws if nothing was written, or if the outcome cannot be determined
   */
  save(oldCart: StoredCart, newCart: StoredCart, write: CartWrite<S>): Promise<SaveOutcome>;
  /**
   * Returns one cart ID for all first writes that a visitor sends within 10 seconds, on any server, so that they do not
   * create several carts.
   * @param tokenHash digest of the visitor's token
   * @param newId the ID to claim if the visitor has no valid claim
   */
  claimFirstCart(tokenHash: string, newId: string, now: number): Promise<string>;
}

export interface CartWrite<S = never> {
  /** Time of the write, in milliseconds since 1970. */
  readonly now: number;
  /** Writes with idempotency keys to store in the same transaction. The transaction fails if a key is already used. */
  readonly appliedWrites?: readonly AppliedWrite[];
  /** Latest start of the transaction, as a time of `performance.now()`. Default: no limit. */
  readonly startDeadline?: number;
  /**
   * Digest of the visitor's token. If it is set, the save also claims the new cart for the visitor. The outcome is
   * "conflict" if the visitor claimed another cart.
   */
  readonly visitorTokenHash?: string;
  /** Statements to run in the same transaction, after the cart is saved. Allowed only with a new revision. */
  readonly additionalStatements?: readonly S[];
}
