import { formatVariantTitle } from "../../../catalog/catalog.ts";
import { computeTotalPrice, formatAddressLines } from "../../../checkout/checkout-snapshot.ts";
import { formatInvoiceTitle } from "../../../checkout/invoice-content.ts";
import { countShippedUnits, type DueRefund, listNonEmptyProperties, type Order } from "../../../checkout/order.ts";
import { orderOperations, parseOrderOperation } from "../../../checkout/order-operations.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { formatTaxRate } from "../../../pricing/taxes.ts";
import { Problem } from "../../../problem.ts";
import { createInvoiceReply } from "../../checkout/invoice-page.ts";
import { listPrintableInvoices, type PrintableInvoice } from "../../checkout/shown-order.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  parseNumber,
  renderRejection,
} from "../console-page.ts";
import { getChangeSource } from "../console-session.ts";
import { type ConsoleTexts, explainScope, renderNotice } from "../console-texts.ts";
import { type Markup, type MarkupValue, markup, renderFacts } from "../markup.ts";
import { readOperationFields, renderOrderForms } from "./order-forms.ts";
import { renderTimeline } from "./order-timeline.ts";
import { formatTotal, getPaymentStatus, renderStatus } from "./orders.ts";

/**
 * Handles `POST /admin/orders/<number>`: applies the operation of a form, such as a refund. If it fails, the page shows
 * the error, and the form with the submitted values.
 */
export async function changeOrder(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { request, session, texts, form } = visit;
  const type = orderOperations.find((name) => name === form.operation);
  const revision = parseNumber(form.revision);
  if (type === undefined || revision === undefined) throw new Problem("bad_request", "Unknown operation.");
  const order = await findOrder(shop, request);
  try {
    const operation = parseOrderOperation(type, readOperationFields(type, form, order, texts.language));
    const { by } = getChangeSource(session);
    await shop.checkouts.orders.change(order.id, operation, { by, now: request.now, revisions: [revision] });
    return type === "delete" ? "/admin/orders?done=delete" : `/admin/orders/${order.number}?done=${type}`;
  } catch (error) {
    return renderRejection(texts, error, (alert) => showOrderDetails(shop, visit, alert, form), {
      order_changed: texts.get("order.changed"),
    });
  }
}

/**
 * Renders `GET /admin/orders/<number>/invoices/<invoice>`, with or without ".pdf": an invoice or credit note, as the
 * customer sees it.
 */
export async function showInvoice(shop: ConsoleServices, { request }: ConsoleVisit): Promise<Reply> {
  const { id } = await findOrder(shop, request);
  return createInvoiceReply(shop, id, request.params.invoice);
}

/** Finds the order whose number is in the path.  @throws Problem `not_found` */
export async function findOrder(shop: ConsoleServices, request: StoreRequest): Promise<Order> {
  const number = parseNumber(request.params.number);
  const order = number === undefined ? undefined : await awaitWithDeadline(shop.checkouts.orders.find(number));
  if (order === undefined) throw new Problem("not_found", "No order has this number.");
  return order;
}

const notices: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["pay", "order.payDone"],
  ["ship", "order.shipDone"],
  ["cancel", "order.cancelDone"],
  ["refund", "order.refundDone"],
  ["note", "order.noteDone"],
  ["email", "order.emailDone"],
]);

/**
 * Renders `GET /admin/orders/<number>`: one order, with forms for its operations.
 * @param submittedForm fields of a rejected form
 */
export async function showOrderDetails(
  shop: ConsoleServices,
  { request, session, texts }: ConsoleVisit,
  notice: MarkupValue = renderNotice(texts, notices.get(request.query.get("done") ?? "")),
  submittedForm: Readonly<Record<string, unknown>> = {},
): Promise<ConsolePage> {
  const order = await findOrder(shop, request);
  const { orders } = shop.checkouts;
  const [refundsDue, log, invoices] = await awaitWithDeadline(
    Promise.all([orders.listRefundsDue(order.id), orders.readLog(order.id), listPrintableInvoices(orders, order.id)]),
  );
  const sendsEmail = shop.config.mail.smtp !== undefined;
  const forms = session.token.scopes.includes("orders:write")
    ? renderOrderForms({ session, texts }, order, { refundsDue, sendsEmail, submittedFields: submittedForm })
    : markup`<p class="muted">${explainScope(texts, "orders:write")}</p>`;
  return {
    title: texts.get("order.title", { number: String(order.number) }),
    body: markup`${notice}${renderOrderFacts(shop, texts, order, refundsDue)}${renderItems(texts, order)}${renderLinks(texts, order, invoices)}${forms}
<h2>${texts.get("order.timeline")}</h2>${renderTimeline(texts, order, log, shop.config.timezone)}`,
  };
}

function renderLinks(texts: ConsoleTexts, { number, shipments }: Order, invoices: readonly PrintableInvoice[]): Markup {
  const invoiceLinks = invoices.map((invoice) => {
    const path = `/admin/orders/${number}/invoices/${encodeURIComponent(invoice.number)}`;
    const title = formatInvoiceTitle(invoice, texts.language);
    const pdfLink =
      invoice.hasPdf && markup` (<a href="${path}.pdf" aria-label="${texts.get("order.pdfOf", { title })}">PDF</a>)`;
    return markup`<a href="${path}">${title}</a>${pdfLink} · `;
  });
  const packingSlipPath = `/admin/orders/${number}/packing-slip`;
  const packingSlipLinks = shipments.map(
    (_, index) =>
      markup` · <a href="${packingSlipPath}?shipment=${index + 1}">${texts.get("order.packingSlipOf", { number: index + 1 })}</a>`,
  );
  return markup`<p>${invoiceLinks}<a href="${packingSlipPath}">${texts.get("order.packingSlip")}</a>${packingSlipLinks} · <a href="/admin/orders">${texts.get("nav.orders")}</a></p>`;
}

