import type { SignalEvent, TrackedEvent } from "./signals.ts";

/** Milliseconds after the first event until a batch is sent. */
const BATCH_MS = 1_000;
/** Maximum number of events in a batch. Further events are dropped, which happens only during a flood of requests. */
const MAX_BATCH = 5_000;
/** Maximum number of characters of a search or page. Events with longer texts are dropped. */
const MAX_LENGTH = 300;

/**
 * Collects events in order and sends them in batches. For a text that is typed letter by letter, only the last event is
 * sent.
 * @param pageOf returns path and query of a page of this store; undefined for other URLs
 */
export function createEventLog(
  pageOf: (referer: string, origin: string) => string | undefined,
  send: (events: readonly TrackedEvent[]) => void,
) {
  let events: SignalEvent[] = [];
  /** Index of the last typing event by visitor, for visitors who are typing. */
  let typing = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batch = events;
    events = [];
    typing = new Map();
    const tracked = batch.flatMap(({ referer, origin, ...event }): TrackedEvent[] => {
      const page = pageOf(referer, origin);
      return page === undefined || page.length > MAX_LENGTH ? [] : [{ ...event, page }];
    });
    if (tracked.length > 0) send(tracked);
  };
  return {
    add(event: SignalEvent) {
      if ("q" in event && event.q.length > MAX_LENGTH) return;
      const { visitor } = event;
      const index = typing.get(visitor);
      const before = index === undefined ? undefined : events[index];
      if (index !== undefined && before?.kind === "typed" && event.kind === "typed") {
        if (before.referer === event.referer && isContinuation(before.q, event.q)) {
          events[index] = lastTyped(before, event);
          return;
        }
      }
      if (events.length >= MAX_BATCH) return;
      if (event.kind === "typed") typing.set(visitor, events.length);
      else if (index !== undefined) typing.delete(visitor);
      events.push(event);
      timer ??= setTimeout(flush, BATCH_MS).unref();
    },
    /** Sends the collected events immediately. */
    flush,
  };
}

/**
 * Returns the search of two texts that a visitor typed one after the other. Deleting letters does not change the
 * search, for example before typing another word.
 */
export function lastTyped<Search extends { readonly q: string; readonly at: number }>(
  before: Search,
  next: Search,
): Search {
  return next.q.length < before.q.length && before.q.startsWith(next.q) ? { ...before, at: next.at } : next;
}

/**
 * Returns whether two texts are stages of typing one search: one starts with the other, apart from up to two wrong
 * letters.
 */
export function isContinuation(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let common = 0;
  while (common < shorter && one.charCodeAt(common) === other.charCodeAt(common)) common += 1;
  return common >= Math.max(1, shorter - 2);
}
