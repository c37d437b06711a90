import type { CheckoutSnapshot } from "./checkout-snapshot.ts";
import type { CompletionResult, Payment, RefundReason } from "./order.ts";

/** A checkout that is not stored yet. */
export interface NewCheckout
  extends Pick<CheckoutSnapshot, "id" | "cartId" | "cartCheckoutId" | "revision" | "reservedUntil" | "content"> {}

/** The client that requests a reservation. */
export interface ReservationRequester {
  /** Keyed digest of the client's IP network. */
  readonly network: string;
  /** Returns false if the client's network has reserved too often. Called at most once, before a reservation. */
  canReserve(): boolean;
}

/** Result of opening a checkout. */
export type OpeningResult =
  /** The payment can proceed. The items are reserved, unless the cart or the client's IP network reached a limit. */
  | { readonly outcome: "open" }
  | { readonly outcome: "short"; readonly reason: RefundReason }
  /** A completed checkout already ordered the cart, so nothing was reserved. */
  | { readonly outcome: "ordered"; readonly checkout: CheckoutSnapshot };

/** Checkouts and their orders, implemented in `storage/`. Methods throw `DatabaseUnavailableError`. */
export interface Checkouts {
  find(id: string): Promise<CheckoutSnapshot | undefined>;
  /** Finds the checkout that holds reservations for the cart. A cart has at most one. */
  findOpenCheckout(cartCheckoutId: string): Promise<CheckoutSnapshot | undefined>;
  /** Finds the last checkout of the cart that became an order. */
  findCompletedCheckout(cartCheckoutId: string): Promise<CheckoutSnapshot | undefined>;
  /** Finds the completed checkout whose order already contains the items of this checkout. */
  findOrderedCheckout(checkout: CheckoutSnapshot): Promise<CheckoutSnapshot | undefined>;
  /**
   * Stores a checkout whose page was viewed, without reservations. Deletes earlier viewed checkouts of the cart. If the
   * checkout already exists, it is not changed.
   */
  saveCheckout(checkout: NewCheckout, now: number): Promise<void>;
  /**
   * Stores a checkout and reserves all of its items or none. Replaces earlier reservations of the cart. The checkout
   * may be new, viewed, or expired. If the cart or IP network exceeds a limit, nothing is reserved, and the order takes
   * the stock that is available at the time of payment.
   */
  open(checkout: NewCheckout, requester: ReservationRequester, now: number): Promise<OpeningResult>;
  /**
   * Creates the order of a checkout once. One transaction takes stock, discount uses and balances, removes the ordered
   * items from the cart, and stores events. An expired checkout is completed if everything is still available. A
   * repeated payment gets the same result. If another checkout already ordered the cart, the payment pays that order,
   * or becomes `refund_due`.
   * @param checkout ID of a stored checkout, or a checkout that is not stored yet
   * @param payment undefined for an order by invoice
   */
  complete(checkout: string | NewCheckout, payment: Payment | undefined, now: number): Promise<CompletionResult>;
  /** Returns why a payment of this checkout must be refunded; undefined if no refund is due. */
  findRefundReason(id: string): Promise<RefundReason | undefined>;
  /**
   * Returns the amounts of gift cards and store credit that orders spent and other checkouts reserved.
   * @returns amounts in minor units by kind and ID, such as "gift_card 12"
   */
  usedBalances(
    ids: readonly { readonly kind: "gift_card" | "store_credit"; readonly id: string }[],
    cartCheckoutId: string | undefined,
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * Releases the reservations of expired checkouts, without deleting the checkouts.
   * @returns number of expired checkouts
   */
  expire(now: number): Promise<number>;
}
