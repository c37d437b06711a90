import type { LiveStock } from "../catalog/live/live-stock.ts";
import type { Log } from "../observability/log.ts";
import type { PollLoop } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { pollChanges } from "../storage/poll-changes.ts";
import { readLastStockNumber, readStockChanges } from "../storage/stock-store.ts";

/** Number of stock levels that are read at once, which takes one or two milliseconds. */
const PAGE_SIZE = 500;

/** Reads all stock levels of a database, then their changes. */
export async function openStockFeed(
  database: Database,
  stock: Pick<LiveStock, "applyChanges">,
  log: Pick<Log, "recurring">,
): Promise<Pick<PollLoop, "close">> {
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
  return pollChanges(database, "stock", { name: "reading stock", log }, readChanges);
}
