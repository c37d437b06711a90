import { addDays, createDayConverter, isIsoDay } from "../../../catalog/rows/zoned-dates.ts";
import { computeTotalPrice } from "../../../checkout/checkout-snapshot.ts";
import { getShipmentState, type Order, sumRefunds } from "../../../checkout/order.ts";
import type { OrderFilter } from "../../../checkout/orders.ts";
import { formatOrderLines, ordersCsvHeader } from "../../../checkout/orders-csv.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { readPage } from "../../read-page.ts";
import { createCsvReply, type Reply } from "../../wire/reply.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  limitFieldText,
  parseNumber,
} from "../console-page.ts";
import { type ConsoleTexts, renderNotice, renderPageLinks } from "../console-texts.ts";
import { type Markup, markup, renderOptions, renderSelect } from "../markup.ts";

/** Number of orders on a page. */
const ORDERS_PER_PAGE = 50;

/** Renders `GET /admin/orders`: orders, newest first, with search and filters. */
export async function showOrderList(shop: ConsoleServices, { request, texts }: ConsoleVisit): Promise<ConsolePage> {
  const { timezone } = shop.config;
  const isDeleted = request.query.get("done") === "delete";
  const fields = readFields(request.query);
  const pageCursor = parseNumber(request.query.get("after"));
  const filter = {
    ...createOrderFilter(fields, timezone),
    ...{ afterNumber: pageCursor, isNewestFirst: true },
  };
  const { items, lastItem } = await readPage(ORDERS_PER_PAGE, (limit) =>
    shop.checkouts.orders.list({ ...filter, limit }),
  );
  const orders: Order[] = [];
  for (const readOrder of items) {
    // Rendering an order with hundreds of lines takes long, so other requests can run between two orders.
    await shop.process.scheduler.yield("background");
    orders.push(readOrder());
  }
  const rows = orders.map(
    (order) =>
      markup`<tr><th scope="row"><a href="/admin/orders/${order.number}">${order.number}</a></th><td>${texts.renderTime(order.createdAt, timezone)}</td><td>${customerOf(order)}</td><td>${renderStatus(texts, order)}</td><td class="number">${formatTotal(texts, order)}</td></tr>`,
  );
  const isFiltered =
    Object.entries(fields).some(([name, value]) => name !== "status" && value !== "") || fields.status !== "all";
  const list =
    rows.length === 0
      ? markup`<p class="muted" role="status">${texts.get(isFiltered || pageCursor !== undefined ? "order.none" : "order.noneYet")}</p>`
      : markup`<table class="entries"><thead><tr><th scope="col">${texts.get("order.order")}</th><th scope="col">${texts.get("order.placed")}</th><th scope="col">${texts.get("order.customer")}</th><th scope="col">${texts.get("labels.status")}</th><th scope="col" class="number">${texts.get("order.total")}</th></tr></thead><tbody>${rows}</tbody></table>`;
  const nextQuery = new URLSearchParams({ ...fields, after: String(orders.at(-1)?.number) });
  const pageLinks = renderPageLinks(texts, { next: lastItem && `/admin/orders?${nextQuery}` });
  const exportLink =
    rows.length > 0 &&
    markup`<p><a href="/admin/orders/export.csv?${new URLSearchParams(fields).toString()}">${texts.get("order.csv")}</a></p>`;
  return {
    title: texts.get("nav.orders"),
    body: markup`${renderNotice(texts, isDeleted ? "order.deleteDone" : undefined)}${renderSearchForm(texts, fields)}${list}${pageLinks}${exportLink}`,
  };
}

/** Handles `GET /admin/orders/export.csv`: the items of all matching orders but test orders, oldest order first. */
export async function downloadOrders(shop: ConsoleServices, { request }: ConsoleVisit): Promise<Reply> {
  const filter = createOrderFilter(readFields(request.query), shop.config.timezone);
  const parts = [ordersCsvHeader];
  for (let afterNumber = 0; ; ) {
    const results = await awaitWithDeadline(
      shop.checkouts.orders.list({ ...filter, afterNumber, limit: ORDERS_PER_PAGE }),
    );
    for (const readOrder of results) {
      await shop.process.scheduler.yield("background");
      const order = readOrder();
      afterNumber = order.number;
      if (order.content.isTest === true) continue;
      parts.push(formatOrderLines(order, await awaitWithDeadline(shop.checkouts.orders.listInvoices(order.id))));
    }
    if (results.length < ORDERS_PER_PAGE) break;
  }
  return createCsvReply("orders.csv", parts);
}

