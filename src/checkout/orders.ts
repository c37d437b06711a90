import type { Order, RefundDue } from "./order.ts";
import type { Shipment } from "./shipment.ts";

/** A stored order, which is decoded only when the function is called, because orders may be large. */
export type StoredOrder = () => Order;

export interface OrderFilter {
  readonly state?: Order["state"];
  readonly payment?: Order["payment"];
  readonly isShipped?: boolean;
  /** Earliest time of the last change, in milliseconds since 1970. */
  readonly updatedSince?: number;
  readonly createdSince?: number;
  /** Order number after which the list starts; 0 for all orders. */
  readonly afterNumber: number;
  /** Maximum number of orders. */
  readonly limit: number;
}

/** Summary of the orders of one customer. */
export interface CustomerOrders {
  /** Number of all orders, including canceled orders. */
  readonly orderCount: number;
  /** Sum paid for orders that were not canceled, in minor units. */
  readonly totalSpent: number;
  /** The latest orders, newest first. */
  readonly newestOrders: readonly StoredOrder[];
}

/** Placed orders, implemented in `storage/`. Methods throw `DatabaseUnavailable`. */
export interface Orders {
  find(id: string): Promise<Order | undefined>;
  findByNumber(number: number): Promise<Order | undefined>;
  /** Lists matching orders by ascending number. */
  list(filter: OrderFilter): Promise<readonly StoredOrder[]>;
  readCustomerOrders(customerId: string): Promise<CustomerOrders>;
  /**
   * Cancels an order, and restores its stock, balances and discount uses. Has no effect on a canceled order.
   * @returns the canceled order; undefined if the order does not exist
   */
  cancel(id: string, note: string, now: number): Promise<Order | undefined>;
  /**
   * Stores the shipment of an order. A shipped or canceled order is not changed.
   * @returns the order with the first stored shipment; undefined if the order does not exist
   */
  ship(id: string, shipment: Shipment): Promise<Order | undefined>;
  /** Returns the payments of an order that the merchant must refund, oldest first. */
  listRefundsDue(id: string): Promise<readonly RefundDue[]>;
  /** Returns the order as JSON for other systems, with money in minor units. */
  describe(order: Order): Readonly<Record<string, unknown>>;
}
