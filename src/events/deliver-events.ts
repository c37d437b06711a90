import { createHash } from "node:crypto";
import type { EventMetrics } from "../observability/event-metrics.ts";
import type { Log } from "../observability/log.ts";
import { HOUR_MS } from "../runtime/durations.ts";
import { type PollLoop, poll } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { createDeliveryStore, type EventDelivery } from "../storage/events/delivery-store.ts";
import type { DeliveryOutcome, EventDestination } from "./destination.ts";

export interface DeliveryResources {
  readonly database: Database;
  readonly log: Pick<Log, "warn" | "recurring">;
  /** Counters of deliveries; undefined if deliveries are not counted. */
  readonly metrics?: EventMetrics | undefined;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a random id of at least 128 bits. */
  readonly newId: () => string;
}

/** Milliseconds between two polls for new events. */
const POLL_INTERVAL_MS = 1_000;
/** Maximum number of concurrent deliveries from one server to one receiver. */
const MAX_CONCURRENT_DELIVERIES = 8;
/** Milliseconds that a shutdown waits for running deliveries. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Delivers events to a receiver while the server runs. Several servers can run this at the same time. Each event is
 * delivered at least once, and events about the same subject, such as an order, are delivered in order. A server claims
 * events before it delivers them, and the claims of a crashed server expire.
 */
export function deliverEvents(destination: EventDestination, parts: DeliveryResources): Pick<PollLoop, "close"> {
  const { database, log, metrics, now, newId } = parts;
  const { kind, label, types, attemptTimeoutMs } = destination;
  const store = createDeliveryStore(database, destination.name);
  const pendingDeliveries = new Set<Promise<void>>();
  const abortController = new AbortController();
  let isFailing = false;

  const reportState = (outcome: DeliveryOutcome): void => {
    if (outcome.isDone && isFailing) log.warn({}, `events are delivered to ${label} again`);
    // The failure is not logged, because the answer of a receiver may repeat data of customers.
    if (!outcome.isDone && !isFailing) {
      const problem = outcome.storeMistake ?? `events cannot be delivered to ${label}; retrying`;
      log.warn({}, `${problem}: see "vitrine events list --waiting"`);
    }
    isFailing = !outcome.isDone;
  };
  const deliverEvent = async (delivery: EventDelivery): Promise<void> => {
    const outcome = await destination.deliver(delivery.event, now(), abortController.signal);
    if (outcome.isDone) {
      metrics?.recordDelivery(kind, "done");
      reportState(outcome);
      return store.markDelivered(delivery);
    }
    if (abortController.signal.aborted) return store.markFailed(delivery, { dueAt: now(), wasAttempted: false });
    const { failure, retryAfterMs, postponeDelayMs } = outcome;
    if (postponeDelayMs !== undefined)
      return store.markFailed(delivery, { failure, dueAt: now() + postponeDelayMs, wasAttempted: false });
    reportState(outcome);
    const delayMs = computeBackoffDelay(delivery.attempts + 1, delivery.event.id, retryAfterMs);
    metrics?.recordDelivery(kind, delayMs === undefined ? "dead" : "failed");
    if (delayMs === undefined)
      log.warn(
        {},
        `an event for ${label} was given up, and later events of the same order wait: see "vitrine events list"`,
      );
    await store.markFailed(delivery, {
      // PostgreSQL cannot store NUL, and control characters could manipulate a terminal.
      failure: failure
        .toWellFormed()
        .replaceAll(/\p{Cc}+/gu, " ")
        .slice(0, MAX_FAILURE_LENGTH),
      dueAt: delayMs === undefined ? undefined : now() + delayMs,
      wasAttempted: true,
    });
  };
  const startDelivery = (delivery: EventDelivery): void => {
    // If the result cannot be stored, the event is delivered again after its claim expires.
    const deliveryAttempt = deliverEvent(delivery).catch((error: unknown) =>
      log.recurring({ error }, UNSTORED_RESULT_MESSAGE),
    );
    const completion = deliveryAttempt.then(() => {
      pendingDeliveries.delete(completion);
      job.runNow().catch(() => undefined);
    });
    pendingDeliveries.add(completion);
  };
  const job = poll({ name: "reading events", intervalMs: POLL_INTERVAL_MS, log, startsImmediately: true }, async () => {
    const hasMoreEvents = await store.enqueue(types, now());
    const freeSlotCount = MAX_CONCURRENT_DELIVERIES - pendingDeliveries.size;
    if (freeSlotCount === 0) return;
    const claimedAt = now();
    // A claim lasts twice as long as an attempt, so that the result is stored before the claim expires.
    const claimedDeliveries = await store.claim(freeSlotCount, {
      claim: newId(),
      now: claimedAt,
      until: claimedAt + 2 * attemptTimeoutMs + CLAIM_GRACE_PERIOD_MS,
    });
    claimedDeliveries.forEach(startDelivery);
    return hasMoreEvents ? "again" : undefined;
  });
  return {
    async close() {
      await job.close();
      const shutdownTimer = setTimeout(() => abortController.abort(), CLOSE_TIMEOUT_MS);
      await Promise.all(pendingDeliveries);
      clearTimeout(shutdownTimer);
    },
  };
}

const UNSTORED_RESULT_MESSAGE = "the result of a delivery could not be stored: the event will be sent again";
const CLAIM_GRACE_PERIOD_MS = 1_000;
/** Maximum number of characters of a stored failure message. */
const MAX_FAILURE_LENGTH = 500;

/** Maximum number of attempts to deliver an event, which take about three days in total. */
const MAX_ATTEMPTS = 14;
const FIRST_DELAY_MS = 5_000;
const DELAY_FACTOR = 4;
const MAX_DELAY_MS = 12 * HOUR_MS;

/**
 * Returns the delay before the next attempt: about 5, 20 and 80 seconds, 5, 20 and 85 minutes, 6 hours, then 12 hours.
 * Up to a third is subtracted, depending on the event id, so that events that failed together are not retried together.
 * @param attempts number of attempts so far, at least 1
 * @returns milliseconds; undefined if the event is given up
 */
function computeBackoffDelay(attempts: number, eventId: string, retryAfterMs = 0): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  const delayBeforeJitter = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (attempts - 1), MAX_DELAY_MS);
  const randomFactor = createHash("sha256").update(`${eventId} ${attempts}`).digest().readUInt32BE() / 2 ** 32;
  return Math.min(Math.max(Math.round(delayBeforeJitter * (1 - randomFactor / 3)), retryAfterMs), MAX_DELAY_MS);
}
