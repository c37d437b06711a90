import { formatVariantTitle } from "../../../catalog/catalog.ts";
import { formatAddressLines } from "../../../checkout/checkout-snapshot.ts";
import { formatInvoiceTitle } from "../../../checkout/invoice-content.ts";
import { countShippedUnits, type DueRefund, listNonEmptyProperties, type Order } from "../../../checkout/order.ts";
import { orderOperations, parseOrderOperation } from "../../../checkout/order-operations.ts";
import { formatMoney } from "../../../pricing/money.ts";
import { Problem } from "../../../problem.ts";
import { listPrintableInvoices, type PrintableInvoice } from "../../checkout/shown-order.ts";
import { raceDeadline } from "../../deadline.ts";
import { errorStatuses } from "../../error-responses.ts";
import type { StoreRequest } from "../../wire/request.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  renderTime,
} from "../console-page.ts";
import { explainScope, getChangeSource } from "../console-session.ts";
import { type Markup, markup } from "../markup.ts";
import { readOperationFields, renderOrderForms } from "./order-forms.ts";
import { renderTimeline } from "./order-timeline.ts";
import { formatTotal, getPaymentStatus, parseNumber, renderStatus } from "./orders.ts";

/** Renders `GET /admin/orders/<number>`: one order, with forms for its operations. */
export async function showOrderDetails(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const notice = notices[visit.request.query.get("done") ?? ""];
  return renderOrderPage(shop, visit, notice && markup`<p class="done" role="status">${notice}</p>`);
}

/**
 * Handles `POST /admin/orders/<number>`: applies the operation of a form, such as a refund. If it fails, the page shows
 * the error, and the form with the submitted values.
 */
export async function changeOrder(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { request, session, form } = visit;
  const type = orderOperations.find((name) => name === form.operation);
  const revision = parseNumber(typeof form.revision === "string" ? form.revision : undefined);
  if (type === undefined || revision === undefined) throw new Problem("bad_request", "Unknown operation.");
  const order = await findOrder(shop, request);
  try {
    const operation = parseOrderOperation(type, readOperationFields(type, form, order));
    const { by } = getChangeSource(session);
    await shop.checkouts.orders.change(order.id, operation, { by, now: request.now, revisions: [revision] });
    return type === "delete" ? "/admin/orders" : `/admin/orders/${order.number}?done=${type}`;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message =
      error.code === "order_changed"
        ? "Someone else changed this order. This is the current version. Make your change again."
        : error.message;
    const alert = markup`<p class="fault" role="alert">${message}</p>`;
    return { ...(await renderOrderPage(shop, visit, alert, form)), status: errorStatuses[error.code][0] };
  }
}

/** Finds the order whose number is in the path.  @throws Problem `not_found` */
export async function findOrder(shop: ConsoleServices, request: StoreRequest): Promise<Order> {
  const number = parseNumber(request.params.number);
  const order = number === undefined ? undefined : await raceDeadline(shop.checkouts.orders.findByNumber(number));
  if (order === undefined) throw new Problem("not_found", "No order has this number.");
  return order;
}

const notices: Readonly<Record<string, string>> = {
  pay: "Payment recorded.",
  ship: "Shipment recorded.",
  cancel: "Order canceled. Its stock was returned.",
  refund: "Refund recorded.",
  note: "Note added.",
  email: "The email will be sent within seconds.",
};

/** @param submittedForm fields of a rejected form */
async function renderOrderPage(
  shop: ConsoleServices,
  { request, session }: ConsoleVisit,
  notice?: Markup | string,
  submittedForm: Readonly<Record<string, unknown>> = {},
): Promise<ConsolePage> {
  const order = await findOrder(shop, request);
  const { orders } = shop.checkouts;
  const [refundsDue, log, invoices] = await raceDeadline(
    Promise.all([orders.listRefundsDue(order.id), orders.readLog(order.id), listPrintableInvoices(orders, order.id)]),
  );
  const sendsEmail = shop.config.mail.smtp !== undefined;
  const forms = session.token.scopes.includes("orders:write")
    ? renderOrderForms(session, order, { refundsDue, sendsEmail, submitted: submittedForm })
    : markup`<p class="muted">${explainScope("orders:write")}</p>`;
  return {
    title: `Order ${order.number}`,
    body: markup`${notice}${renderFacts(shop, order, refundsDue)}${renderItems(order)}${renderLinks(order, invoices)}${forms}
<h2>Timeline</h2>${renderTimeline(order, log, shop.config.timezone)}`,
  };
}

