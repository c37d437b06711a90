import type { LiveStock } from "../catalog/live/live-stock.ts";
import type { Log } from "../observability/log.ts";
import { poll } from "../runtime/poll.ts";
import { type Database, getPollInterval } from "../storage/database.ts";
import { readLastStockNumber, readStockChanges } from "../storage/stock-store.ts";

/** Milliseconds between polls. */
const POLL_INTERVAL_MS = 200;
/** Number of stock levels that are read at once, which takes one or two milliseconds. */
const PAGE_SIZE = 500;

/** Reads all stock levels of a database, then polls for the changes of other processes. */
export async function openStockFeed(
  database: Database,
  stock: Pick<LiveStock, "applyChanges">,
  log: Pick<Log, "recurring">,
) {
  let lastChange = { changeNumber: 0, variantId: "" };
  const readChanges = async (signal?: AbortSignal): Promise<void> => {
    // Changes are committed in the order of their numbers, so no earlier change can appear later.
    if ((await readLastStockNumber(database)) <= lastChange.changeNumber) return;
    for (;;) {
      const page = await readStockChanges(database, lastChange, PAGE_SIZE);
      stock.applyChanges(page);
      const lastLevel = page.at(-1);
      if (lastLevel !== undefined) lastChange = lastLevel;
      if (page.length < PAGE_SIZE || signal?.aborted) return;
    }
  };
  await readChanges();
  const job = poll(
    { name: "reading stock", intervalMs: getPollInterval(database, POLL_INTERVAL_MS), log },
    readChanges,
  );
  return {
    /** Reads changes immediately. */
    refresh: job.runNow,
    close: job.close,
  };
}