function renderOrderFacts(
  { config }: ConsoleServices,
  texts: ConsoleTexts,
  order: Order,
  refundsDue: readonly DueRefund[],
): Markup {
  const { priced, delivery } = order.content;
  const formatAmount = (amount: number): string => texts.formatMoney(amount, priced.currency);
  const address = delivery?.address;
  const rows: readonly (readonly [ConsoleMessageKey, MarkupValue])[] = [
    ["labels.status", renderStatus(texts, order)],
    ["order.placed", texts.renderTime(order.createdAt, config.timezone)],
    ["order.total", formatTotal(texts, order)],
    ["setup.payment", describePayment(texts, order, refundsDue)],
    ...refundsDue.map(
      ({ amount, reference }) => ["order.refundDue", `${formatAmount(amount)} · ${reference}`] as const,
    ),
    ["fields.author", delivery?.name],
    ["invoice.vatId", delivery?.vatId],
    ["fields.email", delivery?.email],
    [
      "policies.address",
      address &&
        formatAddressLines({ ...address, phone: "" }, texts.language).map((line, index) => [
          index > 0 && markup`<br>`,
          markup`<bdi>${line}</bdi>`,
        ]),
    ],
    ["policies.phone", address?.phone && markup`<bdi>${address.phone}</bdi>`],
    ["mails.note", priced.cart.note && markup`<bdi>${priced.cart.note}</bdi>`],
    ["order.reference", order.reference],
    ["order.id", markup`<bdi>${order.id}</bdi>`],
  ];
  return renderFacts(rows.map(([name, value]) => [texts.get(name), value]));
}

function describePayment(texts: ConsoleTexts, order: Order, refundsDue: readonly DueRefund[]): string {
  const { state, payment, content } = order;
  const paymentStatus = texts.get(getPaymentStatus(order));
  const status =
    content.bankTransfer === undefined ? paymentStatus : `${texts.get("payments.bankTransfer")}: ${paymentStatus}`;
  if (refundsDue.length > 0) return `${status}, ${texts.get("order.refundDue").toLocaleLowerCase(texts.language)}`;
  // Earlier versions of the software did not store refund amounts, so a paid order that was canceled is "Refunded".
  return state === "cancelled" && payment === "paid" && content.amount > 0 ? texts.get("orders.refunded") : status;
}

function renderItems(texts: ConsoleTexts, order: Order): Markup {
  const { priced } = order.content;
  const rows = priced.lines.map(({ line, product, variant, finalLinePrice, discounts }) => {
    const variantName = formatVariantTitle({ product, variant });
    const lineTexts = [
      ...(variantName === undefined ? [] : [variantName]),
      ...listNonEmptyProperties(line),
      ...discounts.map(
        ({ title, amount }) =>
          `${texts.get("mails.discount")} ${title}: ${texts.formatMoney(-amount, priced.currency)}`,
      ),
    ];
    const details = lineTexts.map((text) => markup`<div class="muted"><bdi>${text}</bdi></div>`);
    return markup`<tr><th scope="row"><a href="/admin/products/${encodeURIComponent(product.handle)}">${line.parentKey === undefined ? "" : "+ "}<bdi>${product.title}</bdi></a>${details}</th><td class="number">${texts.formatNumber(line.quantity)}</td><td class="number">${texts.formatNumber(countShippedUnits(order.shipments, line.key))}</td><td class="number">${texts.formatMoney(finalLinePrice, priced.currency)}</td></tr>`;
  });
  return markup`<table><caption>${texts.get("order.items")}</caption><thead><tr><th scope="col">${texts.get("labels.product")}</th><th scope="col" class="number">${texts.get("invoice.quantity")}</th><th scope="col" class="number">${texts.get("orders.fulfilled")}</th><th scope="col" class="number">${texts.get("facets.price")}</th></tr></thead><tbody>${rows}</tbody><tfoot>${renderTotals(texts, order)}</tfoot></table>`;
}

/** Renders the amounts from the subtotal of the items to the amount due, as rows of the table of items. */
function renderTotals(texts: ConsoleTexts, { content, payment }: Order): readonly Markup[] {
  const { priced, delivery, taxes, amount } = content;
  const total = computeTotalPrice(content);
  const taxKey = taxes?.isIncluded === true ? "mails.taxIncluded" : "mails.taxAdded";
  const taxRows = (taxes?.rates ?? []).map(
    (tax) => [texts.get(taxKey, { rate: formatTaxRate(tax.percent, texts.language) }), tax.amount] as const,
  );
  const totalRow = [texts.get("mails.total"), total] as const;
  const rows: readonly (readonly [label: MarkupValue, amount: number])[] = [
    [texts.get("mails.subtotal"), priced.itemsSubtotal],
    ...priced.discounts.map(
      (discount) => [markup`${texts.get("mails.discount")} <bdi>${discount.title}</bdi>`, -discount.amount] as const,
    ),
    ...(delivery?.rate === undefined
      ? []
      : [[markup`${texts.get("mails.delivery")} <bdi>${delivery.rate.code}</bdi>`, delivery.rate.price] as const]),
    ...(taxes?.isIncluded === true ? [totalRow, ...taxRows] : [...taxRows, totalRow]),
    ...(amount === total
      ? []
      : [
          [texts.get("mails.balance"), amount - total] as const,
          [texts.get(payment === "paid" ? "mails.paid" : "mails.toPay"), amount] as const,
        ]),
  ];
  return rows.map(
    ([label, units]) =>
      markup`<tr><th scope="row" colspan="3">${label}</th><td class="number">${texts.formatMoney(units, priced.currency)}</td></tr>`,
  );
}
