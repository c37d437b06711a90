import { prorate } from "../pricing/prorate.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { formatTransferReference } from "./bank-transfer.ts";
import { computeTotalPrice, formatAddressLines, type PartialAddress } from "./checkout-snapshot.ts";
import { createLineTexts, type LineTexts } from "./line-texts.ts";
import type { Order } from "./order.ts";

/** An issued invoice or credit note. It never changes. */
export interface Invoice {
  readonly number: string;
  readonly document: InvoiceDocument;
}

/** Content of an invoice or credit note, as it was when it was issued. Amounts are in minor units. */
export interface InvoiceDocument {
  readonly kind: "invoice" | "credit_note";
  readonly orderNumber: number;
  /** Time in milliseconds since 1970. */
  readonly issuedAt: number;
  readonly locale: string;
  readonly timezone: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly seller: InvoiceParty & Pick<InvoiceSettings, "vatId" | "taxNumber">;
  /** Undefined if a payment provider asked for the address. */
  readonly buyer?: InvoiceParty & { readonly vatId?: string };
  /** Empty for a credit note that covers only a part of the total. */
  readonly lines: readonly InvoiceLine[];
  /** Discounts of the entire cart. */
  readonly discounts: readonly InvoiceDiscount[];
  readonly shipping?: { readonly name: string; readonly price: number };
  /** Amounts by tax rate, highest rate first, which add up to the total. Undefined if no tax rate applies. */
  readonly taxes?: readonly InvoiceTax[];
  readonly pricesIncludeTax: boolean;
  readonly total: number;
  /** Amount that gift cards and store credit paid. */
  readonly balance: number;
  /** Amount to transfer. Zero for a paid order, and for a credit note. */
  readonly due: number;
  /** Set if an amount is due. */
  readonly payment?: Pick<InvoiceSettings, "iban" | "bic"> & {
    readonly accountHolder: string;
    /** Text for the transfer. Default: the number of the invoice. */
    readonly reference?: string;
    /** Time in milliseconds since 1970. */
    readonly dueAt: number;
  };
  readonly note?: string | undefined;
  /** Prefix for the numbers of credit notes that correct this invoice. */
  readonly creditNotePrefix: string;
  /** The invoice that a credit note corrects. */
  readonly corrects?: { readonly number: string; readonly issuedAt: number };
}

export interface InvoiceParty {
  readonly name: string;
  /** Postal address, one string per line. */
  readonly address: readonly string[];
  readonly email?: string | undefined;
}

export interface InvoiceLine extends LineTexts {
  readonly quantity: number;
  /** Unit price before discounts. */
  readonly price: number;
  readonly discounts: readonly InvoiceDiscount[];
  /** Amount after the discounts of the line. */
  readonly amount: number;
}

export interface InvoiceDiscount {
  readonly title: string;
  readonly amount: number;
}

export interface InvoiceTax {
  /** Zero for amounts without tax. */
  readonly percent: number;
  readonly netAmount: number;
  readonly amount: number;
}

/** Settings of invoices, with the seller's address. */
export interface InvoiceSettings {
  readonly prefix: string;
  readonly creditNotePrefix: string;
  readonly firstNumber: number;
  readonly daysUntilDue: number;
  readonly timezone: string;
  readonly name: string;
  readonly address: PartialAddress;
  readonly email?: string | undefined;
  readonly vatId?: string | undefined;
  readonly taxNumber?: string | undefined;
  readonly accountHolder?: string | undefined;
  readonly iban?: string | undefined;
  readonly bic?: string | undefined;
  readonly note?: string | undefined;
}

/** A document before the database assigns its number. */
export interface NewInvoice {
  readonly document: InvoiceDocument;
  /** Prefix of the document's number. Documents with the same prefix form a series and are numbered consecutively. */
  readonly prefix: string;
  /** Number of the first document of the series. */
  readonly firstNumber: number;
}

/**
 * Creates the invoice of a new order.
 * @returns undefined for a test order, or if an earlier release stored the checkout without net amounts
 */
