import type { LiveStock } from "../catalog/live/live-stock.ts";
import type { Log } from "../observability/log.ts";
import { poll } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { lastStockNumber, readStockSince } from "../storage/stock-store.ts";

/** Keeps the stock levels of this process up to date with the database. */
export interface StockFeed {
  /** Reads changes now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds between two reads. */
const POLL_MS = 200;
/** Levels read at once: a millisecond or two of this thread's time. */
const PAGE = 500;

/** Takes all levels of a database, then follows what other processes change. */
export async function openStockFeed(
  database: Database,
  stock: Pick<LiveStock, "take">,
  log: Pick<Log, "recurring">,
): Promise<StockFeed> {
  let after = { changed: 0, variantId: "" };
  const catchUp = async (signal?: AbortSignal): Promise<void> => {
    // Changes are committed in the order of their numbers, so what is read up to one is all there is up to it.
    if ((await lastStockNumber(database)) <= after.changed) return;
    for (;;) {
      const page = await readStockSince(database, after, PAGE);
      stock.take(page);
      const last = page.at(-1);
      if (last !== undefined) after = last;
      if (page.length < PAGE || signal?.aborted) return;
    }
  };
  await catchUp();
  const job = poll({ name: "reading stock", everyMs: POLL_MS, log }, catchUp);
  return { refresh: job.now, close: job.close };
}