/** Renders the payment and shipping status of an order. */
export function renderStatus(texts: ConsoleTexts, order: Order): Markup {
  const testBadge = order.content.isTest === true && markup`<span class="badge">${texts.get("order.test")}</span> `;
  if (order.state === "cancelled")
    return markup`${testBadge}<span class="badge">${texts.get("labels.canceled")}</span>`;
  const state = getShipmentState(order);
  return markup`${testBadge}<span class="badge">${texts.get(getPaymentStatus(order))}</span>${state !== "unshipped" && markup` <span class="badge">${texts.get(state === "shipped" ? "orders.fulfilled" : "orders.partial")}</span>`}`;
}

export function getPaymentStatus(order: Order): ConsoleMessageKey {
  const refundedTotal = sumRefunds(order);
  if (order.payment === "unpaid") return "labels.unpaid";
  if (refundedTotal === 0) return "orders.paid";
  return refundedTotal < order.content.amount ? "orders.partially_refunded" : "orders.refunded";
}

export function formatTotal(texts: ConsoleTexts, { content }: Order): string {
  return texts.formatMoney(computeTotalPrice(content), content.priced.currency);
}

const statusFilters = {
  all: {},
  unpaid: { state: "open", payment: "unpaid" },
  to_ship: { state: "open", shipment: "open" },
  shipped: { state: "open", shipment: "shipped" },
  refund_due: { hasRefundDue: true },
  canceled: { state: "cancelled" },
} as const satisfies Readonly<Record<string, Omit<OrderFilter, "limit">>>;

type StatusFilter = keyof typeof statusFilters;

const statusNames: Readonly<Record<StatusFilter, ConsoleMessageKey>> = {
  all: "order.all",
  unpaid: "labels.unpaid",
  to_ship: "order.toShip",
  shipped: "orders.fulfilled",
  refund_due: "order.refundDue",
  canceled: "labels.canceled",
};

interface SearchFields extends Readonly<Record<string, string>> {
  readonly q: string;
  readonly status: StatusFilter;
  /** First and last day, such as 2026-11-01; "" for no limit. */
  readonly from: string;
  readonly to: string;
}

function readFields(query: URLSearchParams): SearchFields {
  const readDay = (name: string): string => {
    const text = query.get(name) ?? "";
    return isIsoDay(text) ? text : "";
  };
  const status = query.get("status") ?? "";
  return {
    q: limitFieldText(query.get("q"), 100),
    status: Object.hasOwn(statusFilters, status) ? (status as StatusFilter) : "all",
    ...{ from: readDay("from"), to: readDay("to") },
  };
}

function createOrderFilter(fields: SearchFields, timezone: string): Omit<OrderFilter, "limit"> {
  return {
    ...statusFilters[fields.status],
    ...(fields.q === "" ? {} : { search: fields.q }),
    ...createDateFilter(fields, timezone),
  };
}

function createDateFilter(
  { from, to }: SearchFields,
  timezone: string,
): Pick<OrderFilter, "createdSince" | "createdBefore"> {
  const getDayStart = (day: string): number => Date.parse(createDayConverter(timezone)(day));
  return {
    ...(from === "" ? {} : { createdSince: getDayStart(from) }),
    ...(to === "" ? {} : { createdBefore: getDayStart(addDays(to, 1)) }),
  };
}

function renderSearchForm(texts: ConsoleTexts, { q, status, from, to }: SearchFields): Markup {
  const names = Object.entries(statusNames).map(([value, name]) => [value, texts.get(name)] as const);
  return markup`<form action="/admin/orders" class="panel row" role="search"><div class="grow"><label for="q">${texts.get("order.search")}</label><input id="q" name="q" type="search" value="${q}" maxlength="100"></div>${renderSelect("status", texts.get("labels.status"), renderOptions(names, status))}<div><label for="from">${texts.get("labels.from")}</label><input id="from" name="from" type="date" value="${from}"></div><div><label for="to">${texts.get("labels.until")}</label><input id="to" name="to" type="date" value="${to}"></div><button>${texts.get("actions.search")}</button></form>`;
}

function customerOf({ content: { delivery } }: Order): Markup | string {
  return delivery === undefined
    ? ""
    : markup`<bdi>${delivery.name}</bdi><br><bdi class="muted">${delivery.email}</bdi>`;
}
