import type { Completion, Order, Payment, RefundReason } from "./order.ts";
import type { SealedCheckout } from "./sealed-checkout.ts";

/** A checkout that is to be opened. */
export interface NewCheckout
  extends Pick<SealedCheckout, "id" | "cartId" | "cartCheckoutId" | "revision" | "heldUntil" | "content"> {}

/** Who asks for a reservation. */
export interface Reserver {
  /** A keyed digest of the network that the request came from. */
  readonly network: string;
  /** Called at most once, before something is reserved. False: too many reservations lately. */
  mayReserve(): boolean;
}

/** The result of opening a checkout. */
export type Opening =
  /** What it needs is reserved, or it is paid without a reservation because of a limit. */
  | { readonly outcome: "open" }
  | { readonly outcome: "short"; readonly reason: RefundReason }
  /** The cart was ordered by this checkout, which is completed; nothing was reserved. */
  | { readonly outcome: "ordered"; readonly checkout: SealedCheckout };

/** Checkouts and their orders (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface Checkouts {
  find(id: string): Promise<SealedCheckout | undefined>;
  /** The one that holds something for the cart now; each cart has one at most. */
  findOpen(cartCheckoutId: string): Promise<SealedCheckout | undefined>;
  /** The last that became an order. */
  findCompleted(cartCheckoutId: string): Promise<SealedCheckout | undefined>;
  /** The completed checkout whose order already contains what the given one is about. */
  findOrdered(checkout: SealedCheckout): Promise<SealedCheckout | undefined>;
  /** Stores a checkout whose page is viewed. Reserves nothing, and replaces earlier views of the cart; an existing one stays as it is. */
  keep(checkout: NewCheckout, now: number): Promise<void>;
  /** Keeps a checkout and holds what it needs, all or nothing, in the place of what was held for the same cart.
   *  One that was only looked at, or has lapsed, is opened. Over the limits of a cart or a network nothing is held: the payment takes what
   *  is left by then. */
  open(checkout: NewCheckout, reserver: Reserver, now: number): Promise<Opening>;
  /** Makes the order of a checkout, once: in one transaction with stock, uses and balances taken, what was bought out of the cart, and
   *  events. One that has lapsed is completed where all of it is still to be had. The same payment is answered alike each time.
   *  If the cart was already ordered by another checkout, returns that order: a payment pays it, or becomes `refund_due`.
   *  @param checkout its id, or one that is not stored yet  @param payment absent: by invoice, to be paid later */
  complete(checkout: string | NewCheckout, payment: Payment | undefined, now: number): Promise<Completion>;
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
