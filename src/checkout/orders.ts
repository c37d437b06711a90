import type { ChangeActor } from "../catalog/catalog-log.ts";
import type { Invoice } from "./invoice.ts";
import type { DueRefund, Order } from "./order.ts";
import type { OrderOperation, OrderOperationType } from "./order-operations.ts";

/** A function that decodes and returns a stored order. Decoding is lazy, because orders may be large. */
export type OrderDecoder = () => Order;

export interface OrderFilter {
  /** Search text: an order number, or words that the name and email address of an order contain. */
  readonly search?: string;
  readonly state?: Order["state"] | undefined;
  readonly payment?: Order["payment"] | undefined;
  /** "open": some items are not shipped. */
  readonly shipment?: "unshipped" | "partial" | "shipped" | "open" | undefined;
  readonly hasRefundDue?: boolean;
  /** Earliest time of the last change, in milliseconds since 1970. */
  readonly updatedSince?: number | undefined;
  readonly createdSince?: number | undefined;
  /** Time in milliseconds since 1970 before which the orders were placed. */
  readonly createdBefore?: number | undefined;
  /** Default: the oldest order first. */
  readonly isNewestFirst?: boolean;
  /** Number of the last order of the previous page. Default: the first page. */
  readonly afterNumber?: number | undefined;
  /** Maximum number of orders. */
  readonly limit: number;
}

/** An entry in an order's log. */
export interface OrderLogEntry {
  /** Time in milliseconds since 1970. */
  readonly at: number;
  readonly by: ChangeActor;
  readonly operation: OrderOperationType;
  /** Fields of the operation, as in the HTTP API. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface OrderChange {
  readonly by: ChangeActor;
  /** Time in milliseconds since 1970. */
  readonly now: number;
  /** Expected revisions. If the order has another revision, the change is rejected. Default: any revision. */
  readonly revisions?: readonly number[];
}

/** Summary of the orders of one customer, without test orders. */
export interface CustomerOrders {
  /** Number of all orders, including canceled orders. */
  readonly orderCount: number;
  /** Sum paid for orders that were not canceled, in minor units. */
  readonly totalSpent: number;
  /** The latest orders, newest first. */
  readonly newestOrders: readonly OrderDecoder[];
}

/** Placed orders, implemented in `storage/`. Methods throw `DatabaseUnavailableError`. */
export interface Orders {
  /** @param id ID or number of the order */
  find(id: string | number): Promise<Order | undefined>;
  /** Lists matching orders, sorted by order number. */
  list(filter: OrderFilter): Promise<readonly OrderDecoder[]>;
  readCustomerOrders(customerId: string): Promise<CustomerOrders>;
  /**
   * Applies an operation to an order, and stores it in the log, with the events that follow from it.
   * @param id ID or number of the order
   * @returns the order, and whether this call changed it; an operation that was already applied has no effect
   * @throws Problem `not_found`, `order_changed`, `order_cancelled`, `order_conflict`, `reference_taken`,
   * `validation_failed`
   */
  change(
    id: string | number,
    operation: OrderOperation,
    orderChange: OrderChange,
  ): Promise<{ readonly order: Order; readonly isChanged: boolean }>;
  /** Returns the log of an order, oldest first. */
  readLog(id: string): Promise<readonly OrderLogEntry[]>;
  /** Returns the payments of an order that the merchant must refund, oldest first. */
  listRefundsDue(id: string): Promise<readonly DueRefund[]>;
  /** Returns the invoice of an order, and its credit notes, oldest first. */
  listInvoices(id: string): Promise<readonly Invoice[]>;
  /** Returns the order as JSON for other systems, with money in minor units. */
  describe(order: Order): Readonly<Record<string, unknown>>;
}
