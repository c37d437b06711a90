import type { Log } from "../observability/log.ts";
import type { Database } from "../storage/database.ts";
import { emitLowStock } from "../storage/events/low-stock.ts";

/** How often it is looked for variants of which few are left, in milliseconds. */
const LOOK_MS = 1_000;

/** Puts events of low stock into the outbox, from the start on. @returns stops it */
export function tellLowStock(
  database: Database,
  threshold: number,
  parts: { readonly now: () => number; readonly newId: () => string; readonly log: Pick<Log, "recurring"> },
): () => void {
  const { now, newId, log } = parts;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    let hasMore = false;
    try {
      hasMore = await emitLowStock(database, threshold, { now: now(), newId });
    } catch (error) {
      if (!isClosed) log.recurring({ error }, "stock could not be looked at for what is low");
    }
    if (!isClosed) timer = setTimeout(look, hasMore ? 0 : LOOK_MS).unref();
  };
  void look();
  return () => {
    isClosed = true;
    clearTimeout(timer);
  };
}
