import { variantTitle } from "../../catalog/catalog.ts";
import { nonEmptyProperties, type Order, type RefundDue } from "../../checkout/order.ts";
import { formatMoney } from "../../pricing/money.ts";
import { Problem } from "../../problem.ts";
import { withDeadline } from "../deadline.ts";
import { type ConsolePage, type ConsoleShop, type ConsoleVisit, renderTime } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

/** Number of orders on a page. */
const ORDERS_PER_PAGE = 50;

/** Renders `GET /admin/orders`: orders, newest first. */
export async function orderList(shop: ConsoleShop, { request }: ConsoleVisit): Promise<ConsolePage> {
  const cursor = parseNumber(request.query.get("before"));
  const results = await withDeadline(shop.console.reports.listOrders(ORDERS_PER_PAGE + 1, cursor));
  const orders: Order[] = [];
  for (const readOrder of results.slice(0, ORDERS_PER_PAGE)) {
    // Rendering an order with hundreds of lines takes long, so other requests can run between two orders.
    await shop.process.scheduler.yield("background");
    orders.push(readOrder());
  }
  const rows = orders.map(
    (order) =>
      markup`<tr><th scope="row"><a href="/admin/orders/${order.number}">${order.number}</a></th><td>${renderTime(order.createdAt, shop.config.timezone)}</td><td>${order.content.delivery?.email ?? ""}</td><td>${stateOf(order)}</td><td class="number">${totalOf(order)}</td></tr>`,
  );
  const list =
    rows.length === 0
      ? markup`<p class="muted">No orders${cursor === undefined ? " yet" : ""}.</p>`
      : markup`<table><thead><tr><th scope="col">Order</th><th scope="col">Placed</th><th scope="col">Customer</th><th scope="col">Status</th><th scope="col" class="number">Total</th></tr></thead><tbody>${rows}</tbody></table>`;
  const olderLink =
    results.length > ORDERS_PER_PAGE &&
    markup`<p><a href="/admin/orders?before=${orders.at(-1)?.number}">Older orders</a></p>`;
  return { title: "Orders", body: markup`${list}${olderLink}` };
}

/** Renders `GET /admin/orders/<number>`: one order. */
export async function orderDetails(shop: ConsoleShop, { request }: ConsoleVisit): Promise<ConsolePage> {
  const number = parseNumber(request.params.number ?? null);
  const order = number === undefined ? undefined : await withDeadline(shop.checkouts.orders.findByNumber(number));
  if (order === undefined) throw new Problem("not_found", "No order has this number.");
  const refunds = await withDeadline(shop.checkouts.orders.listRefundsDue(order.id));
  const { priced, delivery, taxes } = order.content;
  const formatAmount = (amount: number): string => formatMoney(amount, priced.currency, "en");
  const rows = priced.lines.map(
    ({ line, product, variant, finalLinePrice }) =>
      markup`<tr><th scope="row"><a href="/admin/products/${encodeURIComponent(product.handle)}">${product.title}</a></th><td>${variantTitle({ product, variant }) ?? ""}</td><td>${nonEmptyProperties(line).map((property) => markup`<div>${property}</div>`)}</td><td class="number">${line.quantity}</td><td class="number">${formatAmount(finalLinePrice)}</td></tr>`,
  );
  const address = delivery?.address;
  const { timezone } = shop.config;
  const detailRows: readonly (readonly [string, Markup | string | undefined])[] = [
    ["Status", stateOf(order)],
    ["Placed", renderTime(order.createdAt, timezone)],
    ["Updated", renderTime(order.updatedAt, timezone)],
    ["Total", totalOf(order)],
    ["Payment", paymentOf(order, refunds)],
    ...refunds.map(({ amount, reference }) => ["Refund due", `${formatAmount(amount)}, ${reference}`] as const),
    ["Tax", taxes === undefined ? undefined : formatAmount(taxes.total)],
    [
      "Shipping",
      delivery?.rate === undefined ? undefined : `${delivery.rate.code}, ${formatAmount(delivery.rate.price)}`,
    ],
    ["Name", delivery?.name],
    ["Email", delivery?.email],
    [
      "Address",
      address &&
        [address.address1, address.address2, `${address.zip} ${address.city}`, address.province, address.country]
          .filter((part) => part.trim() !== "")
          .join(", "),
    ],
    ["Phone", address?.phone],
    ["Note", priced.cart.note],
    ["Reference", order.reference],
    ["ID", order.id],
  ];
  const details = detailRows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [markup`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  );
  const notes = order.notes.map(({ at, text }) => markup`<li>${renderTime(at, timezone)}: ${text}</li>`);
  return {
    title: `Order ${order.number}`,
    body: markup`<dl class="facts">${details}</dl>
<table><caption>Items</caption><thead><tr><th scope="col">Product</th><th scope="col">Variant</th><th scope="col">Properties</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Price</th></tr></thead><tbody>${rows}</tbody></table>
${notes.length > 0 && markup`<h2>Notes</h2><ul>${notes}</ul>`}
${order.state === "open" && markup`<p class="muted">To cancel this order, run <code>vitrine orders cancel ${order.number}</code>.</p>`}
${refunds.length > 0 && markup`<p class="muted">To record the refund, run <code>vitrine orders refund-note ${order.number} --note TEXT</code>.</p>`}<p><a href="/admin/orders">All orders</a></p>`,
  };
}

function stateOf({ state, payment }: Order): Markup {
  const label = state === "cancelled" ? "Canceled" : paymentLabels[payment];
  return markup`<span class="badge">${label}</span>`;
}

const paymentLabels = { unpaid: "Unpaid", paid: "Paid" } as const;

function paymentOf({ state, payment, content }: Order, refunds: readonly RefundDue[]): string {
  if (refunds.length > 0) return `${paymentLabels[payment]}, refund due`;
  return state === "cancelled" && payment === "paid" && content.amount > 0 ? "Refunded" : paymentLabels[payment];
}

function totalOf({ content }: Order): string {
  return formatMoney(content.amount, content.priced.currency, "en");
}

function parseNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
