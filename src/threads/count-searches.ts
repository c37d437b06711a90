import { addressBlock } from "../http/wire/address-block.ts";
import type { Log } from "../observability/log.ts";
import { createSearchSessions } from "../predictive-search/sessions/search-sessions.ts";
import type { SearchStep } from "../predictive-search/sessions/search-steps.ts";
import type { Limits } from "../runtime/limits.ts";
import { createKeyring } from "../security/keyring.ts";
import type { Database } from "../storage/database.ts";
import { createSearchDayLog } from "../storage/searches/search-day-store.ts";
import { newRowsOf } from "./shared-memory.ts";

/** Counts what shoppers search and what comes of it, where all steps of the process come together. */
export interface SearchCounts {
  /** @param steps of one loop, in their order */
  take(steps: readonly SearchStep[]): void;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

export function countSearches(parts: {
  readonly database: Database;
  readonly limits: Limits;
  readonly secrets: readonly string[];
  /** How many loops tell of steps. */
  readonly threads: number;
  readonly log: Pick<Log, "warn">;
  readonly now: () => number;
  readonly newId: () => string;
}): SearchCounts {
  const { database, limits, secrets, threads, log, now, newId } = parts;
  const keyring = createKeyring(secrets);
  const days = createSearchDayLog(database, {
    newSalt: newId,
    digest: (text) => keyring.digest("search", text),
    newRows: newRowsOf(limits, "new search of a day"),
    log,
  });
  const sessions = createSearchSessions(
    ({ q, locale, outcome, address, at }) =>
      days.record({ term: q, locale, outcome }, addressBlock(address, { ipv4: 24, ipv6: 48 }), at),
    now,
  );
  // A visitor's requests come to any thread, and what one thread gathers may come after what another did later.
  const inOrder = threads === 1 ? { take: sessions.take, flush: () => {} } : putInOrder(sessions.take);
  return {
    take: inOrder.take,
    close() {
      inOrder.flush();
      sessions.close();
      return days.close();
    },
  };
}

/** Longer than a loop gathers steps, in milliseconds. */
const WAIT_MS = 1_500;

/** Hands steps of several threads on in the order in which they were done: each waits until those before it have come from everywhere. */
function putInOrder(take: SearchCounts["take"]): Pick<SearchCounts, "take"> & { flush(): void } {
  let waiting: SearchStep[] = [];
  /** Those of them that came before the last look. */
  let old = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const last = waiting.slice(0, old).reduce((latest, { at }) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
    const [due, rest] = [waiting.filter(({ at }) => at <= last), waiting.filter(({ at }) => at > last)];
    waiting = rest;
    old = rest.length;
    if (due.length > 0) take(due.sort((one, other) => one.at - other.at));
    timer = waiting.length === 0 ? undefined : setTimeout(look, WAIT_MS).unref();
  };
  return {
    take(steps) {
      waiting.push(...steps);
      timer ??= setTimeout(look, WAIT_MS).unref();
    },
    flush() {
      clearTimeout(timer);
      if (waiting.length > 0) take(waiting.sort((one, other) => one.at - other.at));
      waiting = [];
    },
  };
}
