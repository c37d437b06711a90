import { type Config, isCountingSearches } from "../config/settings.ts";
import { findAddressBlock } from "../http/wire/address-block.ts";
import type { Log } from "../observability/log.ts";
import type { RateLimits } from "../runtime/limits.ts";
import { createKeyring } from "../security/keyring.ts";
import { findReformulation } from "../signals/reformulations.ts";
import { trackSessions } from "../signals/sessions.ts";
import {
  type ClicksHandler,
  type CountedSignal,
  preferenceKind,
  type SearchClick,
  type SignalSink,
  type TrackedEvent,
} from "../signals/signals.ts";
import type { Database } from "../storage/database.ts";
import { createSignalCounter } from "../storage/signals/count-signals.ts";

export interface SignalCounts extends SignalSink {
  /** Writes all events that were tracked so far to the database. */
  close(): Promise<void>;
}

/** Returns whether visits are counted, in addition to popular searches. */
export function mustTrackVisits(config: Pick<Config, "search" | "console">): boolean {
  return config.search.implicitFeedback || isCountingSearches(config);
}

/**
 * Counts the tracked events, such as searches and clicks, of all event-loop threads of the process.
 * @param parts.threads number of event-loop threads
 * @param onClicks receives clicks after searches, to compute their weights
 */
export function startSignalCounter(
  parts: {
    readonly config: Config;
    readonly database: Database;
    readonly limits: RateLimits;
    readonly secrets: readonly string[];
    readonly threads: number;
    readonly log: Pick<Log, "warn">;
    readonly now: () => number;
    readonly newId: () => string;
  },
  onClicks: ClicksHandler,
): SignalCounts {
  const { config, database, limits, secrets, threads, log, now, newId } = parts;
  const { implicitFeedback } = config.search;
  const hasReport = isCountingSearches(config);
  const keyring = createKeyring(secrets);
  const counter = createSignalCounter(database, {
    newSalt: newId,
    digest: (text) => keyring.digest("search", text),
    newRows: {
      take: (key, time) => limits.consume("new signal row", key, time),
      refund: (key, time) => limits.refund("new signal row", key, time),
    },
    log,
  });
  const recordSignal = (
    signal: CountedSignal,
    { address, at }: { readonly address: string; readonly at: number },
  ): void => counter.record(signal, findAddressBlock(address, { ipv4: 24, ipv6: 48 }), at);

  let clicks: SearchClick[] = [];
  const sessions = trackSessions(
    {
      onOutcome(outcome) {
        if (hasReport) recordSignal({ kind: outcome.kind, term: outcome.q, locale: outcome.locale }, outcome);
      },
      onClick(click) {
        const isReported = click.failedQuery !== undefined || click.action !== "clicked";
        if (implicitFeedback || (hasReport && isReported)) clicks.push(click);
      },
    },
    now,
  );
  const take = (events: readonly TrackedEvent[]): void => {
    for (const event of events)
      if ("isExact" in event && event.isExact)
        recordSignal({ kind: "found", term: event.q, locale: event.locale }, event);
    if (!mustTrackVisits(config)) return;
    sessions.take(events);
    if (clicks.length > 0) onClicks(clicks);
    clicks = [];
  };
  const eventSorter = threads === 1 ? { take, flush: () => {} } : createEventSorter(take);
  return {
    take: eventSorter.take,
    count(weightedClicks) {
      for (const click of weightedClicks) {
        if ("side" in click) {
          const term = `${click.action} ${click.test}`;
          recordSignal({ kind: preferenceKind, locale: "", term, product: click.side }, click);
          continue;
        }
        const { term, locale, product, action, weight, failedQuery } = click;
        if (implicitFeedback) recordSignal({ kind: "chosen", term, locale, product, action, weight }, click);
        const pair = failedQuery !== undefined && hasReport ? findReformulation(failedQuery, term) : undefined;
        if (pair !== undefined)
          recordSignal({ kind: "reformulated", locale, term: pair.from, product: pair.to }, click);
      }
    },
    close() {
      eventSorter.flush();
      sessions.close();
      return counter.flush();
    },
  };
}

/** Milliseconds to wait for the events of other event-loop threads, which send their events at shorter intervals. */
const EVENT_DELAY_MS = 1_500;

/**
 * Sorts the events of several event-loop threads by time. Requests of one visitor may reach any thread, and a thread
 * may send earlier events later. So each event waits until earlier events have arrived from all threads.
 */
function createEventSorter(onDueEvents: SignalSink["take"]): {
  readonly take: SignalSink["take"];
  flush(): void;
} {
  let pendingEvents: TrackedEvent[] = [];
  /** Number of events that had arrived at the previous check. */
  let checkedCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const checkEvents = (): void => {
    const lastEventTime = pendingEvents
      .slice(0, checkedCount)
      .reduce((latestTime, { at }) => Math.max(latestTime, at), Number.NEGATIVE_INFINITY);
    const [dueEvents, laterEvents] = [
      pendingEvents.filter(({ at }) => at <= lastEventTime),
      pendingEvents.filter(({ at }) => at > lastEventTime),
    ];
    pendingEvents = laterEvents;
    checkedCount = laterEvents.length;
    if (dueEvents.length > 0) onDueEvents(dueEvents.sort((a, b) => a.at - b.at));
    timer = pendingEvents.length === 0 ? undefined : setTimeout(checkEvents, EVENT_DELAY_MS).unref();
  };
  return {
    take(events) {
      pendingEvents.push(...events);
      timer ??= setTimeout(checkEvents, EVENT_DELAY_MS).unref();
    },
    flush() {
      clearTimeout(timer);
      if (pendingEvents.length > 0) onDueEvents(pendingEvents.sort((a, b) => a.at - b.at));
      pendingEvents = [];
    },
  };
}
