import type { Config } from "../config/settings.ts";
import type { Destination } from "./destination.ts";
import { createWebhook } from "./webhook.ts";

/** All who are told of events, as the settings say. */
export function createDestinations({ events }: Pick<Config, "events">): readonly Destination[] {
  return events.webhooks.map((webhook) => createWebhook(webhook, events.timeout));
}
