import type { SignalEvent, TrackedEvent } from "./signals.ts";

/** Milliseconds after the first event until a batch is sent. */
const BATCH_INTERVAL_MS = 1_000;
/** Maximum number of events in a batch. Further events are dropped, which happens only during a flood of requests. */
const MAX_BATCH_EVENTS = 5_000;
/** Maximum number of characters of a search or page. Events with longer texts are dropped. */
const MAX_TEXT_LENGTH = 300;

/**
 * Collects events in order and sends them in batches. For a text that is typed letter by letter, only the last event is
 * sent.
 * @param findPage returns path and query of a page of this store; undefined for other URLs
 */
export function createEventLog(
  findPage: (referer: string, origin: string) => string | undefined,
  sendEvents: (events: readonly TrackedEvent[]) => void,
) {
  let events: SignalEvent[] = [];
  /** Index in `events` of each visitor's last typing event. */
  let typingEvents = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const eventBatch = events;
    events = [];
    typingEvents = new Map();
    const trackedEvents = eventBatch.flatMap(({ referer, origin, ...event }): TrackedEvent[] => {
      const page = findPage(referer, origin);
      return page === undefined || page.length > MAX_TEXT_LENGTH ? [] : [{ ...event, page }];
    });
    if (trackedEvents.length > 0) sendEvents(trackedEvents);
  };
  return {
    add(event: SignalEvent) {
      if ("q" in event && event.q.length > MAX_TEXT_LENGTH) return;
      const { visitor } = event;
      const index = typingEvents.get(visitor);
      const previousEvent = index === undefined ? undefined : events[index];
      if (index !== undefined && previousEvent?.kind === "typed" && event.kind === "typed") {
        if (previousEvent.referer === event.referer && isContinuation(previousEvent.q, event.q)) {
          events[index] = findLatestTypedSearch(previousEvent, event);
          return;
        }
      }
      if (events.length >= MAX_BATCH_EVENTS) return;
      if (event.kind === "typed") typingEvents.set(visitor, events.length);
      else if (index !== undefined) typingEvents.delete(visitor);
      events.push(event);
      timer ??= setTimeout(flush, BATCH_INTERVAL_MS).unref();
    },
    /** Sends the collected events immediately. */
    flush,
  };
}

/**
 * Returns the search that a visitor most likely intended, given two texts that were typed one after the other. If the
 * visitor only deleted letters at the end, for example before typing another word, this is the longer, earlier text.
 * Otherwise it is the later text.
 */
export function findLatestTypedSearch<Search extends { readonly q: string; readonly at: number }>(
  previousEvent: Search,
  nextSearch: Search,
): Search {
  return nextSearch.q.length < previousEvent.q.length && previousEvent.q.startsWith(nextSearch.q)
    ? { ...previousEvent, at: nextSearch.at }
    : nextSearch;
}

/**
 * Returns whether two texts are stages of typing one search: one starts with the other, apart from up to two wrong
 * letters.
 */
export function isContinuation(text: string, otherText: string): boolean {
  const minLength = Math.min(text.length, otherText.length);
  let commonPrefixLength = 0;
  while (
    commonPrefixLength < minLength &&
    text.charCodeAt(commonPrefixLength) === otherText.charCodeAt(commonPrefixLength)
  )
    commonPrefixLength += 1;
  return commonPrefixLength >= Math.max(1, minLength - 2);
}
