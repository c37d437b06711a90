import type { EventMetrics } from "../observability/event-metrics.ts";
import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { createDeliveryStore, type Delivery } from "../storage/events/delivery-store.ts";
import { backoff } from "./backoff.ts";
import type { Destination } from "./destination.ts";

export interface DeliveryParts {
  readonly database: Database;
  readonly log: Pick<Log, "warn" | "recurring">;
  /** Absent: nobody counts. */
  readonly metrics?: EventMetrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 128 random bits or more. */
  readonly newId: () => string;
}

/** Milliseconds between two reads of new events. */
const POLL_MS = 1_000;
/** Events that one receiver is told at once, by each server. */
const AT_ONCE = 8;
/** Milliseconds for which what is under way is waited for as the server stops. */
const CLOSE_MS = 1_000;

/** Tells a receiver of events for as long as the server runs, beside other servers that do so: each event at least once, those of a key in their
 *  order. A server that dies in between leaves its claims, which lapse. */
export function deliverEvents(destination: Destination, parts: DeliveryParts): Pick<Poll, "close"> {
  const { database, log, metrics, now, newId } = parts;
  const { kind, label, types, attemptMs } = destination;
  const store = createDeliveryStore(database, destination.name);
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isFailing = false;

  const tellState = (failure: string | undefined): void => {
    if (failure === undefined && isFailing) log.warn({}, `events are told to ${label} again`);
    if (failure !== undefined && !isFailing)
      log.warn({ error: new Error(failure) }, `events cannot be told to ${label}; they are tried again`);
    isFailing = failure !== undefined;
  };
  const deliver = async (delivery: Delivery): Promise<void> => {
    const outcome = await destination.tell(delivery.event, now(), stopping.signal);
    if (outcome.isDone) {
      metrics?.eventTold(kind, "done");
      tellState(undefined);
      return store.delivered(delivery);
    }
    if (stopping.signal.aborted) return store.failed(delivery, { dueAt: now(), isTried: false });
    const { failure, retryAfterMs, postponedMs } = outcome;
    if (postponedMs !== undefined)
      return store.failed(delivery, { failure, dueAt: now() + postponedMs, isTried: false });
    tellState(failure);
    const wait = backoff(delivery.attempts + 1, delivery.event.id, retryAfterMs);
    metrics?.eventTold(kind, wait === undefined ? "dead" : "failed");
    if (wait === undefined)
      log.warn({}, `an event for ${label} was given up, and holds back what follows it: see "vitrine events list"`);
    await store.failed(delivery, {
      // PostgreSQL keeps no NUL, and a terminal should not be steered.
      failure: failure
        .toWellFormed()
        .replaceAll(/\p{Cc}+/gu, " ")
        .slice(0, MOST_FAILURE),
      dueAt: wait === undefined ? undefined : now() + wait,
      isTried: true,
    });
  };
  const begin = (delivery: Delivery): void => {
    // What cannot be written down is told again once its claim has lapsed.
    const done = deliver(delivery).catch((error: unknown) => log.recurring({ error }, cannotNote));
    const ended = done.then(() => {
      underWay.delete(ended);
      job.now().catch(() => undefined);
    });
    underWay.add(ended);
  };
  const job = poll({ name: "reading events", everyMs: POLL_MS, log, startsNow: true }, async () => {
    const mayBeMore = await store.enqueue(types, now());
    const free = AT_ONCE - underWay.size;
    if (free === 0) return;
    const at = now();
    // Twice the time of an attempt: its end is written down by then.
    const claimed = await store.claim(free, { claim: newId(), now: at, until: at + 2 * attemptMs + SLACK_MS });
    claimed.forEach(begin);
    return mayBeMore ? "again" : undefined;
  });
  return {
    async close() {
      await job.close();
      const late = setTimeout(() => stopping.abort(), CLOSE_MS);
      await Promise.all(underWay);
      clearTimeout(late);
    },
  };
}

const cannotNote = "that an event was told could not be written down: it will be told again";
const SLACK_MS = 1_000;
/** Characters of a failure that are kept. */
const MOST_FAILURE = 500;
