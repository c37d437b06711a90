import { formatVariantTitle } from "../../catalog/catalog.ts";
import { localizeOffer } from "../../catalog/localize.ts";
import type { DueRefund, Order, RefundReason } from "../../checkout/order.ts";
import type { Contact } from "../../inbox/inbox.ts";
import { formFieldNames } from "../../messages/form-fields.ts";
import { formatList } from "../../messages/format-list.ts";
import { getMessages, type MessageKey } from "../../messages/messages.ts";
import { formatMoney } from "../../pricing/money.ts";
import { removeControlCharacters } from "../../runtime/control-characters.ts";
import type { LowStockPayload } from "../../storage/events/low-stock-mail.ts";
import {
  createMailObjects,
  createTestOrderMarker,
  type MailResources,
  type PreparedMail,
  translateOrderWords,
} from "./mails.ts";
import { createOrderObject } from "./order-object.ts";
import { extractAddress } from "./smtp.ts";

/** Prepares the merchant's mail about a new order, in the shop's language.  @param from sender in the settings */
export function createNewOrderMail(parts: MailResources, from: string, order: Order, now: number): PreparedMail {
  const { config } = parts;
  const locale = config.locales.default;
  const messages = getMessages(locale);
  const { delivery, priced } = order.content;
  const merchantOrder = createOrderObject(order, locale, messages, "merchant");
  const newOrderText = messages("mails.newOrder", {
    number: order.number,
    amount: formatMoney(Number(merchantOrder.total), priced.currency, locale),
  });
  const subject = createTestOrderMarker(order, messages)(newOrderText);
  const url = formatConsoleUrl(parts, order);
  const words = {
    ...translateOrderWords(messages, locale),
    subject,
    intro: subject,
    payment: [
      ...(order.content.bankTransfer === undefined ? [] : [messages("payments.bankTransfer")]),
      messages(
        order.state === "cancelled" ? "orders.voided" : order.payment === "paid" ? "orders.paid" : "orders.pending",
      ),
    ].join(messages("mails.colon")),
    state: messages("mails.openOrder"),
  };
  return {
    template: "new-order",
    to: getMerchantAddress(config, from),
    ...(delivery === undefined ? {} : { replyTo: delivery.email }),
    objects: createMailObjects(parts, locale, priced.currency, { order: { ...merchantOrder, url }, words }, now),
  };
}

/** Prepares the merchant's mail about the payment of an order that was placed earlier. */
export function createPaidMail(parts: MailResources, from: string, order: Order, now: number): PreparedMail {
  const locale = parts.config.locales.default;
  const { amount, priced } = order.content;
  const subject = getMessages(locale)("mails.orderPaid", {
    number: order.number,
    amount: formatMoney(amount, priced.currency, locale),
  });
  return createNotice(parts, from, { subject, lines: [], order }, now);
}

/** Prepares the merchant's mail about a payment to refund.  @param order order of the payment, if it has one */
export function createRefundDueMail(
  parts: MailResources,
  from: string,
  { amount, currency, reason, reference }: DueRefund,
  order: Order | undefined,
  now: number,
): PreparedMail {
  const locale = parts.config.locales.default;
  const messages = getMessages(locale);
  const subject = messages("mails.refundDue", { amount: formatMoney(amount, currency, locale) });
  const reasonText = messages(refundReasonKeys[reason] ?? "mails.refundNoOrder", { number: order?.number ?? "" });
  const lines = [reasonText, messages("mails.refundPayment", { reference })];
  return createNotice(parts, from, { subject, lines, order }, now);
}

const refundReasonKeys: { readonly [reason in RefundReason]?: MessageKey } = {
  order_cancelled: "mails.refundCancelled",
  paid_twice: "mails.refundPaidTwice",
};

/** Prepares the merchant's mail about the variants that an order reduced to few units. */
export function createLowStockMail(
  parts: MailResources,
  from: string,
  order: Order,
  { quantities }: LowStockPayload,
  now: number,
): PreparedMail {
  const locale = parts.config.locales.default;
  // A variant may be in several lines.
  const offers = new Map(
    order.content.priced.lines
      .filter(({ variant }) => quantities[variant.id] !== undefined)
      .map((line) => [line.variant.id, localizeOffer(line, locale)]),
  );
  const products = new Set([...offers.values()].map(({ product }) => product.title));
  const messages = getMessages(locale);
  const subject = messages("mails.lowStock", { products: formatList([...products], locale) });
  const lines = [...offers].map(([id, offer]) => {
    const name = [offer.product.title, formatVariantTitle(offer), offer.variant.sku];
    return `${name.filter((part) => part !== undefined).join(", ")}${messages("mails.colon")}${quantities[id]}`;
  });
  return createNotice(parts, from, { subject, lines }, now);
}

interface Notice {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly order?: Order | undefined;
}

function createNotice(parts: MailResources, from: string, { order, ...notice }: Notice, now: number): PreparedMail {
  const { config } = parts;
  const locale = config.locales.default;
  const messages = getMessages(locale);
  const subject = order === undefined ? notice.subject : createTestOrderMarker(order, messages)(notice.subject);
  const words = { subject, colon: messages("mails.colon"), state: messages("mails.openOrder") };
  const url = order && formatConsoleUrl(parts, order);
  const { delivery } = order?.content ?? {};
  return {
    template: "merchant-notice",
    to: getMerchantAddress(config, from),
    ...(delivery === undefined ? {} : { replyTo: delivery.email }),
    objects: createMailObjects(parts, locale, config.currency, { notice: { ...notice, url }, words }, now),
  };
}

function formatConsoleUrl({ config }: MailResources, { number }: Order): string | undefined {
  return config.origin && config.console ? `${config.origin}/admin/orders/${number}` : undefined;
}

/** The fields of a form that its mail shows. */
export type SentContact = Pick<Contact, "kind" | "email" | "fields">;

/** Prepares the merchant's mail about a message or a comment.  @returns undefined for a newsletter subscription */
export function createContactMail(
  parts: MailResources,
  from: string,
  contact: SentContact,
  now: number,
): PreparedMail | undefined {
  if (contact.kind === "newsletter") return undefined;
  const { config } = parts;
  const locale = config.locales.default;
  const fields = Object.fromEntries(
    Object.entries(contact.fields).map((field) => field.map(removeControlCharacters) as [string, string]),
  );
  const messages = getMessages(locale);
  const labeledFields = Object.entries(fields).map(([name, value]) => {
    const key = formFieldNames.get(name);
    return { label: key === undefined ? name : messages(key), value };
  });
  const words = { subject: messages("mails.messageFrom", { email: contact.email }), colon: messages("mails.colon") };
  const contactObject = { ...contact, fields, labeled_fields: labeledFields };
  return {
    template: "contact-received",
    to: getMerchantAddress(config, from),
    replyTo: contact.email,
    objects: createMailObjects(parts, locale, config.currency, { contact: contactObject, words }, now),
  };
}

/** Returns the address to which the merchant gets mails.  @param from sender in the settings */
export function getMerchantAddress({ contact }: Pick<MailResources["config"], "contact">, from: string): string {
  return contact.email ?? extractAddress(from);
}
