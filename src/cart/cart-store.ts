import type { Cart } from "./cart.ts";
import type { AppliedWrite, KeptWrite, WriteKey } from "./writer/applied-write.ts";

export type StoredCart = Cart & CartIds & SavedCart;

interface SavedCart {
  /** The last revision that each of the latest servers saved, by the server's id: tells a server whether a save came about
   *  whose answer was lost. Absent: never saved. */
  readonly savedBy?: Readonly<Record<string, number>>;
}

/** The two ids of a cart, 128 random bits or more each. */
export interface CartIds {
  readonly id: string;
  readonly checkoutId: string;
}

/** "saved": committed to disk; "moved on": the cart is not as it was read, or a key is used; "too late": it could not begin in time.
 *  Nothing was written but by "saved". */
export type SaveOutcome = "saved" | "moved on" | "too late";

/** Where carts are kept (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface CartStore {
  find(id: string): Promise<StoredCart | undefined>;
  /** A cart that is in memory as it was last committed; undefined where {@link find} would have to ask for it. Absent: none is. */
  remembered?(id: string): StoredCart | undefined;
  /** Revisions of those of these carts that there are. */
  revisions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  findByCheckout(checkoutId: string): Promise<StoredCart | undefined>;
  /** Saves `after` and records keyed writes in one transaction, where the cart is still as it was read. What has begun is waited for,
   *  and an answer that was lost on the way is asked for again. Throws where nothing was written, or where that cannot be learnt.
   *  @param before as it was read; of revision 0: the cart is new
   *  @param after with its new revision; of the same revision: the records are written, and that the cart is in use
   *  @param write.applied recorded where their keys are not used yet
   *  @param write.beginBy when it must have begun, on the clock of `performance.now()`; absent: it waits as long as it must
   *  @param write.claim digest of the token as in {@link claimFirst}: the new cart is also the one that first writes share; "moved on" where they have one */
  save(
    before: StoredCart,
    after: StoredCart,
    write: {
      readonly now: number;
      readonly applied?: readonly AppliedWrite[];
      readonly beginBy?: number;
      readonly claim?: string;
    },
  ): Promise<SaveOutcome>;
  /** Records of these keys, at most a day old: of this cart, and of the visitors who sent them. */
  findApplied(keys: readonly WriteKey[], cartId: string | undefined, now: number): Promise<readonly KeptWrite[]>;
  /** The cart id that first writes of one visitor share within 10 seconds, on any node.
   *  @param tokenHash digest of the token  @param newId used where none was claimed yet */
  claimFirst(tokenHash: string, newId: string, now: number): Promise<string>;
}
