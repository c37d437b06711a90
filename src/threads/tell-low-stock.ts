import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { emitLowStock } from "../storage/events/low-stock.ts";

/** Milliseconds between two runs. */
const LOOK_MS = 1_000;

/** Adds events for variants whose stock is low. */
export function tellLowStock(
  database: Database,
  threshold: number,
  parts: { readonly now: () => number; readonly newId: () => string; readonly log: Pick<Log, "recurring"> },
): Poll {
  const { now, newId, log } = parts;
  return poll({ name: "adding events of low stock", everyMs: LOOK_MS, log, startsNow: true }, async () => {
    const hasMore = await emitLowStock(database, threshold, { now: now(), newId });
    return hasMore ? "again" : undefined;
  });
}
