import { describeTransfer, findDueTransfer } from "../../checkout/bank-transfer.ts";
import type { Invoice } from "../../checkout/invoice.ts";
import { computeExpectedRefund, type Order, sumRefunds } from "../../checkout/order.ts";
import type { OrderEmail } from "../../checkout/order-operations.ts";
import type { Config } from "../../config/settings.ts";
import { chooseMessagesLanguage, getMessages, type Messages } from "../../messages/messages.ts";
import { getTextDirection } from "../../messages/text-direction.ts";
import { formatMoney } from "../../pricing/money.ts";
import type { Keyring } from "../../security/keyring.ts";
import { formatInvoicePath, formatOrderPath } from "../../security/order-link.ts";
import { createOrderObject, isPartialShipment, keepShippedItems } from "./order-object.ts";
import type { MailRenderContext } from "./templates.ts";

export interface MailResources {
  readonly config: Pick<
    Config,
    "name" | "currency" | "locales" | "timezone" | "origin" | "contact" | "console" | "mail" | "events" | "invoices"
  >;
  readonly keyring: Keyring;
}

/** A mail before its template is rendered. */
export interface PreparedMail {
  /** File name of the template, without locale and extension. */
  readonly template: string;
  readonly to: string;
  readonly replyTo?: string;
  readonly objects: MailRenderContext;
  /** Text of the QR code for a bank transfer, which the HTML part shows. */
  readonly transferCode?: string | undefined;
}

/** For each event type, the message keys of the subject and of the first sentence in the mail to the shopper. */
const introductionKeys = {
  "order.created": ["ordered", "thanks"],
  "order.shipped": ["shipped", "wasShipped"],
  "order.cancelled": ["cancelled", "wasCancelled"],
  "order.refunded": ["refunded", "wasRefunded"],
} as const satisfies Readonly<Record<OrderEmail, unknown>>;

/**
 * Prepares the mail to the shopper in the order's language.
 * @param invoices invoice and credit notes of the order, oldest first
 * @param count number of the shipment or refund that the mail is about, starting at 1. Default: the last one
 * @returns undefined if the order has no email address
 */
export function createShopperMail(
  parts: MailResources,
  type: OrderEmail,
  order: Order,
  now: number,
  invoices: readonly Invoice[],
  count = type === "order.refunded" ? order.refunds.length : order.shipments.length,
): PreparedMail | undefined {
  const { config } = parts;
  const { delivery, locale, priced } = order.content;
  if (delivery === undefined) return undefined;
  const messages = getMessages(locale);
  const [subject, introText] = introductionKeys[type];
  const addTestLabel = createTestOrderMarker(order, messages);
  const orderObject = createOrderObject(order, locale, messages, "shopper");
  const shipment = type === "order.shipped" ? order.shipments[count - 1] : undefined;
  const refund = type === "order.refunded" ? order.refunds[count - 1] : undefined;
  const amount = formatMoney(refund?.amount ?? 0, priced.currency, locale);
  const isPartial = shipment !== undefined && isPartialShipment(order, shipment);
  const transfer = type === "order.created" ? findDueTransfer(order) : undefined;
  const transferTexts = transfer && describeTransfer(transfer, locale);
  const prefix = locale === config.locales.default ? "" : `/${locale}`;
  const url = config.origin && config.origin + formatOrderPath(parts.keyring, prefix, order);
  const templateObjects = {
    order: {
      ...(shipment === undefined ? orderObject : keepShippedItems(orderObject, count)),
      refunded_amount: sumRefunds(order),
      url,
      transfer: transferTexts && {
        details: transferTexts.facts.map(([title, value]) => ({ title, value })),
        code_label: transferTexts.code?.label,
      },
      invoices: invoices.map(({ number, document: { kind } }) => ({
        title: messages(kind === "invoice" ? "invoice.title" : "invoice.creditNote", { number }),
        url: url && formatInvoicePath(url, number),
      })),
    },
    words: {
      ...translateOrderWords(messages, locale),
      subject: addTestLabel(messages(`mails.${subject}`, { number: order.number, shop: config.name })),
      intro: addTestLabel(
        messages(isPartial ? "mails.partShipped" : `mails.${introText}`, { number: order.number, amount }),
      ),
      payment:
        transfer === undefined
          ? formatPayment(type, order, messages, invoices.length > 0 && config.invoices.iban !== undefined)
          : messages("mails.transfer", { amount: formatMoney(transfer.amount, transfer.currency, locale) }),
    },
  };
  return {
    template: type.replace(".", "-"),
    transferCode: transferTexts?.code?.text,
    to: delivery.email,
    ...(config.contact.email === undefined ? {} : { replyTo: config.contact.email }),
    objects: createMailObjects(parts, locale, priced.currency, templateObjects, now),
  };
}

/** Returns a function that marks texts about a test order, such as "Test order: Order #1001 at Shop". */
export function createTestOrderMarker({ content }: Order, messages: Messages): (text: string) => string {
  return (text) => (content.isTest === true ? `${messages("mails.test")}${messages("mails.colon")}${text}` : text);
}

/**
 * Returns a sentence about the payment; "" if there is nothing to report.
 * @param hasBankDetails whether the mail has an invoice with the shop's bank account
 */
function formatPayment(type: OrderEmail, order: Order, messages: Messages, hasBankDetails: boolean): string {
  const { state, payment, content } = order;
  const { reservations, locale, priced } = content;
  const formatAmount = (units: number): string => formatMoney(units, priced.currency, locale);
  const isPaid = payment === "paid";
  if (type === "order.refunded") return "";
  if (type !== "order.cancelled")
    return type === "order.created" && state === "open" && !isPaid
      ? messages(hasBankDetails ? "mails.paymentByInvoice" : "mails.paymentPending")
      : "";
  const prepaidUnits = reservations.reduce((sum, { kind, units }) => (kind === "stock" ? sum : sum + units), 0);
  const refundAmount = computeExpectedRefund(order);
  return [
    refundAmount > 0 ? messages("mails.refund", { amount: formatAmount(refundAmount) }) : "",
    prepaidUnits > 0 ? messages("mails.balanceReturned", { amount: formatAmount(prepaidUnits) }) : "",
    isPaid ? "" : messages("mails.nothingToPay"),
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** Returns the language code and the translated labels, such as "Subtotal", for the templates of order mails. */
export function translateOrderWords(messages: Messages, locale: string): Readonly<Record<string, string>> {
  return {
    language: chooseMessagesLanguage(locale),
    colon: messages("mails.colon"),
    carrier: messages("mails.carrier"),
    tracking_number: messages("mails.trackingNumber"),
    track: messages("mails.track"),
    subtotal: messages("mails.subtotal"),
    discount: messages("mails.discount"),
    delivery: messages("mails.delivery"),
    total: messages("mails.total"),
    balance: messages("mails.balance"),
    paid: messages("mails.paid"),
    refunded: messages("orders.refunded"),
    to_pay: messages("mails.toPay"),
    sent_to: messages("mails.sentTo"),
    vat_id: messages("invoice.vatId"),
    note: messages("mails.note"),
    state: messages("mails.state"),
  };
}

export function createMailObjects(
  { config }: MailResources,
  locale: string,
  currency: string,
  templateObjects: Readonly<Record<string, unknown>>,
  now: number,
): MailRenderContext {
  const shop = { name: config.name, url: config.origin, email: config.contact.email };
  const direction = getTextDirection(locale);
  return { locale, currency, globals: { ...templateObjects, shop, locale, direction }, now, timezone: config.timezone };
}
