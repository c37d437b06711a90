import type { Order } from "../../../checkout/order.ts";
import {
  type OrderOperation,
  type OrderOperationType,
  parseOrderOperation,
} from "../../../checkout/order-operations.ts";
import type { OrderFilter } from "../../../checkout/orders.ts";
import { createFieldsProblem, type FieldError, Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { readRequestBody } from "../../bodies/body.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { parseRevisions } from "../../if-match.ts";
import { readPage } from "../../read-page.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

type OrderApiServices = BearerServices & Pick<Shop, "checkouts" | "process">;

/**
 * Handles `GET /api/orders`: returns a page of orders. `next` is the cursor of the next page, or null on the last page.
 */
export async function listOrders(shop: OrderApiServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "orders:read");
  const filter = parseFilter(request.query);
  const { items, lastItem } = await readPage(filter.limit, (limit) => shop.checkouts.orders.list({ ...filter, limit }));
  const orders: unknown[] = [];
  let lastNumber = 0;
  for (const loadOrder of items) {
    // Serializing an order with hundreds of lines takes long, so other requests can run between two orders.
    await shop.process.scheduler.yield("background");
    const order = loadOrder();
    orders.push(shop.checkouts.orders.describe(order));
    lastNumber = order.number;
  }
  return createJsonReply(200, { orders, next: lastItem === undefined ? null : String(lastNumber) });
}

/** Handles `GET /api/orders/<id>`: returns an order by id or number. */
export async function readOrder(shop: OrderApiServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "orders:read");
  return createOrderReply(shop, await findOrder(shop, request));
}

/** Handles `GET /api/orders/<id>/log`: returns the operations on an order, oldest first. */
export async function readOrderLog(shop: OrderApiServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "orders:read");
  const { id } = await findOrder(shop, request);
  const entries = await awaitWithDeadline(shop.checkouts.orders.readLog(id));
  return createJsonReply(200, {
    entries: entries.map(({ at, by, operation, details }) => ({
      at: new Date(at).toISOString(),
      source: by.source,
      token: by.token ?? null,
      operation,
      details,
    })),
  });
}

/**
 * Handles `POST /api/orders/<id>/<operation>`: changes an order, like the command `vitrine orders` and the console. An
 * operation that was already applied has no effect.
 */
export async function changeOrder(
  shop: OrderApiServices,
  type: OrderOperationType,
  request: StoreRequest,
): Promise<Reply> {
  const { id, name } = await requireToken(shop, request, "orders:write");
  const operation = parseOrderOperation(type, await readRequestBody(request, { forms: false }, true));
  if (request.headers["if-match"] === undefined && needsRevision(operation))
    throw new Problem("revision_required", 'Send the revision of the order that you read, such as If-Match: "3".');
  const revisions = parseRevisions(request);
  const { order } = await shop.checkouts.orders.change(parseOrderKey(request), operation, {
    by: { source: "api", token: { id, name } },
    now: request.now,
    ...(revisions === undefined ? {} : { revisions }),
  });
  return createOrderReply(shop, order);
}

/**
 * Reports whether a repeated request would change the order a second time. This applies to refunds and partial
 * shipments.
 */
function needsRevision(operation: OrderOperation): boolean {
  return operation.type === "refund" || (operation.type === "ship" && operation.items !== undefined);
}

function createOrderReply(shop: OrderApiServices, order: Order): Reply {
  return createJsonReply(200, { order: shop.checkouts.orders.describe(order) }, { etag: `"${order.revision}"` });
}

const MAX_ORDERS = 100;
const DEFAULT_LIMIT = 50;
const MAX_SEARCH_LENGTH = 100;

async function findOrder(shop: OrderApiServices, request: StoreRequest): Promise<Order> {
  const { orders } = shop.checkouts;
  const key = parseOrderKey(request);
  const order = await awaitWithDeadline(orders.find(key));
  if (order === undefined) throw new Problem("not_found", "There is no order with this id or number.");
  return order;
}

/** Returns the order number or id in the path. Ids are longer than 15 digits. */
function parseOrderKey({ params: { id = "" } }: StoreRequest): string | number {
  return /^\d{1,15}$/.test(id) ? Number(id) : id;
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
  const parseChoice = <T extends string>(field: string, ...allowedValues: readonly T[]): T | undefined => {
    const text = query.get(field);
    if (text === null) return undefined;
    return (
      allowedValues.find((candidate) => candidate === text) ??
      addError(field, "enum", `${field} is ${allowedValues.join(" or ")}.`)
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
  const search = query.get("q") ?? "";
  if (search.length > MAX_SEARCH_LENGTH) addError("q", "length", `q has at most ${MAX_SEARCH_LENGTH} characters.`);
  const lastOrderNumber = parseInteger("after", 0, Number.MAX_SAFE_INTEGER, 0);
  const filter = {
    ...(search === "" ? {} : { search }),
    state: parseChoice("state", "open", "cancelled"),
    payment: parseChoice("payment_state", "unpaid", "paid"),
    shipment: parseChoice("shipment_state", "unshipped", "partial", "shipped"),
    updatedSince: parseTime("updated_since"),
    createdSince: parseTime("created_since"),
    createdBefore: parseTime("created_before"),
    ...(lastOrderNumber === 0 ? {} : { afterNumber: lastOrderNumber }),
    isNewestFirst: parseChoice("sort", "oldest", "newest") === "newest",
    limit: parseInteger("limit", 1, MAX_ORDERS, DEFAULT_LIMIT),
  };
  if (errors.length > 0) throw createFieldsProblem(errors);
  return filter;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
