import type { Invoice } from "../../checkout/invoice.ts";
import {
  createInvoiceContent,
  type InvoiceContent,
  type LabeledText,
  type PartyContent,
} from "../../checkout/invoice-content.ts";
import { createInvoicePdf } from "../../checkout/invoice-pdf.ts";
import { chooseMessagesLanguage } from "../../messages/messages.ts";
import { getTextDirection } from "../../messages/text-direction.ts";
import { Problem } from "../../problem.ts";
import { createCache } from "../../runtime/cache.ts";
import type { Shop } from "../../shop.ts";
import { type Markup, markup } from "../console/markup.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { renderQrCode } from "../qr-code.ts";
import { createHtmlReply, NO_STORE, type Reply } from "../wire/reply.ts";
import { createStylePolicy, secretUrlHeaders } from "../wire/security-headers.ts";

/**
 * Returns an invoice or credit note as an HTML page to print, or as a PDF if `name` ends in ".pdf".
 * @param orderId undefined if the order is unknown
 * @param name number of the invoice or credit note, with or without ".pdf"
 * @throws Problem `not_found`
 */
export async function createInvoiceReply(
  { checkouts: { orders }, process: { scheduler } }: Pick<Shop, "checkouts" | "process">,
  orderId: string | undefined,
  name = "",
): Promise<Reply> {
  const number = name.replace(/\.pdf$/, "");
  const invoices = orderId === undefined ? [] : await awaitWithDeadline(orders.listInvoices(orderId));
  const invoice = invoices.find((candidate) => candidate.number === number);
  if (invoice === undefined) throw new Problem("not_found", "The order has no invoice with this number.");
  if (number === name) return createPageReply(invoice);
  const pdf = await pdfCache.getOrCreate(`${orderId} ${number}`, () =>
    createInvoicePdf(invoice, () => scheduler.yield("background")),
  );
  if (pdf === undefined) throw new Problem("not_found", "This invoice has no PDF. Print the page instead.");
  return {
    status: 200,
    headers: {
      ...{ "content-type": "application/pdf", "cache-control": NO_STORE, ...secretUrlHeaders },
      "content-disposition": `inline; filename="${number}.pdf"`,
    },
    body: pdf,
  };
}

/** PDFs by order id and number, because drawing one takes much longer than sending it. Documents never change. */
const pdfCache = createCache<string, Promise<Uint8Array | undefined>>({ name: "invoice_pdfs", maxWeight: 16 });

/** Renders an invoice or credit note as a page to print, in the language of the customer. */
function createPageReply(invoice: Invoice): Reply {
  const { locale, seller } = invoice.document;
  const content = createInvoiceContent(invoice);
  const { title, subject, items, taxes, payment, note } = content;
  const page = markup`<!doctype html>
<html lang="${chooseMessagesLanguage(locale)}" dir="${getTextDirection(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - ${seller.name}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>${renderParty(content.seller)}${renderFacts(content.sellerFacts)}</header>
<div class="columns">${renderBuyer(content)}${renderFacts(content.facts)}</div>
<h1>${title}</h1>
${subject.map((text) => markup`<p>${text}</p>`)}
${items !== undefined && renderTable(items.columns, renderItemRows(items))}
${renderTotals(content)}
${taxes !== undefined && renderTable(taxes.columns, renderTaxRows(taxes))}
${payment !== undefined && renderPayment(payment)}
${note !== undefined && markup`<p class="note" dir="auto">${note}</p>`}
</main>
</body>
</html>
`;
  return createHtmlReply(200, page.text, headers);
}

function renderBuyer({ buyer }: InvoiceContent): Markup {
  return markup`<section>${buyer !== undefined && markup`<h2>${buyer.heading}</h2>${renderParty(buyer)}`}</section>`;
}

function renderParty({ name, lines }: PartyContent): Markup {
  return markup`<address><strong><bdi>${name}</bdi></strong>${lines.map((line) => markup`<br><bdi>${line}</bdi>`)}</address>`;
}

function renderItemRows({ rows }: NonNullable<InvoiceContent["items"]>): readonly Markup[] {
  return rows.map(({ title, details, cells }) => {
    const extraRows = details.map((text) => markup`<br><small><bdi>${text}</bdi></small>`);
    return markup`<tr><th scope="row"><bdi>${title}</bdi>${extraRows}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`;
  });
}

function renderTotals({ totals }: InvoiceContent): Markup {
  const rows = totals.map(
    ({ label, amount, isStrong }) =>
      markup`<tr${isStrong && markup` class="strong"`}><th scope="row"><bdi>${label}</bdi></th><td>${amount}</td></tr>`,
  );
  return markup`<table class="totals"><tbody>${rows}</tbody></table>`;
}

function renderTaxRows({ rows }: NonNullable<InvoiceContent["taxes"]>): readonly Markup[] {
  return rows.map(
    ([rate, ...amounts]) =>
      markup`<tr><th scope="row">${rate}</th>${amounts.map((amount) => markup`<td>${amount}</td>`)}</tr>`,
  );
}

function renderPayment({ facts, code }: NonNullable<InvoiceContent["payment"]>): Markup {
  const qrCodeFigure =
    code && markup`<figure>${renderQrCode(code.text, code.label)}<figcaption>${code.label}</figcaption></figure>`;
  return markup`<section class="columns payment">${renderFacts(facts)}${qrCodeFigure}</section>`;
}

function renderFacts(facts: readonly LabeledText[]): Markup {
  const rows = facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`);
  return markup`<dl>${rows}</dl>`;
}

function renderTable(columns: readonly string[], rows: readonly Markup[]): Markup {
  const cells = columns.map((column) => markup`<th scope="col">${column}</th>`);
  return markup`<table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table>`;
}

// No page size is set, so that the printer's paper size applies, such as A4 or Letter.
const style = markup`@page{margin:18mm}
*{box-sizing:border-box}
body{margin:0;background:#fff;color:#111;font:15px/1.45 system-ui,sans-serif}
main{max-width:210mm;margin:0 auto;padding:24px;overflow-wrap:anywhere}
dd{overflow-wrap:break-word}
dt,thead th{overflow-wrap:normal}
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
@media screen and (max-width:480px){main{padding:16px}th,td{font-size:13px}td,thead th{padding-inline-start:6px}thead th{font-size:12px}}
@media print{body{font-size:10pt;line-height:1.35}main{max-width:none;padding:0}header,.columns{margin-bottom:20px}table{margin:16px 0}th,td{padding-block:4px}}
`;

const headers = {
  "content-security-policy": createStylePolicy(style.text),
  ...secretUrlHeaders,
} as const;
