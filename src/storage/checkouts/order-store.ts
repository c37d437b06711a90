import type { CustomerOrders, OrderFilter, Orders } from "../../checkout/orders.ts";
import { Problem } from "../../problem.ts";
import type { Database, SqlValue } from "../database.ts";
import { changeOrder } from "./change-order.ts";
import { readInvoices } from "./invoices.ts";
import { serializeOrder } from "./order-json.ts";
import { readOrderLog } from "./order-log.ts";
import { readOrder, selectOrdersSql, toOrder } from "./order-rows.ts";
import { addMissingSearchTexts, toSearchPatterns } from "./order-search.ts";
import { formatRefundDueSql, readRefundsDue } from "./refunds.ts";

/** Maximum number of orders in a customer's list. */
const MAX_ORDERS_PER_CUSTOMER = 250;

export interface OrderStoreResources {
  readonly database: Database;
  /** Returns a new ID for a change or an event. */
  readonly newId: () => string;
  /** Returns whether the shop sends email. */
  readonly sendsEmail: () => boolean;
}

/** Creates the order store.  @see Orders */
export function createOrderStore({ database, newId, sendsEmail }: OrderStoreResources): Orders {
  return {
    find: (id) => readOrder(database, id),
    list: (filter) => listOrders(database, filter),
    readCustomerOrders: (customerId) => readCustomerOrders(database, customerId),
    async change(id, operation, change) {
      if (operation.type === "email" && !sendsEmail())
        throw new Problem("order_conflict", "The shop sends no email. Set mail.smtp in the settings.");
      return changeOrder(database, id, operation, { ...change, changeId: newId() });
    },
    readLog: (id) => readOrderLog(database, id),
    listRefundsDue: (id) => readRefundsDue(database, id),
    listInvoices: (id) => readInvoices(database, id),
    describe: serializeOrder,
  };
}

async function listOrders(database: Database, filter: OrderFilter): Promise<Awaited<ReturnType<Orders["list"]>>> {
  const { search = "", shipment, isNewestFirst = false, afterNumber, limit } = filter;
  const params: SqlValue[] = [limit];
  const conditions: string[] = [];
  const bindParam = (value: SqlValue): string => `$${params.push(value)}`;
  const addCondition = (condition: string, value: string | number | undefined): void => {
    if (value !== undefined) conditions.push(`${condition} ${bindParam(value)}`);
  };
  addCondition(isNewestFirst ? "number <" : "number >", afterNumber);
  addCondition("state =", filter.state);
  addCondition("payment =", filter.payment);
  if (shipment !== undefined) conditions.push(shipmentConditions[shipment]);
  if (filter.hasRefundDue === true)
    conditions.push(
      `EXISTS (SELECT 1 FROM payments p WHERE p.order_id = orders.id AND ${formatRefundDueSql("orders.state")})`,
    );
  addCondition("updated_at >=", filter.updatedSince);
  addCondition("created_at >=", filter.createdSince);
  addCondition("created_at <", filter.createdBefore);
  const patterns = toSearchPatterns(search);
  if (patterns.length > 0) {
    await addMissingSearchTexts(database);
    const words = patterns.map((pattern) => `search_text LIKE ${bindParam(pattern)} ESCAPE '!'`).join(" AND ");
    const [, number] = /^#?(\d{1,15})$/.exec(search.trim()) ?? [];
    // The subquery needs only the index of search texts. Orders are large, so scanning the table would be slow.
    const textCondition = `number IN (SELECT number FROM orders WHERE ${words})`;
    conditions.push(
      number === undefined ? textCondition : `(${textCondition} OR number = ${bindParam(Number(number))})`,
    );
  }
  const whereSql = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const rows = await database.read(
    `${selectOrdersSql} ${whereSql} ORDER BY number ${isNewestFirst ? "DESC" : ""} LIMIT $1`,
    params,
  );
  return rows.map((row) => () => toOrder(row));
}

const shipmentConditions = {
  open: "shipment IS NULL",
  unshipped: "(shipment IS NULL AND partial_shipments IS NULL)",
  partial: "(shipment IS NULL AND partial_shipments IS NOT NULL)",
  shipped: "shipment IS NOT NULL",
} as const;

async function readCustomerOrders(database: Database, customerId: string): Promise<CustomerOrders> {
  const [[totals], rows] = await Promise.all([
    database.read(
      `SELECT COUNT(DISTINCT o.id) AS orders, COALESCE(SUM(CASE WHEN o.state = 'open' THEN p.amount ELSE 0 END), 0) AS spent
        FROM orders o LEFT JOIN payments p ON p.order_id = o.id AND p.refund IS NULL
        WHERE o.customer_id = $1 AND o.is_test = 0`,
      [customerId],
    ),
    database.read(
      `${selectOrdersSql} WHERE customer_id = $1 AND is_test = 0 ORDER BY number DESC LIMIT ${MAX_ORDERS_PER_CUSTOMER}`,
      [customerId],
    ),
  ]);
  return {
    orderCount: Number(totals?.orders ?? 0),
    totalSpent: Number(totals?.spent ?? 0),
    newestOrders: rows.map((row) => () => toOrder(row)),
  };
}
