import { createHash } from "node:crypto";
import type { Invoice, InvoiceDocument, InvoiceParty } from "../../checkout/invoice.ts";
import type { Orders } from "../../checkout/orders.ts";
import { chooseMessagesLanguage, getMessages, type Messages } from "../../messages/messages.ts";
import { getTextDirection } from "../../messages/text-direction.ts";
import { formatMoney } from "../../pricing/money.ts";
import { formatTaxRate } from "../../pricing/taxes.ts";
import { Problem } from "../../problem.ts";
import { type Markup, markup } from "../console/markup.ts";
import { withDeadline } from "../deadline.ts";
import { createHtmlReply, type Reply } from "../wire/reply.ts";
import { renderTransferCode } from "./payment-code.ts";

/** Returns the title of a document in the language of the reader, such as "Invoice 2026-0001". */
export function formatInvoiceTitle({ document, number }: Invoice, locale: string): string {
  return getMessages(locale)(document.kind === "invoice" ? "invoice.title" : "invoice.creditNote", { number });
}

/**
 * Finds a document of an order.
 * @param orderId undefined if the order is unknown
 * @throws Problem `not_found`
 */
export async function findInvoice(orders: Orders, orderId: string | undefined, number = ""): Promise<Invoice> {
  const invoices = orderId === undefined ? [] : await withDeadline(orders.listInvoices(orderId));
  const invoice = invoices.find((candidate) => candidate.number === number);
  if (invoice === undefined) throw new Problem("not_found", "The order has no invoice with this number.");
  return invoice;
}

/** Renders an invoice or credit note as a page to print, in the language of the customer. */
export function createInvoiceReply(invoice: Invoice): Reply {
  const { document, number } = invoice;
  const { locale, seller } = document;
  const messages = getMessages(locale);
  const direction = getTextDirection(locale);
  const title = formatInvoiceTitle(invoice, locale);
  const page = markup`<!doctype html>
<html lang="${chooseMessagesLanguage(locale)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - ${seller.name}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>${renderSeller(document, messages)}</header>
<div class="columns">${renderBuyer(document, messages)}${renderFacts(document, messages)}</div>
<h1>${title}</h1>
${renderSubject(document, messages)}
${document.lines.length > 0 && renderLines(document, messages)}
${renderTotals(document, messages)}
${document.taxes !== undefined && renderTaxes(document, messages)}
${renderPayment(document, number, messages)}
${document.note !== undefined && markup`<p class="note" dir="auto">${document.note}</p>`}
</main>
</body>
</html>
`;
  return createHtmlReply(200, page.text, headers);
}

function renderSeller({ seller }: InvoiceDocument, messages: Messages): Markup {
  const { vatId, taxNumber } = seller;
  return markup`${renderParty(seller)}${renderPairs([
    [messages("invoice.vatId"), vatId],
    [messages("invoice.taxNumber"), taxNumber],
  ])}`;
}

function renderBuyer({ buyer }: InvoiceDocument, messages: Messages): Markup {
  return markup`<section>${buyer !== undefined && markup`<h2>${messages("invoice.billTo")}</h2>${renderParty(buyer)}`}</section>`;
}

function renderParty({ name, address, email }: InvoiceParty): Markup {
  const lines = [...address, ...(email === undefined ? [] : [email])].map((line) => markup`<br><bdi>${line}</bdi>`);
  return markup`<address><strong><bdi>${name}</bdi></strong>${lines}</address>`;
}

function renderFacts(document: InvoiceDocument, messages: Messages): Markup {
  const { issuedAt, payment } = document;
  return renderPairs([
    [messages("invoice.issued"), formatDate(document, issuedAt)],
    [messages("invoice.dueDate"), payment && formatDate(document, payment.dueAt)],
  ]);
}

function renderSubject(document: InvoiceDocument, messages: Messages): Markup {
  const { corrects, orderNumber, seller } = document;
  const order = messages("mails.ordered", { number: orderNumber, shop: seller.name });
  if (corrects === undefined) return markup`<p>${order}</p>`;
  const { number, issuedAt } = corrects;
  return markup`<p>${messages("invoice.corrects", { number, date: formatDate(document, issuedAt) })}</p><p>${order}</p>`;
}

function renderLines(document: InvoiceDocument, messages: Messages): Markup {
  const rows = document.lines.map(({ title, details, discounts, quantity, price, amount }) => {
    const discountTexts = discounts.map(
      (discount) => `${messages("mails.discount")} ${discount.title}: ${formatAmount(document, -discount.amount)}`,
    );
    const extraRows = [...details, ...discountTexts].map((text) => markup`<br><small><bdi>${text}</bdi></small>`);
    return markup`<tr><th scope="row"><bdi>${title}</bdi>${extraRows}</th><td>${quantity.toLocaleString(document.locale)}</td><td>${formatAmount(document, price)}</td><td>${formatAmount(document, amount)}</td></tr>`;
  });
  return renderTable(
    (["invoice.item", "invoice.quantity", "invoice.unitPrice", "invoice.amount"] as const).map((key) => messages(key)),
    rows,
  );
}

