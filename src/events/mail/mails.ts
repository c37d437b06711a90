import type { Order } from "../../checkout/order.ts";
import type { Config } from "../../config/settings.ts";
import type { MailMessages } from "../../messages/messages.ts";
import { messagesIn } from "../../messages/registry.ts";
import { formatMoney } from "../../pricing/money.ts";
import type { Keyring } from "../../security/keyring.ts";
import { orderPath } from "../../security/order-link.ts";
import { orderObject } from "./order-object.ts";
import type { MailObjects } from "./templates.ts";

export interface MailParts {
  readonly config: Pick<
    Config,
    "name" | "currency" | "locales" | "timezone" | "origin" | "contact" | "console" | "mail" | "events"
  >;
  readonly keyring: Keyring;
}

/** A mail before its template is rendered. */
export interface PreparedMail {
  /** Name of the template's file, without locale and extension. */
  readonly template: string;
  readonly to: string;
  readonly replyTo?: string;
  readonly objects: MailObjects;
}

/** Subject and first sentence of the mails to shoppers, by event. */
const openings = {
  "order.created": ["ordered", "thanks"],
  "order.shipped": ["shipped", "wasShipped"],
  "order.cancelled": ["cancelled", "wasCancelled"],
} as const;

export type ShopperEvent = keyof typeof openings;

/** The mail to the shopper, in the order's language. @returns undefined if the order has no email address */
export function shopperMail(parts: MailParts, type: ShopperEvent, order: Order, now: number): PreparedMail | undefined {
  const { config } = parts;
  const { delivery, locale, priced } = order.content;
  if (delivery === undefined) return undefined;
  const { mails } = messagesIn(locale);
  const [subject, intro] = openings[type];
  const prefix = locale === config.locales.default ? "" : `/${locale}`;
  const url = config.origin && config.origin + orderPath(parts.keyring, prefix, order);
  const named = {
    order: { ...orderObject(order, locale, mails, "shopper"), url },
    words: {
      ...orderWords(mails),
      subject: mails[subject](order.number, config.name),
      intro: mails[intro](order.number),
      payment: paymentText(type, order, mails),
    },
  };
  return {
    template: type.replace(".", "-"),
    to: delivery.email,
    ...(config.contact.email === undefined ? {} : { replyTo: config.contact.email }),
    objects: mailObjects(parts, locale, priced.currency, named, now),
  };
}

/** The merchant's mail about a new order, in the shop's language. @param from as in the settings */
export function newOrderMail(parts: MailParts, from: string, order: Order, now: number): PreparedMail {
  const { config } = parts;
  const locale = config.locales.default;
  const { mails, orders } = messagesIn(locale);
  const { delivery, priced } = order.content;
  const shown = orderObject(order, locale, mails, "merchant");
  const subject = mails.newOrder(order.number, formatMoney(Number(shown.total), priced.currency, locale));
  const url = config.origin && config.console ? `${config.origin}/admin/orders/${order.number}` : undefined;
  const words = {
    ...orderWords(mails),
    subject,
    intro: subject,
    payment: order.state === "cancelled" ? orders.voided : orders[order.payment === "paid" ? "paid" : "pending"],
    state: mails.openOrder,
  };
  return {
    template: "new-order",
    to: merchantAddress(config, from),
    ...(delivery === undefined ? {} : { replyTo: delivery.email }),
    objects: mailObjects(parts, locale, priced.currency, { order: { ...shown, url }, words }, now),
  };
}

export interface SentContact {
  readonly kind: string;
  readonly email: string;
}

/** The merchant's mail with a message or a comment. @returns undefined for a newsletter subscription */
export function contactMail(
  parts: MailParts,
  from: string,
  contact: SentContact,
  now: number,
): PreparedMail | undefined {
  if (contact.kind === "newsletter") return undefined;
  const { config } = parts;
  const locale = config.locales.default;
  const words = { subject: messagesIn(locale).mails.messageFrom(contact.email) };
  return {
    template: "contact-received",
    to: merchantAddress(config, from),
    replyTo: contact.email,
    objects: mailObjects(parts, locale, config.currency, { contact, words }, now),
  };
}

/** "Shop <shop@shop.example>" -> "shop@shop.example" */
export function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
}

/** Information about the payment; "" if there is nothing to report. */
function paymentText(type: ShopperEvent, { state, payment, content }: Order, mails: MailMessages): string {
  const { amount, reservations, locale, priced } = content;
  const money = (units: number): string => formatMoney(units, priced.currency, locale);
  const isPaid = payment === "paid";
  if (type !== "order.cancelled")
    return type === "order.created" && state === "open" && !isPaid ? mails.paymentPending : "";
  const prepaid = reservations.reduce((sum, { kind, units }) => (kind === "stock" ? sum : sum + units), 0);
  return [
    isPaid && amount > 0 ? mails.refund(money(amount)) : "",
    prepaid > 0 ? mails.balanceReturned(money(prepaid)) : "",
    isPaid ? "" : mails.nothingToPay,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** Labels under the names of templates. */
function orderWords(mails: MailMessages): Readonly<Record<string, string>> {
  return {
    carrier: mails.carrier,
    tracking_number: mails.trackingNumber,
    track: mails.track,
    subtotal: mails.subtotal,
    discount: mails.discount,
    delivery: mails.delivery,
    total: mails.total,
    balance: mails.balance,
    paid: mails.paid,
    to_pay: mails.toPay,
    sent_to: mails.sentTo,
    note: mails.note,
    state: mails.state,
  };
}

function mailObjects(
  { config }: MailParts,
  locale: string,
  currency: string,
  named: Readonly<Record<string, unknown>>,
  now: number,
): MailObjects {
  const shop = { name: config.name, url: config.origin, email: config.contact.email };
  const direction = new Intl.Locale(locale).getTextInfo?.().direction ?? "ltr";
  return { locale, currency, globals: { ...named, shop, locale, direction }, now, timezone: config.timezone };
}

function merchantAddress({ contact }: MailParts["config"], from: string): string {
  return contact.email ?? addressIn(from);
}
