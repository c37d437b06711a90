import type { CheckoutSnapshot } from "./checkout-snapshot.ts";
import type { Completion, Order, Payment, RefundReason } from "./order.ts";

/** A checkout to be opened. */
export interface NewCheckout
  extends Pick<CheckoutSnapshot, "id" | "cartId" | "cartCheckoutId" | "revision" | "reservedUntil" | "content"> {}

/** The requester of a reservation. */
export interface Reserver {
  /** A keyed digest of the client's network. */
  readonly network: string;
  /** Called at most once, before a reservation. Returns false if the network reserved too often. */
  mayReserve(): boolean;
}

/** The result of opening a checkout. */
export type Opening =
  /** Its items are reserved, or a limit applies and the payment proceeds without a reservation. */
  | { readonly outcome: "open" }
  | { readonly outcome: "short"; readonly reason: RefundReason }
  /** The cart was ordered by this completed checkout; nothing was reserved. */
  | { readonly outcome: "ordered"; readonly checkout: CheckoutSnapshot };

/** Checkouts and their orders (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface Checkouts {
  find(id: string): Promise<CheckoutSnapshot | undefined>;
  /** The checkout that has reservations for the cart; each cart has at most one. */
  findOpen(cartCheckoutId: string): Promise<CheckoutSnapshot | undefined>;
  /** The last one that became an order. */
  findCompleted(cartCheckoutId: string): Promise<CheckoutSnapshot | undefined>;
  /** The completed checkout whose order already contains the items of the given one. */
  findOrdered(checkout: CheckoutSnapshot): Promise<CheckoutSnapshot | undefined>;
  /**
   * Stores a checkout whose page is viewed. Reserves nothing, and replaces earlier views of the cart; does not change
   * an existing one.
   */
  store(checkout: NewCheckout, now: number): Promise<void>;
  /**
   * Stores a checkout and reserves its items, all or nothing, replacing earlier reservations of the cart. Also opens a
   * checkout that was only viewed or has expired. Over the limits of a cart or network nothing is reserved: the payment
   * takes the stock that is left then.
   */
  open(checkout: NewCheckout, reserver: Reserver, now: number): Promise<Opening>;
  /**
   * Creates the order of a checkout once: one transaction takes stock, discount uses and balances, removes the ordered
   * items from the cart, and stores events. An expired checkout is completed if everything is still available. The same
   * payment always returns the same result. If the cart was already ordered by another checkout, returns that order: a
   * payment pays it, or becomes `refund_due`.
   * @param checkout its id, or one that is not stored yet
   * @param payment undefined for an order by invoice
   */
  complete(checkout: string | NewCheckout, payment: Payment | undefined, now: number): Promise<Completion>;
  /** Why a payment of this checkout must be refunded; undefined if none must. */
  refundOf(id: string): Promise<RefundReason | undefined>;
  order(id: string): Promise<Order | undefined>;
  /**
   * Amounts that orders and other checkouts took or reserved of gift cards and store credit.
   * @returns "gift_card <id>" -> minor units
   */
  usedBalances(
    ids: readonly { readonly kind: "gift_card" | "store_credit"; readonly id: string }[],
    cartCheckoutId: string | undefined,
  ): Promise<ReadonlyMap<string, number>>;
  /** Releases the reservations of expired checkouts. Deletes nothing.  @returns number of checkouts */
  expire(now: number): Promise<number>;
}