function renderLinks({ number, shipments }: Order, invoices: readonly PrintableInvoice[]): Markup {
  const invoiceLinks = invoices.map((invoice) => {
    const path = `/admin/orders/${number}/invoices/${encodeURIComponent(invoice.number)}`;
    const title = formatInvoiceTitle(invoice, "en");
    const pdfLink = invoice.hasPdf && markup` (<a href="${path}.pdf" aria-label="PDF of ${title}">PDF</a>)`;
    return markup`<a href="${path}">${title}</a>${pdfLink} · `;
  });
  const packingSlipPath = `/admin/orders/${number}/packing-slip`;
  const packingSlipLinks = shipments.map(
    (_, index) =>
      markup` · <a href="${packingSlipPath}?shipment=${index + 1}">Packing slip of shipment ${index + 1}</a>`,
  );
  return markup`<p>${invoiceLinks}<a href="${packingSlipPath}">Packing slip</a>${packingSlipLinks} · <a href="/admin/orders">All orders</a></p>`;
}

function renderFacts({ config }: ConsoleServices, order: Order, refundsDue: readonly DueRefund[]): Markup {
  const { priced, delivery, taxes } = order.content;
  const formatAmount = (amount: number): string => formatMoney(amount, priced.currency, "en");
  const address = delivery?.address;
  const rows: readonly (readonly [string, Markup | string | undefined])[] = [
    ["Status", renderStatus(order)],
    ["Placed", renderTime(order.createdAt, config.timezone)],
    ["Total", formatTotal(order)],
    ["Payment", paymentOf(order, refundsDue)],
    ...refundsDue.map(({ amount, reference }) => ["Refund due", `${formatAmount(amount)}, ${reference}`] as const),
    ["Tax", taxes === undefined ? undefined : formatAmount(taxes.total)],
    [
      "Shipping",
      delivery?.rate === undefined ? undefined : `${delivery.rate.code}, ${formatAmount(delivery.rate.price)}`,
    ],
    ["Name", delivery?.name],
    ["VAT ID", delivery?.vatId],
    ["Email", delivery?.email],
    [
      "Address",
      address &&
        markup`${formatAddressLines({ ...address, phone: "" }, "en").map((line, index) => markup`${index > 0 && markup`<br>`}<bdi>${line}</bdi>`)}`,
    ],
    ["Phone", address?.phone],
    ["Note", priced.cart.note],
    ["Reference", order.reference],
    ["ID", order.id],
  ];
  const details = rows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [markup`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  );
  return markup`<dl class="facts">${details}</dl>`;
}

function paymentOf(order: Order, refundsDue: readonly DueRefund[]): string {
  const { state, payment, content } = order;
  if (refundsDue.length > 0) return `${getPaymentStatus(order)}, refund due`;
  // Earlier versions of the software did not store refund amounts, so a paid order that was canceled is "Refunded".
  return state === "cancelled" && payment === "paid" && content.amount > 0 ? "Refunded" : getPaymentStatus(order);
}

function renderItems(order: Order): Markup {
  const { priced } = order.content;
  const rows = priced.lines.map(({ line, product, variant, finalLinePrice }) => {
    const variantName = formatVariantTitle({ product, variant });
    const texts = [...(variantName === undefined ? [] : [variantName]), ...listNonEmptyProperties(line)];
    const details = texts.map((text) => markup`<div class="muted">${text}</div>`);
    return markup`<tr><th scope="row"><a href="/admin/products/${encodeURIComponent(product.handle)}">${line.parentKey === undefined ? "" : "+ "}${product.title}</a>${details}</th><td class="number">${line.quantity}</td><td class="number">${countShippedUnits(order.shipments, line.key)}</td><td class="number">${formatMoney(finalLinePrice, priced.currency, "en")}</td></tr>`;
  });
  return markup`<table><caption>Items</caption><thead><tr><th scope="col">Product</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Shipped</th><th scope="col" class="number">Price</th></tr></thead><tbody>${rows}</tbody></table>`;
}
