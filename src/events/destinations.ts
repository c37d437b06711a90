import type { Config } from "../config/settings.ts";
import type { EventDestination } from "./destination.ts";
import { createMailDestinations, type MailDestinationResources } from "./mail/mail-destination.ts";
import { createWebhook } from "./webhook.ts";

/** Creates the event receivers: the webhooks in the settings, and email if the settings contain a mail server. */
export function createDestinations(
  parts: MailDestinationResources & { readonly config: Config },
): readonly EventDestination[] {
  const { events, mail } = parts.config;
  const { smtp, from } = mail;
  return [
    ...events.webhooks.map((webhook) => createWebhook(webhook, events.timeout)),
    ...(smtp === undefined || from === undefined ? [] : createMailDestinations(parts, smtp, from)),
  ];
}
