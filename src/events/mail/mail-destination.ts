import type { EventType } from "../../config/event-types.ts";
import type { Config } from "../../config/settings.ts";
import { messagesIn } from "../../messages/registry.ts";
import type { Keyring } from "../../security/keyring.ts";
import { orderPath } from "../../security/order-link.ts";
import type { Destination, Outcome, ToldEvent } from "../destination.ts";
import { createMailbox } from "./smtp.ts";
import { type MailObjects, writeMail } from "./templates.ts";

export interface MailParts {
  readonly config: Pick<
    Config,
    "name" | "currency" | "locales" | "timezone" | "origin" | "contact" | "mail" | "events"
  >;
  /** The store's templates. */
  readonly folder: string;
  readonly keyring: Keyring;
}

/** Whom a mail is for, and what its template names. */
interface Addressed {
  readonly to: string;
  readonly replyTo?: string;
  readonly objects: MailObjects;
}

/** Tells shoppers of their orders and the merchant of messages, by mail. */
export function createMailDestination(parts: MailParts, smtp: string, from: string): Destination {
  const { config, folder } = parts;
  const mailbox = createMailbox(smtp, config.events.timeout);
  const attemptMs = MAIL_STEPS * config.events.timeout;
  return {
    name: "mail",
    kind: "mail",
    label: `the mail server ${new URL(smtp).host}`,
    types,
    attemptMs,
    async tell(event, now, signal): Promise<Outcome> {
      const timeout = AbortSignal.timeout(attemptMs);
      try {
        const addressed = address(parts, from, event, now);
        if (addressed === undefined) return { isDone: true };
        const { objects, ...whom } = addressed;
        const written = await writeMail(folder, event.type.replace(".", "-"), objects);
        const messageId = `<${event.id}@${domainOf(from)}>`;
        await mailbox.send({ ...written, ...whom, from, messageId }, AbortSignal.any([signal, timeout]));
        return { isDone: true };
      } catch (error) {
        if (timeout.aborted) return { isDone: false, failure: `the conversation had no end within ${attemptMs} ms` };
        return { isDone: false, failure: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

/** Steps of a conversation, each of which has its own time: the name, the connection, the greeting and what answers it, the login, the sender, the recipient, the
 *  text and its end. */
const MAIL_STEPS = 9;
const types: readonly EventType[] = ["order.created", "order.shipped", "order.cancelled", "contact.received"];

/** With what mails to shoppers begin. */
const openings = {
  "order.created": ["ordered", "thanks"],
  "order.shipped": ["shipped", "wasShipped"],
  "order.cancelled": ["cancelled", "wasCancelled"],
} as const;

/** @returns undefined where nobody is to get a mail */
function address(parts: MailParts, from: string, { type, payload }: ToldEvent, now: number): Addressed | undefined {
  if (type === "contact.received") return toMerchant(parts, from, payload as ContactPayload, now);
  const { order } = payload as OrderPayload;
  const { config } = parts;
  if (order.email === null) return undefined;
  const { mails } = messagesIn(order.locale);
  const prefix = order.locale === config.locales.default ? "" : `/${order.locale}`;
  const path = orderPath(parts, prefix, { id: order.id, createdAt: Date.parse(order.created_at) });
  const [subject, intro] = openings[type as keyof typeof openings];
  const words = {
    subject: mails[subject](order.number, config.name),
    intro: mails[intro](order.number),
    carrier: mails.carrier,
    tracking_number: mails.trackingNumber,
    track: mails.track,
    discount: mails.discount,
    delivery: mails.delivery,
    balance: mails.balance,
    to_pay: mails.toPay,
    sent_to: mails.sentTo,
    note: mails.note,
    state: mails.state,
  };
  const shown = { ...order, ...(config.origin === undefined ? {} : { url: config.origin + path }) };
  return {
    to: order.email,
    ...(config.contact.email === undefined ? {} : { replyTo: config.contact.email }),
    objects: objectsOf(parts, order.locale, order.currency, { order: shown, words }, now),
  };
}

/** Of a message or a comment; an address for the newsletter needs nobody's eye. */
function toMerchant(parts: MailParts, from: string, { contact }: ContactPayload, now: number): Addressed | undefined {
  if (contact.kind === "newsletter") return undefined;
  const { config } = parts;
  const locale = config.locales.default;
  const words = { subject: messagesIn(locale).mails.messageFrom(contact.email) };
  return {
    to: config.contact.email ?? addressIn(from),
    replyTo: contact.email,
    objects: objectsOf(parts, locale, config.currency, { contact, words }, now),
  };
}

function objectsOf(
  { config }: MailParts,
  locale: string,
  currency: string,
  named: Readonly<Record<string, unknown>>,
  now: number,
): MailObjects {
  const shop = { name: config.name, url: config.origin, email: config.contact.email };
  const direction = new Intl.Locale(locale).getTextInfo?.().direction ?? "ltr";
  const globals = { ...named, shop, locale, direction };
  return { locale, currency, globals, now, timezone: config.timezone };
}

/** "Shop <shop@shop.example>" -> "shop@shop.example" */
function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
}

function domainOf(from: string): string {
  return addressIn(from).split("@").at(-1) ?? "localhost";
}

interface OrderPayload {
  readonly order: {
    readonly id: string;
    readonly number: number;
    readonly email: string | null;
    readonly locale: string;
    readonly currency: string;
    readonly created_at: string;
  };
}

interface ContactPayload {
  readonly contact: { readonly kind: string; readonly email: string };
}
