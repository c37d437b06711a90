import type { Config } from "../config/settings.ts";
import type { Destination } from "./destination.ts";
import { createMailDestination, type MailParts } from "./mail/mail-destination.ts";
import { createWebhook } from "./webhook.ts";

/** All who are told of events, as the settings say. */
export function createDestinations(parts: MailParts & { readonly config: Config }): readonly Destination[] {
  const { smtp, from } = parts.config.mail;
  return [
    ...createWebhooks(parts.config),
    ...(smtp === undefined || from === undefined ? [] : [createMailDestination(parts, smtp, from)]),
  ];
}

export function createWebhooks({ events }: Pick<Config, "events">): readonly Destination[] {
  return events.webhooks.map((webhook) => createWebhook(webhook, events.timeout));
}
