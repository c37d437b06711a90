import type { LiveStock } from "../catalog/live/live-stock.ts";
import type { Log } from "../observability/log.ts";
import { poll } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { lastStockNumber, readStockSince } from "../storage/stock-store.ts";

/** Milliseconds between polls. */
const POLL_MS = 200;
/** Number of levels that are read at once: one or two milliseconds of this thread's time. */
const PAGE = 500;

/** Reads all stock levels of a database, then polls for the changes of other processes. */
export async function openStockFeed(
  database: Database,
  stock: Pick<LiveStock, "applyChanges">,
  log: Pick<Log, "recurring">,
) {
  let after = { changeNumber: 0, variantId: "" };
  const catchUp = async (signal?: AbortSignal): Promise<void> => {
    // Changes are committed in the order of their numbers, so no earlier change can appear later.
    if ((await lastStockNumber(database)) <= after.changeNumber) return;
    for (;;) {
      const page = await readStockSince(database, after, PAGE);
      stock.applyChanges(page);
      const last = page.at(-1);
      if (last !== undefined) after = last;
      if (page.length < PAGE || signal?.aborted) return;
    }
  };
  await catchUp();
  const job = poll({ name: "reading stock", everyMs: POLL_MS, log }, catchUp);
  return {
    /** Reads changes immediately. */
    refresh: job.runNow,
    close: job.close,
  };
}
