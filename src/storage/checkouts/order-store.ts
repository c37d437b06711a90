import type { CheckoutContent } from "../../checkout/checkout-snapshot.ts";
import type { Order, RefundDue } from "../../checkout/order.ts";
import type { Shipment } from "../../checkout/shipment.ts";
import { CommitInDoubt, type Database, type SqlRow, type Statement, WriteConflict } from "../database.ts";
import { emitEvent, type NewEvent } from "../events/outbox.ts";
import { takeStockNumberStatement } from "../stock-store.ts";
import { recordRefund } from "./refunds.ts";
import { restoreStatements } from "./reservations.ts";

/** Orders per query. */
const PAGE_SIZE = 200;

export async function readOrder(database: Database, id: string): Promise<Order | undefined> {
  const [row] = await database.read(`${selectOrdersSql} WHERE id = $1`, [id]);
  return row === undefined ? undefined : toOrder(row);
}

export async function readOrderByNumber(database: Database, number: number): Promise<Order | undefined> {
  const [row] = await database.read(`${selectOrdersSql} WHERE number = $1`, [number]);
  return row === undefined ? undefined : toOrder(row);
}

/** Yields orders in pages, oldest first.  @param since earliest time of an order, in milliseconds since 1970 */
export async function* readOrders(database: Database, since = 0): AsyncGenerator<readonly Order[]> {
  for (let afterNumber = 0; ; ) {
    const rows = await database.read(
      `${selectOrdersSql} WHERE number > $1 AND created_at >= $2 ORDER BY number LIMIT ${PAGE_SIZE}`,
      [afterNumber, since],
    );
    yield rows.map(toOrder);
    if (rows.length < PAGE_SIZE) return;
    afterNumber = Number(rows.at(-1)?.number);
  }
}

/** Returns a number that is higher than all order numbers. Numbers may have gaps. */
export async function nextOrderNumber(database: Database): Promise<number> {
  const [[row] = []] = await database.write([
    { sql: "UPDATE sequences SET last = last + 1 WHERE name = 'orders' RETURNING last", params: [] },
  ]);
  return Number(row?.last);
}