function renderTotals(document: InvoiceDocument, messages: Messages): Markup {
  const { lines, discounts, shipping, taxes = [], pricesIncludeTax, total, balance, due, kind } = document;
  const addedTaxes = pricesIncludeTax || lines.length === 0 ? [] : taxes.filter(({ amount }) => amount > 0);
  const rows: readonly (readonly [label: string, amount: number, isStrong?: true])[] = [
    ...(lines.length === 0
      ? []
      : [[messages("mails.subtotal"), lines.reduce((sum, { amount }) => sum + amount, 0)] as const]),
    ...discounts.map(({ title, amount }) => [`${messages("mails.discount")} ${title}`, -amount] as const),
    ...(shipping === undefined ? [] : [[`${messages("mails.delivery")} (${shipping.name})`, shipping.price] as const]),
    ...addedTaxes.map(
      ({ percent, amount }) =>
        [messages("mails.taxAdded", { rate: formatTaxRate(percent, document.locale) }), amount] as const,
    ),
    [messages("mails.total"), total, true],
    ...(balance === 0 ? [] : [[messages("mails.balance"), -balance] as const]),
    ...(kind === "credit_note"
      ? []
      : [
          ...(due === 0 && balance < total ? [[messages("mails.paid"), balance - total] as const] : []),
          [messages("mails.toPay"), due, true] as const,
        ]),
  ];
  const renderedRows = rows.map(
    ([label, amount, isStrong]) =>
      markup`<tr${isStrong === true && markup` class="strong"`}><th scope="row"><bdi>${label}</bdi></th><td>${formatAmount(document, amount)}</td></tr>`,
  );
  return markup`<table class="totals"><tbody>${renderedRows}</tbody></table>`;
}

function renderTaxes(document: InvoiceDocument, messages: Messages): Markup {
  const rows = (document.taxes ?? []).map(({ percent, netAmount, amount }) => {
    const amounts = [netAmount, amount, netAmount + amount].map(
      (part) => markup`<td>${formatAmount(document, part)}</td>`,
    );
    return markup`<tr><th scope="row">${formatTaxRate(percent, document.locale)}</th>${amounts}</tr>`;
  });
  return renderTable(
    [messages("invoice.taxRate"), messages("invoice.netAmount"), messages("invoice.tax"), messages("mails.total")],
    rows,
  );
}

function renderPayment(document: InvoiceDocument, number: string, messages: Messages): Markup | undefined {
  const { payment, due, currency } = document;
  if (payment?.iban === undefined) return undefined;
  const { accountHolder, iban, bic } = payment;
  const code =
    currency === "EUR" && due <= MAX_AMOUNT
      ? markup`<figure>${renderTransferCode({ accountHolder, iban, bic, amount: due, reference: number }, messages("invoice.scan"))}<figcaption>${messages("invoice.scan")}</figcaption></figure>`
      : undefined;
  const pairs = renderPairs([
    [messages("invoice.accountHolder"), accountHolder],
    ["IBAN", iban.replace(/.{4}(?=.)/g, "$& ")],
    ["BIC", bic],
    [messages("invoice.reference"), number],
    [messages("mails.toPay"), formatAmount(document, due)],
  ]);
  return markup`<section class="columns payment">${pairs}${code}</section>`;
}

function renderPairs(pairs: readonly (readonly [name: string, value: string | undefined])[]): Markup {
  const rows = pairs.flatMap(([name, value]) =>
    value === undefined ? [] : [markup`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`],
  );
  return markup`<dl>${rows}</dl>`;
}

function renderTable(columns: readonly string[], rows: readonly Markup[]): Markup {
  const cells = columns.map((column) => markup`<th scope="col">${column}</th>`);
  return markup`<table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table>`;
}

function formatAmount({ currency, locale }: InvoiceDocument, amount: number): string {
  return formatMoney(amount, currency, locale);
}

function formatDate({ locale, timezone }: InvoiceDocument, at: number): string {
  return new Date(at).toLocaleDateString(locale, { timeZone: timezone, dateStyle: "long" });
}

/** Maximum amount of a SEPA transfer in a QR code, in cents. */
const MAX_AMOUNT = 99_999_999_999;

// No page size is set, so that the printer's paper size applies, such as A4 or Letter.
const style = markup`@page{margin:18mm}
*{box-sizing:border-box}
body{margin:0;background:#fff;color:#111;font:15px/1.45 system-ui,sans-serif}
main{max-width:210mm;margin:0 auto;padding:24px;overflow-wrap:anywhere}
header,.columns{display:flex;flex-wrap:wrap;justify-content:space-between;gap:24px;margin-bottom:32px}
address{font-style:normal}
h1{margin:0 0 8px;font-size:24px}
h2{margin:0 0 4px;font-size:13px;font-weight:400;color:#555}
p{margin:0 0 8px}
dl{margin:0}
dl div{display:flex;justify-content:space-between;gap:16px}
dt{color:#555}
dd{margin:0;text-align:end}
table{width:100%;margin:24px 0;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:6px 0;vertical-align:top;text-align:end}
td,thead th{padding-inline-start:12px;white-space:nowrap}
th:first-child{padding-inline-start:0;text-align:start;font-weight:400}
thead th{font-size:13px;font-weight:400;color:#555;white-space:normal}
thead tr,tbody tr{border-bottom:1px solid #ccc;break-inside:avoid}
small{color:#555}
.totals{width:auto;min-width:50%;margin-inline-start:auto}
.totals tr{border:0}
.strong th,.strong td{border-top:1px solid #111;font-weight:600}
.payment{align-items:center;break-inside:avoid}
figure{margin:0;width:40mm;text-align:center}
figcaption{font-size:12px}
svg{display:block;width:40mm;height:40mm}
.note{white-space:pre-line}
@media print{body{font-size:10pt;line-height:1.35}main{max-width:none;padding:0}header,.columns{margin-bottom:20px}table{margin:16px 0}th,td{padding-block:4px}}
`;

const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style.text).digest("base64")}'; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
} as const;
