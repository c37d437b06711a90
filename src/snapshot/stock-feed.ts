import type { LiveStock } from "../catalog/live/live-stock.ts";
import type { Log } from "../observability/log.ts";
import type { Database } from "../storage/database.ts";
import { lastStockNumber, readStockSince } from "../storage/stock-store.ts";

/** Keeps what is left up with the database. */
export interface StockFeed {
  /** Looks for changes now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** How often it is asked what changed. */
const POLL_MS = 200;
/** Levels read at once: a millisecond or two of this thread's time. */
const PAGE = 500;

/** Takes all levels of a database, then follows what other processes change. */
export async function openStockFeed(
  database: Database,
  stock: Pick<LiveStock, "take">,
  log: Pick<Log, "warn">,
): Promise<StockFeed> {
  let after = { changed: 0, variantId: "" };
  let hasFailed = false;
  let isClosed = false;
  const catchUp = async (): Promise<void> => {
    // Changes are committed in the order of their numbers, so what is read up to one is all there is up to it.
    if ((await lastStockNumber(database)) <= after.changed) return;
    for (;;) {
      const page = await readStockSince(database, after, PAGE);
      stock.take(page);
      const last = page.at(-1);
      if (last !== undefined) after = last;
      if (page.length < PAGE || isClosed) return;
    }
  };
  await catchUp();
  let queue: Promise<unknown> = Promise.resolve();
  const refresh = (): Promise<void> => {
    const mine = queue.then(catchUp);
    queue = mine.catch(() => undefined);
    return mine;
  };
  const poll = async (): Promise<void> => {
    try {
      await refresh();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed && !isClosed) log.warn({ error }, "stock could not be read; what was left before is shown");
      hasFailed = true;
    }
    if (!isClosed) timer = setTimeout(poll, POLL_MS).unref();
  };
  let timer: NodeJS.Timeout = setTimeout(poll, POLL_MS).unref();
  return {
    refresh,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await queue;
    },
  };
}
