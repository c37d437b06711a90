import type { CustomerOrders, OrderFilter, Orders } from "../../checkout/orders.ts";
import type { Database } from "../database.ts";
import {
  cancelOrder,
  orderJson,
  readOrder,
  readOrderByNumber,
  selectOrdersSql,
  shipOrder,
  toOrder,
} from "./order-store.ts";
import { readRefundsDue } from "./refunds.ts";

/** Maximum number of orders in a customer's list. */
const MAX_ORDERS_PER_CUSTOMER = 250;

/** Creates the order store.  @param newId returns IDs of events  @see Orders */
export function createOrders(database: Database, newId: () => string): Orders {
  return {
    find: (id) => readOrder(database, id),
    findByNumber: (number) => readOrderByNumber(database, number),
    list: (filter) => listOrders(database, filter),
    readCustomerOrders: (customerId) => readCustomerOrders(database, customerId),
    async cancel(id, note, now) {
      return (await cancelOrder(database, id, { now, eventId: newId(), note })) ?? readOrder(database, id);
    },
    async ship(id, shipment) {
      return (await shipOrder(database, id, shipment, newId())) ?? readOrder(database, id);
    },
    listRefundsDue: (id) => readRefundsDue(database, id),
    describe: orderJson,
  };
}

async function listOrders(
  database: Database,
  { state, payment, isShipped, updatedSince, createdSince, afterNumber, limit }: OrderFilter,
): Promise<Awaited<ReturnType<Orders["list"]>>> {
  const params: (string | number)[] = [afterNumber, limit];
  const conditions = ["number > $1"];
  const addCondition = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(`${condition} $${params.length}`);
  };
  addCondition("state =", state);
  addCondition("payment =", payment);
  if (isShipped !== undefined) conditions.push(`shipment IS ${isShipped ? "NOT " : ""}NULL`);
  addCondition("updated_at >=", updatedSince);
  addCondition("created_at >=", createdSince);
  const rows = await database.read(
    `${selectOrdersSql} WHERE ${conditions.join(" AND ")} ORDER BY number LIMIT $2`,
    params,
  );
  return rows.map((row) => () => toOrder(row));
}

async function readCustomerOrders(database: Database, customerId: string): Promise<CustomerOrders> {
  const [[totals], rows] = await Promise.all([
    database.read(
      `SELECT COUNT(DISTINCT o.id) AS orders, COALESCE(SUM(CASE WHEN o.state = 'open' THEN p.amount ELSE 0 END), 0) AS spent
        FROM orders o LEFT JOIN payments p ON p.order_id = o.id AND p.refund IS NULL WHERE o.customer_id = $1`,
      [customerId],
    ),
    database.read(`${selectOrdersSql} WHERE customer_id = $1 ORDER BY number DESC LIMIT ${MAX_ORDERS_PER_CUSTOMER}`, [
      customerId,
    ]),
  ]);
  return {
    orderCount: Number(totals?.orders ?? 0),
    totalSpent: Number(totals?.spent ?? 0),
    newestOrders: rows.map((row) => () => toOrder(row)),
  };
}
