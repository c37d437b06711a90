import { getMessages, type Messages } from "../messages/messages.ts";
import { formatMoney } from "../pricing/money.ts";
import { formatTaxRate } from "../pricing/taxes.ts";
import { describeTransfer, type TransferTexts } from "./bank-transfer.ts";
import type { Invoice, InvoiceDocument, InvoiceParty } from "./invoice.ts";

/** The texts of an invoice or credit note in the language of the customer, in the order of the page. */
export interface InvoiceContent {
  readonly title: string;
  readonly seller: PartyContent;
  /** Tax numbers of the seller. */
  readonly sellerFacts: readonly LabeledText[];
  readonly buyer?: PartyContent & { readonly heading: string };
  /** Date of issue and, for an unpaid invoice, the due date. */
  readonly facts: readonly LabeledText[];
  /** Sentences that name the order and, in a credit note, the corrected invoice. */
  readonly subject: readonly string[];
  /** Undefined for a credit note without items. */
  readonly items?: { readonly columns: readonly string[]; readonly rows: readonly InvoiceItem[] };
  readonly totals: readonly InvoiceTotal[];
  /** Undefined if no tax rate applies. */
  readonly taxes?: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** Undefined if nothing is due, or the seller has no bank account. */
  readonly payment?: TransferTexts;
  readonly note?: string;
}

export type LabeledText = readonly [name: string, value: string];

export interface PartyContent {
  readonly name: string;
  readonly lines: readonly string[];
}

interface InvoiceItem {
  readonly title: string;
  /** Variant, properties, and discounts. */
  readonly details: readonly string[];
  /** Quantity, unit price, and amount. */
  readonly cells: readonly string[];
}

interface InvoiceTotal {
  readonly label: string;
  readonly amount: string;
  readonly isStrong: boolean;
}

/** Returns the title of a document in the language of the reader, such as "Invoice 2026-0001". */
export function formatInvoiceTitle({ document, number }: Invoice, locale: string): string {
  return getMessages(locale)(document.kind === "invoice" ? "invoice.title" : "invoice.creditNote", { number });
}

export function createInvoiceContent(invoice: Invoice): InvoiceContent {
  const { document, number } = invoice;
  const { seller, buyer, payment, note, taxes } = document;
  const messages = getMessages(document.locale);
  const paymentContent = describePayment(document, number);
  return {
    title: formatInvoiceTitle(invoice, document.locale),
    seller: formatParty(seller),
    sellerFacts: listDefinedFacts([
      [messages("invoice.vatId"), seller.vatId],
      [messages("invoice.taxNumber"), seller.taxNumber],
    ]),
    ...(buyer === undefined ? {} : { buyer: describeBuyer(buyer, messages) }),
    facts: listDefinedFacts([
      [messages("invoice.issued"), formatDate(document, document.issuedAt)],
      [messages("invoice.dueDate"), payment && formatDate(document, payment.dueAt)],
    ]),
    subject: listSubjectLines(document, messages),
    ...(document.lines.length === 0 ? {} : { items: describeItems(document, messages) }),
    totals: listTotals(document, messages),
    ...(taxes === undefined ? {} : { taxes: describeTaxes(document, taxes, messages) }),
    ...(paymentContent === undefined ? {} : { payment: paymentContent }),
    ...(note === undefined ? {} : { note }),
  };
}

function describeBuyer(
  buyer: NonNullable<InvoiceDocument["buyer"]>,
  messages: Messages,
): NonNullable<InvoiceContent["buyer"]> {
  const { name, lines } = formatParty(buyer);
  const vatLines = buyer.vatId === undefined ? [] : [`${messages("invoice.vatId")}: ${buyer.vatId}`];
  return { heading: messages("invoice.billTo"), name, lines: [...lines, ...vatLines] };
}

function formatParty({ name, address, email }: InvoiceParty): PartyContent {
  return { name, lines: [...address, ...(email === undefined ? [] : [email])] };
}

function listSubjectLines(document: InvoiceDocument, messages: Messages): readonly string[] {
  const { corrects, orderNumber, seller } = document;
  const order = messages("mails.ordered", { number: orderNumber, shop: seller.name });
  if (corrects === undefined) return [order];
  const { number, issuedAt } = corrects;
  return [messages("invoice.corrects", { number, date: formatDate(document, issuedAt) }), order];
}

function describeItems(document: InvoiceDocument, messages: Messages): NonNullable<InvoiceContent["items"]> {
  const rows = document.lines.map(({ title, details, discounts, quantity, price, amount }): InvoiceItem => {
    const discountTexts = discounts.map(
      (discount) => `${messages("mails.discount")} ${discount.title}: ${formatAmount(document, -discount.amount)}`,
    );
    const cells = [
      quantity.toLocaleString(document.locale),
      formatAmount(document, price),
      formatAmount(document, amount),
    ];
    return { title, details: [...details, ...discountTexts], cells };
  });
  const columns = (["invoice.item", "invoice.quantity", "invoice.unitPrice", "invoice.amount"] as const).map((key) =>
    messages(key),
  );
  return { columns, rows };
}

function listTotals(document: InvoiceDocument, messages: Messages): readonly InvoiceTotal[] {
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
  return rows.map(([label, amount, isStrong = false]) => ({ label, amount: formatAmount(document, amount), isStrong }));
}

function describeTaxes(
  document: InvoiceDocument,
  taxes: NonNullable<InvoiceDocument["taxes"]>,
  messages: Messages,
): NonNullable<InvoiceContent["taxes"]> {
  const rows = taxes.map(({ percent, netAmount, amount }) => [
    formatTaxRate(percent, document.locale),
    ...[netAmount, amount, netAmount + amount].map((part) => formatAmount(document, part)),
  ]);
  const columns = [
    messages("invoice.taxRate"),
    messages("invoice.netAmount"),
    messages("invoice.tax"),
    messages("mails.total"),
  ];
  return { columns, rows };
}

function describePayment(document: InvoiceDocument, number: string): InvoiceContent["payment"] {
  const { payment, due, currency, locale } = document;
  if (payment?.iban === undefined) return undefined;
  const { accountHolder, iban, bic, reference = number } = payment;
  const account = { accountHolder, iban, ...(bic === undefined ? {} : { bic }) };
  return describeTransfer({ ...account, amount: due, currency, reference }, locale);
}

function listDefinedFacts(
  facts: readonly (readonly [name: string, value: string | undefined])[],
): readonly LabeledText[] {
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function formatAmount({ currency, locale }: InvoiceDocument, amount: number): string {
  return formatMoney(amount, currency, locale);
}

function formatDate({ locale, timezone }: InvoiceDocument, invoiceTime: number): string {
  return new Date(invoiceTime).toLocaleDateString(locale, { timeZone: timezone, dateStyle: "long" });
}
