import type { Order, RefundDue } from "./order.ts";
import type { Shipment } from "./shipment.ts";

/** A stored order, decoded when called, since there may be many long ones. */
export type StoredOrder = () => Order;

export interface OrderFilter {
  readonly state?: Order["state"];
  readonly payment?: Order["payment"];
  readonly isShipped?: boolean;
  /** Milliseconds since 1970: changed at or after this time. */
  readonly updatedSince?: number;
  readonly createdSince?: number;
  /** Only orders with a higher number; 0 for all. */
  readonly after: number;
  /** Maximum number of orders. */
  readonly limit: number;
}

/** Orders of a customer. */
export interface CustomerOrders {
  /** Number of all orders, including canceled ones. */
  readonly count: number;
  /** Sum paid for orders that were not canceled, in minor units. */
  readonly spent: number;
  /** The newest orders, newest first. */
  readonly newest: readonly StoredOrder[];
}

/** Placed orders (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface Orders {
  find(id: string): Promise<Order | undefined>;
  findByNumber(number: number): Promise<Order | undefined>;
  /** Ascending by number. */
  list(filter: OrderFilter): Promise<readonly StoredOrder[]>;
  ofCustomer(customerId: string): Promise<CustomerOrders>;
  /**
   * Cancels an order once: returns stock, balances and discount uses.
   * @returns the canceled order; undefined if it does not exist
   */
  cancel(id: string, note: string, now: number): Promise<Order | undefined>;
  /**
   * Stores the shipment of an order once. A canceled order is not shipped.
   * @returns the order with the first stored shipment; undefined if it does not exist
   */
  ship(id: string, shipment: Shipment): Promise<Order | undefined>;
  /** Payments of an order that the merchant must refund, oldest first. */
  refundsDue(id: string): Promise<readonly RefundDue[]>;
  /** The order as JSON for other systems; money in minor units. */
  describe(order: Order): Readonly<Record<string, unknown>>;
}
