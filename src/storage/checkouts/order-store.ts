import type { Order } from "../../checkout/order.ts";
import type { CheckoutContent } from "../../checkout/sealed-checkout.ts";
import type { Shipment } from "../../checkout/shipment.ts";
import { CommitInDoubt, type Database, type SqlRow, type Statement, WriteConflict } from "../database.ts";
import { emit, type NewEvent } from "../events/outbox.ts";
import { takeStockNumber } from "../stock-store.ts";
import { giveBack } from "./reservations.ts";

/** Orders read at once. */
const PAGE_SIZE = 200;

export async function readOrder(database: Database, id: string): Promise<Order | undefined> {
  const [row] = await database.read(`${selectOrders} WHERE id = $1`, [id]);
  return row === undefined ? undefined : toOrder(row);
}

/** Payments for which there is no order, or that came twice: the merchant has to give them back. Oldest first. */
export async function readRefundsDue(database: Database): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await database.read(
    `SELECT reference, checkout_id, order_id, amount, currency, refund, received_at FROM payments
      WHERE refund IS NOT NULL ORDER BY received_at, reference`,
  );
  return rows.map(({ refund, received_at, ...row }) => ({
    ...row,
    reason: refund,
    received_at: new Date(Number(received_at)).toISOString(),
  }));
}

export async function readOrderByNumber(database: Database, number: number): Promise<Order | undefined> {
  const [row] = await database.read(`${selectOrders} WHERE number = $1`, [number]);
  return row === undefined ? undefined : toOrder(row);
}

/** Orders in pages, oldest first. @param since milliseconds since 1970 */
export async function* readOrders(database: Database, since = 0): AsyncGenerator<readonly Order[]> {
  for (let after = 0; ; ) {
    const rows = await database.read(
      `${selectOrders} WHERE number > $1 AND created_at >= $2 ORDER BY number LIMIT ${PAGE_SIZE}`,
      [after, since],
    );
    yield rows.map(toOrder);
    if (rows.length < PAGE_SIZE) return;
    after = Number(rows.at(-1)?.number);
  }
}

/** A number above those of all orders; one that is not used is left out. */
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

/** Cancels an order once: stock, balances and uses of discounts go back. @param eventId names the event
 *  @returns the order as it is then; undefined where it was cancelled before, or is none */
export async function cancelOrder(
  database: Database,
  order: Order,
  { now, eventId, note }: { readonly now: number; readonly eventId: string; readonly note: string },
): Promise<Order | undefined> {
  const cancelled: Order = {
    ...order,
    state: "cancelled",
    notes: [...order.notes, { at: now, text: note }],
    updatedAt: now,
    cancelledAt: now,
  };
  const isDone = await changeOnce(
    database,
    [
      takeStockNumber,
      {
        sql: "UPDATE orders SET state = 'cancelled', notes = $2, cancelled_at = $3, updated_at = $3 WHERE id = $1 AND state = 'open'",
        params: [order.id, JSON.stringify(cancelled.notes), now],
        requireRows: 1,
      },
      ...giveBack(order.content.reservations),
      { sql: "DELETE FROM discount_uses WHERE checkout_id = $1", params: [order.id] },
    ],
    {
      id: eventId,
      type: "order.cancelled",
      orderKey: order.id,
      payload: { order: orderJson(cancelled) },
      createdAt: now,
    },
  );
  return isDone ? cancelled : undefined;
}

/** Notes once that an order was sent. @param eventId names the event
 *  @returns the order as it is then; undefined where it was sent or cancelled before, or is none */
export async function shipOrder(
  database: Database,
  order: Order,
  shipment: Shipment,
  eventId: string,
): Promise<Order | undefined> {
  const shipped: Order = { ...order, shipment, updatedAt: shipment.at };
  const isDone = await changeOnce(
    database,
    [
      {
        sql: "UPDATE orders SET shipment = $2, updated_at = $3 WHERE id = $1 AND state = 'open' AND shipment IS NULL",
        params: [order.id, JSON.stringify(shipment), shipment.at],
        requireRows: 1,
      },
    ],
    {
      id: eventId,
      type: "order.shipped",
      orderKey: order.id,
      payload: { order: orderJson(shipped) },
      createdAt: shipment.at,
    },
  );
  return isDone ? shipped : undefined;
}

/** Changes an order and tells of it in one transaction. @param changes require the rows of an order that can be changed so
 *  @returns false where it cannot */
async function changeOnce(database: Database, changes: readonly Statement[], event: NewEvent): Promise<boolean> {
  try {
    await database.write([...changes, ...emit(event)]);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    if (!(error instanceof CommitInDoubt)) throw error;
    const [row] = await database.read("SELECT 1 AS one FROM events WHERE id = $1", [event.id]);
    return row !== undefined || changeOnce(database, changes, event);
  }
}

/** Writes a sentence to an order, for whoever reads it later. @returns false where there is no such order */
export async function noteOrder(database: Database, id: string, note: Order["notes"][number]): Promise<boolean> {
  for (;;) {
    const order = await readOrder(database, id);
    if (order === undefined) return false;
    const [rows = []] = await database.write([
      {
        sql: "UPDATE orders SET notes = $2, updated_at = $4 WHERE id = $1 AND notes = $3 RETURNING id",
        params: [id, JSON.stringify([...order.notes, note]), JSON.stringify(order.notes), note.at],
      },
    ]);
    if (rows.length > 0) return true;
  }
}

/** An order as other systems see it; money in minor units. */
export function orderJson(order: Order): Readonly<Record<string, unknown>> {
  const { id, number, checkoutId, state, payment, reference, content, notes, createdAt } = order;
  const { priced, delivery, taxes, amount, locale, customerId } = content;
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
    total_discount: priced.totalDiscount,
    shipping: delivery?.rate === undefined ? null : { name: delivery.rate.code, price: delivery.rate.price },
    gift_cards: priced.giftCards.map(({ code }) => code),
    drawn: content.reservations
      .filter(({ kind }) => kind !== "stock")
      .map(({ kind, id, units }) => ({ kind, id, amount: units })),
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
    amount,
    email: delivery?.email ?? null,
    name: delivery?.name ?? null,
    address: delivery?.address ?? null,
    note: priced.cart.note ?? null,
    discounts: priced.discountApplications.map(({ title, total }) => ({ title, amount: total })),
    items: priced.lines.map(({ line, product, variant, price, finalLinePrice }, index) => ({
      variant_id: variant.id,
      product_id: product.id,
      sku: variant.sku ?? null,
      title: product.title,
      variant_title: variant.title,
      quantity: line.quantity,
      properties: line.properties,
      price,
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

export const selectOrders =
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
