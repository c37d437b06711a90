import type { CheckoutContent } from "../../checkout/checkout-snapshot.ts";
import { type CancelReason, findUnshippedItems, getShipmentState, type Order } from "../../checkout/order.ts";
import type { Shipment } from "../../checkout/shipment.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import { toSearchText } from "./order-search.ts";

/** Orders per query. */
const PAGE_SIZE = 200;

/** @param id ID of an order, or its number */
export async function readOrder(database: Database, id: string | number): Promise<Order | undefined> {
  const column = typeof id === "number" ? "number" : "id";
  const [row] = await database.read(`${selectOrdersSql} WHERE ${column} = $1`, [id]);
  return row === undefined ? undefined : toOrder(row);
}

/** Yields orders in pages, oldest first.  @param startTime earliest time of an order, in milliseconds since 1970 */
export async function* readOrders(database: Database, startTime: number): AsyncGenerator<readonly Order[]> {
  for (let afterOrderNumber = 0; ; ) {
    const rows = await database.read(
      `${selectOrdersSql} WHERE number > $1 AND created_at >= $2 ORDER BY number LIMIT ${PAGE_SIZE}`,
      [afterOrderNumber, startTime],
    );
    yield rows.map(toOrder);
    if (rows.length < PAGE_SIZE) return;
    afterOrderNumber = Number(rows.at(-1)?.number);
  }
}

/** Returns a number that is higher than all order numbers. Numbers may have gaps. */
export async function findNextOrderNumber(database: Database): Promise<number> {
  const [[row] = []] = await database.write([
    { sql: "UPDATE sequences SET last = last + 1 WHERE name = 'orders' RETURNING last", params: [] },
  ]);
  return Number(row?.last);
}

export function insertOrder(order: Order): Statement {
  const { id, number, checkoutId, state, payment, reference, content, notes, createdAt, updatedAt } = order;
  return {
    sql: `INSERT INTO orders (id, number, checkout_id, customer_id, state, payment, reference, content, notes, created_at, updated_at, search_text, is_test, counted)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    params: [
      ...[id, number, checkoutId, content.customerId ?? null, state, payment, reference ?? null],
      ...[JSON.stringify(content), JSON.stringify(notes), createdAt, updatedAt, toSearchText(content)],
      // A test order never counts as sales of its products.
      ...(content.isTest === true ? [1, 2] : [0, 0]),
    ],
  };
}

/** Updates the changeable columns of an order. The transaction fails if the order changed since it was read. */
export function updateOrder({ id, revision }: Pick<Order, "id" | "revision">, newOrder: Order): Statement {
  const isShipped = getShipmentState(newOrder) === "shipped";
  const lastShipment = isShipped ? newOrder.shipments.at(-1) : undefined;
  const partialShipments = isShipped ? newOrder.shipments.slice(0, -1) : newOrder.shipments;
  return {
    sql: `UPDATE orders SET state = $3, payment = $4, reference = $5, notes = $6, shipment = $7, partial_shipments = $8,
        refunds = $9, updated_at = $10, cancelled_at = $11, cancel_reason = $12, revision = revision + 1
      WHERE id = $1 AND revision = $2`,
    params: [
      ...[id, revision, newOrder.state, newOrder.payment, newOrder.reference ?? null, JSON.stringify(newOrder.notes)],
      lastShipment === undefined ? null : JSON.stringify({ ...lastShipment, items: undefined }),
      partialShipments.length === 0 ? null : JSON.stringify(partialShipments),
      newOrder.refunds.length === 0 ? null : JSON.stringify(newOrder.refunds),
      ...[newOrder.updatedAt, newOrder.cancelledAt ?? null, newOrder.cancelReason ?? null],
    ],
    requireRows: 1,
  };
}

export const selectOrdersSql =
  "SELECT id, number, checkout_id, state, payment, reference, content, notes, created_at, updated_at, cancelled_at, cancel_reason, shipment, partial_shipments, refunds, revision FROM orders";

export function toOrder(row: SqlRow): Order {
  const content = JSON.parse(String(row.content)) as CheckoutContent;
  return {
    id: String(row.id),
    number: Number(row.number),
    checkoutId: String(row.checkout_id),
    state: String(row.state) as Order["state"],
    payment: String(row.payment) as Order["payment"],
    ...(row.reference == null ? {} : { reference: String(row.reference) }),
    content,
    notes: JSON.parse(String(row.notes)) as Order["notes"],
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...(row.cancelled_at == null ? {} : { cancelledAt: Number(row.cancelled_at) }),
    ...(row.cancel_reason == null ? {} : { cancelReason: String(row.cancel_reason) as CancelReason }),
    shipments: readShipments(row, content),
    refunds: JSON.parse(String(row.refunds ?? "[]")) as Order["refunds"],
    revision: Number(row.revision),
  };
}

/**
 * Reads the shipments of an order. `partial_shipments` contains all shipments with their items, except the shipment
 * that completes the order. That one is in `shipment`, without a list of its items.
 */
function readShipments({ shipment, partial_shipments }: SqlRow, content: CheckoutContent): Order["shipments"] {
  const shipments = JSON.parse(String(partial_shipments ?? "[]")) as readonly Shipment[];
  if (shipment == null) return shipments;
  const lastShipment = JSON.parse(String(shipment)) as Omit<Shipment, "items">;
  return [...shipments, { ...lastShipment, items: findUnshippedItems({ content, shipments }) }];
}
