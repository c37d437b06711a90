import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { emitNotFound } from "../storage/events/not-found.ts";

/** Milliseconds between two runs. */
const LOOK_MS = 60_000;

/** Adds an event for each past day with searches without results. */
export function tellNotFound(
  database: Database,
  parts: { readonly now: () => number; readonly newId: () => string; readonly log: Pick<Log, "recurring"> },
): Poll {
  const { now, newId, log } = parts;
  return poll({ name: "adding events of searches without results", everyMs: LOOK_MS, log, startsNow: true }, () =>
    emitNotFound(database, { now: now(), newId }),
  );
}
