import { assignTestGroup } from "../predictive-search/team-draft.ts";
import { createAttribution } from "./attribution.ts";
import { findLatestTypedSearch, isContinuation } from "./event-log.ts";
import { trackReformulations } from "./reformulations.ts";
import type { ProductEvent, reportedKinds, SearchClick, SearchEvent, TrackedEvent } from "./signals.ts";

/**
 * A search, or an action after a search. Every search is reported as "searched", and additionally as "not_found" if no
 * catalog entry contains all its words.
 */
export interface SearchOutcome {
  readonly kind: (typeof reportedKinds)[number];
  /** Text of the search when typing ended. */
  readonly q: string;
  readonly locale: string;
  readonly address: string;
  /** Time in milliseconds since 1970. */
  readonly at: number;
}

export interface SessionListener {
  onOutcome(outcome: SearchOutcome): void;
  onClick(click: SearchClick): void;
}

/** Milliseconds without typing after which a search is complete. */
const TYPING_PAUSE_MS = 10_000;
/** Milliseconds between checks for complete searches. */
const CHECK_INTERVAL_MS = 1_000;
/**
 * Maximum number of visitors who are typing at the same time. If there are more, the oldest searches count as complete.
 */
const MAX_TYPING_VISITORS = 10_000;

/**
 * Separates searches from the intermediate texts that visitors type, and attributes clicks to searches. All events of a
 * visitor must reach the same instance.
 */
export function trackSessions({ onOutcome, onClick }: SessionListener, now: () => number) {
  const attribution = createAttribution();
  const reformulations = trackReformulations();
  /** Last typing event by visitor. Visitors who have not typed for the longest time come first. */
  const typingEvents = new Map<string, SearchEvent>();
  let timer: NodeJS.Timeout | undefined;

  const completeSearch = ({ visitor, q, locale, isFound, address, at }: SearchEvent): void => {
    typingEvents.delete(visitor);
    if (q.trim() === "") return;
    reformulations.recordSearch(visitor, { q, locale }, at);
    onOutcome({ kind: "searched", q, locale, address, at });
    if (!isFound) onOutcome({ kind: "not_found", q, locale, address, at });
  };
  const completeOldSearches = (time: number): void => {
    for (const event of typingEvents.values()) {
      if (event.at > time && typingEvents.size <= MAX_TYPING_VISITORS) break;
      completeSearch(event);
    }
  };
  const completeIdleSearches = (): void => {
    completeOldSearches(now() - TYPING_PAUSE_MS);
    timer = typingEvents.size === 0 ? undefined : setTimeout(completeIdleSearches, CHECK_INTERVAL_MS).unref();
  };
  const handleSearch = (event: SearchEvent): void => {
    const { visitor, at, q } = event;
    const previousEvent = typingEvents.get(visitor);
    typingEvents.delete(visitor);
    const isContinuedTyping =
      previousEvent !== undefined && at - previousEvent.at <= TYPING_PAUSE_MS && isContinuation(previousEvent.q, q);
    if (previousEvent !== undefined && !isContinuedTyping) completeSearch(previousEvent);
    attribution.recordSearch(event);
    if (event.kind === "searched") completeSearch(event);
    else typingEvents.set(visitor, isContinuedTyping ? findLatestTypedSearch(previousEvent, event) : event);
  };
  const handleClick = (event: ProductEvent): void => {
    const { kind, visitor, product, address, at } = event;
    const search = attribution.findAttributedSearch(event);
    if (search === undefined) return;
    if (kind === "ordered") {
      onClick({ search, product, action: kind, arm: assignTestGroup(visitor, at), address, at });
      return;
    }
    const previousEvent = typingEvents.get(visitor);
    if (previousEvent !== undefined) completeSearch(previousEvent);
    const { q, locale } = search;
    // Several reports of the same search count once. The search is reported again here, so that a click on a suggestion
    // for an incomplete word never counts without a search.
    onOutcome({ kind: "searched", q, locale, address, at });
    onOutcome({ kind: "clicked", q, locale, address, at });
    if (kind === "added") onOutcome({ kind: "added", q, locale, address, at });
    // A results page without results shows no products, so the click is not attributed to it.
    if (search.kind === "searched" && !search.isFound) return;
    const failedQuery = reformulations.recordSuccess(visitor, search, at);
    const failedQueryField = failedQuery === undefined ? {} : { failedQuery };
    onClick({ search, product, action: kind, arm: assignTestGroup(visitor, at), address, at, ...failedQueryField });
  };
  return {
    /** Processes events.  @param events in order of occurrence */
    take(events: readonly TrackedEvent[]) {
      for (const event of events) {
        if ("product" in event) handleClick(event);
        else handleSearch(event);
      }
      completeOldSearches(now() - TYPING_PAUSE_MS);
      if (typingEvents.size > 0) timer ??= setTimeout(completeIdleSearches, CHECK_INTERVAL_MS).unref();
    },
    /** Completes all searches that are being typed. */
    close() {
      clearTimeout(timer);
      completeOldSearches(Number.POSITIVE_INFINITY);
    },
  };
}
