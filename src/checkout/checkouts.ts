import type { Completion, Order, Payment, RefundReason } from "./order.ts";
import type { SealedCheckout } from "./sealed-checkout.ts";

/** A checkout that is to be opened. */
export interface NewCheckout
  extends Pick<SealedCheckout, "id" | "cartId" | "cartCheckoutId" | "revision" | "heldUntil" | "content"> {}

/** What a reservation is made against: the catalogue as a snapshot has it. */
export interface Supply {
  readonly revision: number;
  /** Pieces of a variant, as the catalogue of that revision says. */
  readonly quantity: (variantId: string) => number | undefined;
}

/** Checkouts and their orders (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface Checkouts {
  find(id: string): Promise<SealedCheckout | undefined>;
  /** The one that holds something for the cart now; each cart has one at most. */
  findOpen(cartCheckoutId: string): Promise<SealedCheckout | undefined>;
  /** The last that became an order. */
  findCompleted(cartCheckoutId: string): Promise<SealedCheckout | undefined>;
  /** Keeps a checkout that is looked at, and holds nothing; one that is kept already stays as it is. */
  keep(checkout: NewCheckout, now: number): Promise<void>;
  /** Keeps a checkout and holds what it needs, all or nothing, in the place of what was held for the same cart.
   *  One that was only looked at, or has lapsed, is opened. @returns why it cannot be held; undefined where it is */
  open(checkout: NewCheckout, supply: Supply, now: number): Promise<RefundReason | undefined>;
  /** Makes the order of a checkout, once: in one transaction with stock, uses and balances taken, what was bought out of the cart, and
   *  events. One that has lapsed is completed where all of it is still to be had. The same payment is answered alike each time.
   *  @param payment absent: by invoice, to be paid later  @param supply asked for anew where something moved on meanwhile */
  complete(id: string, payment: Payment | undefined, supply: () => Supply, now: number): Promise<Completion>;
  /** Why a payment of this checkout has to go back; undefined where none has. */
  refundOf(id: string): Promise<RefundReason | undefined>;
  order(id: string): Promise<Order | undefined>;
  /** What orders and other checkouts took, or hold, of gift cards and of customers' credit. @returns "gift_card <id>" -> minor units */
  drawn(
    ids: readonly { readonly kind: "gift_card" | "store_credit"; readonly id: string }[],
    cartCheckoutId: string | undefined,
  ): Promise<ReadonlyMap<string, number>>;
  /** Deletes nothing: lets go what checkouts hold whose time is over. @returns how many */
  lapse(now: number): Promise<number>;
}
