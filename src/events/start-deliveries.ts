import type { Config } from "../config/settings.ts";
import { type DeliveryResources, deliverEvents } from "./deliver-events.ts";
import type { EventDestination } from "./destination.ts";
import { createMailDestinations, type MailDestinationResources } from "./mail/mail-destination.ts";
import { createWebhook } from "./webhook.ts";

/** Deliveries to all receivers of events. */
export interface RunningDeliveries {
  /** Delivers with other settings from now on. Deliveries in progress are completed with the previous settings. */
  restart(config: Config): void;
  close(): Promise<void>;
}

/** Starts to deliver events to the receivers in the settings. */
export function startDeliveries(
  config: Config,
  parts: Omit<MailDestinationResources, "config"> & DeliveryResources,
): RunningDeliveries {
  const start = (deliveryConfig: Config): readonly { close(): Promise<void> }[] =>
    createDestinations({ ...parts, config: deliveryConfig }).map((destination) => deliverEvents(destination, parts));
  const stop = async (deliveries: readonly { close(): Promise<void> }[]): Promise<void> => {
    await Promise.all(deliveries.map((delivery) => delivery.close()));
  };
  let runningDeliveries = start(config);
  let stopPromise: Promise<unknown> = Promise.resolve();
  return {
    restart(newConfig) {
      stopPromise = Promise.all([stopPromise, stop(runningDeliveries)]);
      runningDeliveries = start(newConfig);
    },
    async close() {
      await Promise.all([stopPromise, stop(runningDeliveries)]);
    },
  };
}

/** Creates the event receivers: the webhooks in the settings, and email if the settings contain a mail server. */
function createDestinations(
  parts: MailDestinationResources & { readonly config: Config },
): readonly EventDestination[] {
  const { events, mail } = parts.config;
  const { smtp, from } = mail;
  return [
    ...events.webhooks.map((webhook) => createWebhook(webhook, events.timeout)),
    ...(smtp === undefined || from === undefined ? [] : createMailDestinations(parts, smtp, from)),
  ];
}
