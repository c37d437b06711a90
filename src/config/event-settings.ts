import * as v from "valibot";
import { isDecodable } from "../runtime/decode-uri.ts";
import { hasMisplacedHost, isLoopbackHost } from "../runtime/url-host.ts";
import {
  createIntegerSchema,
  defineGroup,
  describeSchema,
  emailPattern,
  flagSchema,
  optionalSetting,
  setting,
  timeSchema,
} from "./value-kinds.ts";

/** Types of events that can be sent to other systems. */
export const eventTypes = [
  "order.created",
  "order.paid",
  "order.shipped",
  "order.cancelled",
  "order.refunded",
  "payment.refund_due",
  "contact.received",
  "stock.low",
  "search.not_found",
] as const;

export type EventType = (typeof eventTypes)[number];

/**
 * Type of an event in the outbox. "mail.requested" is a request to send an email again, and "mail.low_stock" a list of
 * variants that an order reduced to few units. They are not sent to other systems.
 */
export type OutboxEventType = EventType | "mail.requested" | "mail.low_stock";

/**
 * URL of a system that receives events. It must use https or refer to this machine, so that nobody can intercept
 * events.
 */
const webhookUrlSchema = describeSchema(
  v.pipe(
    v.string(),
    v.check(isSafeReceiverUrl),
    v.transform((input) => new URL(input).href),
  ),
  'an https URL like "https://erp.example/hooks" (http only for localhost), without a password',
);

/** Secret for signing events, with 24 to 64 bytes, in the format of Standard Webhooks. */
const webhookSecretSchema = describeSchema(
  v.pipe(
    v.string(),
    v.regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/),
    v.check((input) => countSecretBytes(input) >= 24 && countSecretBytes(input) <= 64),
  ),
  'a secret from "vitrine events secret"',
);

const webhookSecretsSchema = describeSchema(
  v.union([webhookSecretSchema, v.pipe(v.array(webhookSecretSchema), v.minLength(1), v.maxLength(5))]),
  'a secret from "vitrine events secret", or a list of up to five',
);

const eventTypeListSchema = describeSchema(
  v.pipe(v.array(v.picklist(eventTypes)), v.minLength(1)),
  `a list of ${eventTypes.join(", ")}`,
);

const webhookSchema = defineGroup({
  url: webhookUrlSchema,
  // The secret is optional, because it often comes from an environment variable that is set only on the server. Without
  // a secret, no events are sent.
  secret: v.optional(webhookSecretsSchema),
  types: v.optional(eventTypeListSchema, () => [...eventTypes]),
});

const webhooksSchema = describeSchema(
  v.pipe(
    v.array(webhookSchema),
    v.check((list) => new Set(list.map(({ url }) => url)).size === list.length),
  ),
  "a list of { url, secret, types }, each URL once",
);

/** Settings of the systems that receive events. */
export const eventsSchema = defineGroup({
  webhooks: setting(
    webhooksSchema,
    [],
    `receivers of [webhooks](webhooks.md), such as \`{ url: "https://erp.example/hooks", secret: "whsec_…", types: ["order.paid"] }\`; \`types\` defaults to all: ${eventTypes.join(", ")}`,
  ),
  stockLow: optionalSetting(
    createIntegerSchema(1_000_000),
    "stock level at or below which `stock.low` is sent; default: never",
  ),
  timeout: setting(timeSchema, 15_000, "milliseconds to wait for the response of a receiver"),
});

const smtpUrlSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^smtps?:\/\//), v.check(isMailServerUrl)),
  'a URL like "smtps://user:password@mail.example"',
);

const senderSchema = describeSchema(
  v.pipe(v.string(), v.regex(new RegExp(String.raw`^([^<>\r\n,;]+ <${emailPattern}>|${emailPattern})$`))),
  'an address like "shop@shop.example" or "My shop <shop@shop.example>"',
);

/** Settings of outgoing email. */
export const mailSchema = v.pipe(
  defineGroup({
    smtp: optionalSetting(smtpUrlSchema, "SMTP server for [email](../how-to/send-email.md); default: no email"),
    from: optionalSetting(senderSchema, "sender; required with `mail.smtp`"),
    newOrders: setting(
      flagSchema,
      true,
      "send a message about each order to `contact.email`, or to `mail.from` without it",
    ),
    payments: setting(
      flagSchema,
      true,
      "send you a message when a placed order is paid, unless you recorded the payment in the console or with a command",
    ),
    refundsDue: setting(
      flagSchema,
      true,
      "send you a message about each payment to refund, unless you canceled its order in the console or with a command",
    ),
    lowStock: setting(
      createIntegerSchema(1_000_000, 0),
      2,
      "send you a message when an order reduces the stock of a variant to this level or below; 0: never",
    ),
    contacts: setting(flagSchema, true, "send you the messages and comments of customers"),
    refunds: setting(flagSchema, true, "send customers an email about each refund that you record"),
  }),
  v.forward(
    v.partialCheck(
      [["smtp"], ["from"]],
      ({ smtp, from }) => smtp === undefined || from !== undefined,
      'is required with mail.smtp, like "shop@shop.example"',
    ),
    ["from"],
  ),
);

/** Returns whether a URL has a host, and a user and a password that are percent-encoded. */
function isMailServerUrl(input: string): boolean {
  const url = URL.parse(input);
  if (url === null || url.hostname === "" || hasMisplacedHost(url)) return false;
  return isDecodable(url.username) && isDecodable(url.password);
}

function isSafeReceiverUrl(input: string): boolean {
  const url = URL.parse(input);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}

function countSecretBytes(input: string): number {
  return Buffer.from(input.slice("whsec_".length), "base64").length;
}