export function insertOrder(order: Order): Statement {
  const { id, number, checkoutId, state, payment, reference, content, notes, createdAt, updatedAt } = order;
  return {
    sql: `INSERT INTO orders (id, number, checkout_id, customer_id, state, payment, reference, content, notes, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    params: [
      ...[id, number, checkoutId, content.customerId ?? null, state, payment, reference ?? null],
      ...[JSON.stringify(content), JSON.stringify(notes), createdAt, updatedAt],
    ],
  };
}

/**
 * Cancels an order, and restores its stock, balances and discount uses.
 * @param eventId ID of the event
 * @returns the canceled order; undefined if it was already canceled, or does not exist
 */
export function cancelOrder(
  database: Database,
  id: string,
  { now, eventId, note }: { readonly now: number; readonly eventId: string; readonly note: string },
): Promise<Order | undefined> {
  return changeOrder(database, id, (order) => {
    if (order.state === "cancelled") return undefined;
    const notes = [...order.notes, { at: now, text: note }];
    return {
      order: { ...order, state: "cancelled", notes, updatedAt: now, cancelledAt: now },
      event: { id: eventId, type: "order.cancelled" },
      precedingStatements: [takeStockNumberStatement],
      followingStatements: [
        ...restoreStatements(order.content.reservations),
        { sql: "DELETE FROM discount_uses WHERE checkout_id = $1", params: [id] },
      ],
    };
  });
}

/**
 * Stores the shipment of an order that was not shipped before.
 * @param eventId ID of the event
 * @returns the shipped order; undefined if it was already shipped or canceled, or does not exist
 */
export function shipOrder(
  database: Database,
  id: string,
  shipment: Shipment,
  eventId: string,
): Promise<Order | undefined> {
  return changeOrder(database, id, (order) =>
    order.state === "cancelled" || order.shipment !== undefined
      ? undefined
      : { order: { ...order, shipment, updatedAt: shipment.at }, event: { id: eventId, type: "order.shipped" } },
  );
}

/**
 * Adds a note to an order.
 * @param refundedPayments payments of the order that the merchant refunded
 * @returns the order; undefined if it does not exist
 */
export function addOrderNote(
  database: Database,
  id: string,
  note: Order["notes"][number],
  refundedPayments: readonly RefundDue[] = [],
): Promise<Order | undefined> {
  return changeOrder(database, id, (order) => ({
    order: { ...order, notes: [...order.notes, note], updatedAt: note.at },
    followingStatements: refundedPayments.map((payment) => recordRefund(payment, note.at)),
  }));
}

/** A changed order, and additional statements to run in the same transaction. */
interface OrderChange {
  readonly order: Order;
  readonly event?: Pick<NewEvent, "id" | "type">;
  readonly precedingStatements?: readonly Statement[];
  readonly followingStatements?: readonly Statement[];
}

/**
 * Changes an order in one transaction. If the order changed since it was read, computes the change again, so that the
 * event contains the stored order.
 * @param change returns undefined if the order's state does not permit the change
 */
async function changeOrder(
  database: Database,
  id: string,
  change: (order: Order) => OrderChange | undefined,
): Promise<Order | undefined> {
  for (;;) {
    const storedOrder = await readOrder(database, id);
    const orderChange = storedOrder && change(storedOrder);
    if (storedOrder === undefined || orderChange === undefined) return undefined;
    const { order, event, precedingStatements = [], followingStatements = [] } = orderChange;
    const events = event === undefined ? [] : emitEvent(orderEvent(order, event, order.updatedAt));
    try {
      await database.write([
        ...precedingStatements,
        updateOrder(storedOrder, order),
        ...followingStatements,
        ...events,
      ]);
      return order;
    } catch (error) {
      if (error instanceof WriteConflict) continue;
      if (!(error instanceof CommitInDoubt) || event === undefined) throw error;
      const [row] = await database.read("SELECT 1 AS one FROM events WHERE id = $1", [event.id]);
      if (row !== undefined) return order;
    }
  }
}

/** Updates the changeable columns of an order. The transaction fails if the order changed since it was read. */
export function updateOrder(before: Order, after: Order): Statement {
  const shipmentText = (order: Order): string | null => (order.shipment && JSON.stringify(order.shipment)) ?? null;
  return {
    sql: `UPDATE orders SET state = $2, payment = $3, reference = $4, notes = $5, shipment = $6, updated_at = $7, cancelled_at = $8
      WHERE id = $1 AND state = $9 AND payment = $10 AND notes = $11 AND shipment IS NOT DISTINCT FROM CAST($12 AS TEXT)`,
    params: [
      ...[
        before.id,
        after.state,
        after.payment,
        after.reference ?? null,
        JSON.stringify(after.notes),
        shipmentText(after),
      ],
      ...[after.updatedAt, after.cancelledAt ?? null],
      ...[before.state, before.payment, JSON.stringify(before.notes), shipmentText(before)],
    ],
    requireRows: 1,
  };
}

/** Creates an event that contains the order. */
export function orderEvent(order: Order, { id, type }: Pick<NewEvent, "id" | "type">, createdAt: number): NewEvent {
  return { id, type, orderKey: order.id, payload: { order: orderJson(order) }, createdAt };
}

/** Returns the order as JSON for other systems, with money in minor units. */
export function orderJson(order: Order): Readonly<Record<string, unknown>> {
  const { id, number, checkoutId, state, payment, reference, content, notes, createdAt } = order;
  const { priced, delivery, taxes, amount, locale, customerId } = content;
  const balances = content.reservations.filter(({ kind }) => kind !== "stock");
  return {
    id,
    number,
    checkout_id: checkoutId,
    state,
    payment_state: payment,
    shipment_state: order.shipment === undefined ? "unshipped" : "shipped",
    shipment: shipmentJson(order.shipment),
    reference: reference ?? null,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(order.updatedAt).toISOString(),
    cancelled_at: order.cancelledAt === undefined ? null : new Date(order.cancelledAt).toISOString(),
    locale,
    customer_id: customerId ?? null,
    currency: priced.currency,
    items_subtotal: priced.itemsSubtotal,
    total_discount: priced.originalTotal - priced.total,
    shipping: delivery?.rate === undefined ? null : { name: delivery.rate.code, price: delivery.rate.price },
    gift_cards: priced.giftCards.map(({ code }) => code),
    drawn: balances.map(({ kind, id, units }) => ({ kind, id, amount: units })),
    taxes:
      taxes === undefined
        ? null
        : {
            country: taxes.country,
            included: taxes.isIncluded,
            total: taxes.total,
            rates: taxes.rates,
            shipping: taxes.shipping,
          },
    total: balances.reduce((sum, { units }) => sum + units, amount),
    amount,
    email: delivery?.email ?? null,
    name: delivery?.name ?? null,
    address: delivery?.address ?? null,
    note: priced.cart.note ?? null,
    discounts: priced.discountApplications.map(({ title, total, target }) => ({ title, amount: total, target })),
    items: priced.lines.map(({ line, product, variant, price, finalLinePrice, discounts }, index) => ({
      variant_id: variant.id,
      product_id: product.id,
      sku: variant.sku ?? null,
      title: product.title,
      variant_title: variant.title,
      quantity: line.quantity,
      properties: line.properties,
      price,
      discounts: discounts.map(({ title, amount }) => ({ title, amount })),
      final_line_price: finalLinePrice,
      tax: taxes?.lines[index] ?? 0,
    })),
    notes: notes.map(({ at, text }) => ({ at: new Date(at).toISOString(), text })),
  };
}

function shipmentJson(shipment: Shipment | undefined): Readonly<Record<string, unknown>> | null {
  if (shipment === undefined) return null;
  const { at, carrier = null, trackingNumber = null, trackingUrl = null } = shipment;
  return {
    shipped_at: new Date(at).toISOString(),
    carrier,
    tracking_number: trackingNumber,
    tracking_url: trackingUrl,
  };
}

export const selectOrdersSql =
  "SELECT id, number, checkout_id, state, payment, reference, content, notes, created_at, updated_at, cancelled_at, shipment FROM orders";

export function toOrder(row: SqlRow): Order {
  return {
    id: String(row.id),
    number: Number(row.number),
    checkoutId: String(row.checkout_id),
    state: String(row.state) as Order["state"],
    payment: String(row.payment) as Order["payment"],
    ...(row.reference == null ? {} : { reference: String(row.reference) }),
    content: JSON.parse(String(row.content)) as CheckoutContent,
    notes: JSON.parse(String(row.notes)) as Order["notes"],
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...(row.cancelled_at == null ? {} : { cancelledAt: Number(row.cancelled_at) }),
    ...(row.shipment == null ? {} : { shipment: JSON.parse(String(row.shipment)) as Shipment }),
  };
}
