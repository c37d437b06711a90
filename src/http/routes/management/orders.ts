import type { Order } from "../../../checkout/order.ts";
import type { OrderFilter } from "../../../checkout/orders.ts";
import { parseShipment } from "../../../checkout/shipment.ts";
import { type FieldError, fieldProblem, fieldsProblem, Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { readWriteBody } from "../../bodies/body.ts";
import { withDeadline } from "../../deadline.ts";
import { type BearerShop, requireToken } from "../../sessions/bearer-session.ts";
import { jsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

type OrdersShop = BearerShop & Pick<Shop, "checkouts" | "process">;

/**
 * Handles `GET /api/orders`: returns a page of orders. `next` is the cursor of the next page, or null on the last page.
 */
export async function listOrders(shop: OrdersShop, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "orders:read");
  const filter = parseFilter(request.query);
  const results = await withDeadline(shop.checkouts.orders.list({ ...filter, limit: filter.limit + 1 }));
  const orders: Order[] = [];
  const orderRecords: unknown[] = [];
  for (const loadOrder of results.slice(0, filter.limit)) {
    // Serializing an order with hundreds of lines takes long, so other requests can run between two orders.
    await shop.process.scheduler.yield("background");
    const order = loadOrder();
    orders.push(order);
    orderRecords.push(shop.checkouts.orders.describe(order));
  }
  return jsonReply(200, {
    orders: orderRecords,
    next: results.length > filter.limit ? String(orders.at(-1)?.number) : null,
  });
}

/** Handles `GET /api/orders/<id>`: returns an order by id or number. */
export async function readOrder(shop: OrdersShop, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "orders:read");
  return jsonReply(200, { order: shop.checkouts.orders.describe(await findOrder(shop, request)) });
}

/**
 * Handles `POST /api/orders/<id>/cancel`: cancels an order, like the command `vitrine orders cancel`. An order that is
 * already canceled does not change.
 */
export async function cancelOrder(shop: OrdersShop, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "orders:write");
  const { note = "" } = await readWriteBody(request, { forms: false }, true);
  if (typeof note !== "string" || note.length > MAX_NOTE_LENGTH)
    throw fieldProblem("note", "length", `note must be a string of at most ${MAX_NOTE_LENGTH} characters.`);
  const { id } = await findOrder(shop, request);
  const noteText = note.trim() === "" ? "cancelled" : `cancelled: ${note.trim()}`;
  const order = await shop.checkouts.orders.cancel(id, noteText, request.now);
  if (order === undefined) throw createNotFoundProblem();
  return jsonReply(200, { order: shop.checkouts.orders.describe(order) });
}

/**
 * Handles `POST /api/orders/<id>/ship`: marks an order as shipped, like the command `vitrine orders ship`. An order
 * that is already shipped does not change.
 */
export async function shipOrder(shop: OrdersShop, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "orders:write");
  const shipment = parseShipment(await readWriteBody(request, { forms: false }, true), request.now);
  const { id } = await findOrder(shop, request);
  const order = await shop.checkouts.orders.ship(id, shipment);
  if (order === undefined) throw createNotFoundProblem();
  if (order.shipment === undefined)
    throw new Problem("order_cancelled", "The order was canceled and cannot be shipped.");
  return jsonReply(200, { order: shop.checkouts.orders.describe(order) });
}

const MAX_NOTE_LENGTH = 1_000;
const MAX_ORDERS = 100;
const DEFAULT_ORDERS = 50;

async function findOrder(shop: OrdersShop, request: StoreRequest): Promise<Order> {
  const id = request.params.id ?? "";
  const order = await withDeadline(
    // Order ids are longer than 15 digits, so a shorter number is an order number.
    /^\d{1,15}$/.test(id) ? shop.checkouts.orders.findByNumber(Number(id)) : shop.checkouts.orders.find(id),
  );
  if (order === undefined) throw createNotFoundProblem();
  return order;
}

function createNotFoundProblem(): Problem {
  return new Problem("not_found", "There is no order with this id or number.");
}

/** Parses the filter in the query.  @throws Problem `validation_failed` with each invalid parameter */
function parseFilter(query: URLSearchParams): OrderFilter {
  const errors: FieldError[] = [];
  const addError = (field: string, rule: string, message: string): undefined => {
    errors.push({ field, rule, message });
  };
  const parseInteger = (field: string, min: number, max: number, fallback: number): number => {
    const text = query.get(field);
    if (text === null) return fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value < min || value > max) addError(field, "range", `${field} is a whole number from ${min} to ${max}.`);
    return value;
  };
  const parseChoice = <T extends string>(field: string, ...allowed: readonly T[]): T | undefined => {
    const text = query.get(field);
    if (text === null) return undefined;
    return (
      allowed.find((candidate) => candidate === text) ?? addError(field, "enum", `${field} is ${allowed.join(" or ")}.`)
    );
  };
  const parseTime = (field: string): number | undefined => {
    const text = query.get(field);
    if (text === null) return undefined;
    const timestamp = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(timestamp)
      ? addError(field, "format", `${field} is a day or a time, as 2026-11-01T00:00:00Z.`)
      : timestamp;
  };
  const [state, payment] = [parseChoice("state", "open", "cancelled"), parseChoice("payment_state", "unpaid", "paid")];
  const shipment = parseChoice("shipment_state", "unshipped", "shipped");
  const [updatedSince, createdSince] = [parseTime("updated_since"), parseTime("created_since")];
  const filter = {
    ...(state === undefined ? {} : { state }),
    ...(payment === undefined ? {} : { payment }),
    ...(shipment === undefined ? {} : { isShipped: shipment === "shipped" }),
    ...(updatedSince === undefined ? {} : { updatedSince }),
    ...(createdSince === undefined ? {} : { createdSince }),
    afterNumber: parseInteger("after", 0, Number.MAX_SAFE_INTEGER, 0),
    limit: parseInteger("limit", 1, MAX_ORDERS, DEFAULT_ORDERS),
  };
  if (errors.length > 0) throw fieldsProblem(errors);
  return filter;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
