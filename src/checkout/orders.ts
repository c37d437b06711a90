import type { Order, RefundDue } from "./order.ts";
import type { Shipment } from "./shipment.ts";

/** An order as it is kept: decoded when it is called, as there may be many, and long ones. */
export type KeptOrder = () => Order;

export interface OrderFilter {
  readonly state?: Order["state"];
  readonly payment?: Order["payment"];
  readonly isShipped?: boolean;
  /** Milliseconds since 1970: changed then or later. */
  readonly updatedSince?: number;
  readonly createdSince?: number;
  /** Those whose number is above it; 0: from the first on. */
  readonly after: number;
  /** So many at most. */
  readonly limit: number;
}

/** What a customer has ordered. */
export interface CustomerOrders {
  /** Of all of them, cancelled ones too. */
  readonly count: number;
  /** What came in for orders that stand, in minor units. */
  readonly spent: number;
  /** The newest first, as many as are shown. */
  readonly newest: readonly KeptOrder[];
}

/** Orders, once there are some (implemented in `storage/`). Methods throw `DatabaseUnavailable`. */
export interface Orders {
  find(id: string): Promise<Order | undefined>;
  findByNumber(number: number): Promise<Order | undefined>;
  /** By their numbers, the first first. */
  list(filter: OrderFilter): Promise<readonly KeptOrder[]>;
  ofCustomer(customerId: string): Promise<CustomerOrders>;
  /** Cancels an order once: stock, balances and uses of discounts go back. @returns the order as it is then; undefined where there is none */
  cancel(id: string, note: string, now: number): Promise<Order | undefined>;
  /** Notes once that an order was sent. @returns the order as it is then, with the shipment that was noted first; a cancelled one
   *  is not sent; undefined where there is none */
  ship(id: string, shipment: Shipment): Promise<Order | undefined>;
  /** Payments of an order that the merchant has to refund, oldest first. */
  refundsDue(id: string): Promise<readonly RefundDue[]>;
  /** As other systems see it; money in minor units. */
  describe(order: Order): Readonly<Record<string, unknown>>;
}