export function createInvoice(settings: InvoiceSettings, order: Order): NewInvoice | undefined {
  const { content, number: orderNumber, createdAt: issuedAt, payment } = order;
  const { priced, delivery, taxes, locale, amount } = content;
  if (content.isTest === true || (taxes !== undefined && taxes.netAmounts === undefined)) return undefined;
  const { prefix, creditNotePrefix, firstNumber, timezone, name, vatId, taxNumber, iban, bic, note } = settings;
  const total = computeTotalPrice(content);
  const amountDue = payment === "paid" ? 0 : amount;
  const { accountHolder = name, daysUntilDue, email } = settings;
  // The customer of a bank transfer in advance has seen the order's number as the reference before.
  const account =
    content.bankTransfer === undefined
      ? { accountHolder, iban, bic }
      : { ...content.bankTransfer, reference: formatTransferReference(orderNumber) };
  return {
    prefix: expandPrefix(prefix, issuedAt, timezone),
    firstNumber,
    document: {
      ...{ kind: "invoice", orderNumber, issuedAt, locale, timezone, currency: priced.currency, creditNotePrefix },
      seller: { name, address: formatAddressLines(settings.address, locale), email, vatId, taxNumber },
      ...(delivery === undefined
        ? {}
        : {
            buyer: {
              name: delivery.name,
              ...(delivery.vatId === undefined ? {} : { vatId: delivery.vatId }),
              // Omit the phone number, which is for the delivery.
              address:
                delivery.address === undefined ? [] : formatAddressLines({ ...delivery.address, phone: "" }, locale),
              email: delivery.email,
            },
          }),
      lines: priced.lines.map((line) => toInvoiceLine(line, locale)),
      discounts: priced.discounts.map(toInvoiceDiscount),
      ...(delivery?.rate === undefined ? {} : { shipping: { name: delivery.rate.name, price: delivery.rate.price } }),
      ...(taxes === undefined ? {} : { taxes: toInvoiceTaxes(taxes, total) }),
      pricesIncludeTax: taxes?.isIncluded ?? true,
      ...{ total, balance: total - amount, due: amountDue },
      ...(amountDue === 0 ? {} : { payment: { ...account, dueAt: issuedAt + daysUntilDue * DAY_MS } }),
      note,
    },
  };
}

/**
 * Creates a credit note for a canceled or refunded order. The amounts of all credit notes add up to those of the
 * invoice.
 * @param orderInvoices the order's invoice and earlier credit notes
 * @param amount amount to credit, in minor units. Default: everything that was not credited before
 * @returns undefined if the order has no invoice, or everything was credited before
 */
export function createCreditNote(
  orderInvoices: readonly Invoice[],
  time: number,
  amount = Infinity,
): NewInvoice | undefined {
  const invoice = orderInvoices.find(({ document }) => document.kind === "invoice");
  if (invoice === undefined) return undefined;
  const { document, number } = invoice;
  const creditNotes = orderInvoices.filter((candidate) => candidate !== invoice);
  const remainingAmounts = creditNotes.reduce(
    (remainingAmounts, creditNote) => deductAmounts(remainingAmounts, listAmounts(creditNote.document)),
    listAmounts(document),
  );
  const uncreditedAmount = remainingAmounts.reduce((sum, part) => sum + part, 0);
  const total = Math.min(amount, uncreditedAmount);
  if (total <= 0) return undefined;
  const shares = prorate(total, remainingAmounts);
  const taxes = document.taxes?.map(({ percent }, index) => ({
    ...{ percent, netAmount: shares[2 * index] ?? 0, amount: shares[2 * index + 1] ?? 0 },
  }));
  const { payment: _, shipping, note: _note, ...commonFields } = document;
  const isFullRefund = total === document.total;
  return {
    prefix: expandPrefix(document.creditNotePrefix, time, document.timezone),
    firstNumber: 1,
    document: {
      ...{ ...commonFields, kind: "credit_note", issuedAt: time, corrects: { number, issuedAt: document.issuedAt } },
      ...(isFullRefund ? { ...(shipping === undefined ? {} : { shipping }) } : { lines: [], discounts: [] }),
      ...(taxes === undefined ? {} : { taxes }),
      ...{ total, balance: 0, due: 0 },
    },
  };
}

function toInvoiceLine(pricedLine: Order["content"]["priced"]["lines"][number], locale: string): InvoiceLine {
  const { line, price, discounts, finalLinePrice } = pricedLine;
  return {
    ...createLineTexts(pricedLine, locale),
    ...{ quantity: line.quantity, price, discounts: discounts.map(toInvoiceDiscount), amount: finalLinePrice },
  };
}

function toInvoiceDiscount({ title, amount }: InvoiceDiscount): InvoiceDiscount {
  return { title, amount };
}

/** Returns the amounts by tax rate. The untaxed part of the total is added with a tax rate of zero. */
function toInvoiceTaxes(taxes: NonNullable<Order["content"]["taxes"]>, total: number): readonly InvoiceTax[] {
  const rows = taxes.rates.map(({ percent, amount }, index) => ({
    ...{ percent, netAmount: taxes.netAmounts?.[index] ?? 0, amount },
  }));
  const untaxedAmount = rows.reduce((remainder, { netAmount, amount }) => remainder - netAmount - amount, total);
  return untaxedAmount === 0 ? rows : [...rows, { percent: 0, netAmount: untaxedAmount, amount: 0 }];
}

/** Returns the net amount and the tax for each rate, or only the total if no tax rate applies. */
function listAmounts({ taxes, total }: InvoiceDocument): readonly number[] {
  return taxes?.flatMap(({ netAmount, amount }) => [netAmount, amount]) ?? [total];
}

function deductAmounts(amounts: readonly number[], deductions: readonly number[]): readonly number[] {
  return amounts.map((amount, index) => amount - (deductions[index] ?? 0));
}

/** Replaces `{year}` in a prefix. */
function expandPrefix(prefix: string, time: number, timeZone: string): string {
  const year = new Intl.DateTimeFormat("en-u-ca-gregory", { year: "numeric", timeZone }).format(time);
  return prefix.replaceAll("{year}", year);
}
