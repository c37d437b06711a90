import type { Log } from "../observability/log.ts";
import { poll } from "../runtime/poll.ts";
import type { Keyring } from "../security/keyring.ts";
import { dayOf } from "../signals/decay.ts";
import type { Database } from "../storage/database.ts";
import { countPurchases } from "../storage/signals/count-purchases.ts";
import { readTotals } from "../storage/signals/read-totals.ts";

/** Milliseconds between polls. */
const POLL_INTERVAL_MS = 2_000;
/** Maximum milliseconds between two reads of the totals. New orders and the start of a day cause an earlier read. */
const READ_INTERVAL_MS = 60_000;

/**
 * Keeps the totals of searches, clicks and sales in sync with the database by reading them regularly. If sales are
 * enabled, also counts new orders.
 */
export async function syncSignals(
  database: Database,
  parts: {
    readonly enabledBoosts: Parameters<typeof readTotals>[2];
    readonly keyring: Pick<Keyring, "digest">;
    readonly now: () => number;
    readonly log: Pick<Log, "recurring">;
  },
) {
  const { enabledBoosts, keyring, now, log } = parts;
  const hashText = (text: string): string => keyring.digest("purchase", text);
  let lastReadTime = now();
  let totals = await readTotals(database, lastReadTime, enabledBoosts);

  const job = poll(
    { name: "reading shoppers' signals", intervalMs: POLL_INTERVAL_MS, log, startsImmediately: true },
    async () => {
      const time = now();
      const hasSales = enabledBoosts.sales && (await countPurchases(database, { now: time, digest: hashText }));
      if (!hasSales && time - lastReadTime < READ_INTERVAL_MS && dayOf(time) === dayOf(lastReadTime)) return;
      const newTotals = await readTotals(database, time, enabledBoosts);
      lastReadTime = time;
      if (JSON.stringify(newTotals) !== JSON.stringify(totals)) totals = newTotals;
    },
  );
  return {
    /** Returns the current totals. Returns the same object until the totals change. */
    current: () => totals,
    close: job.close,
  };
}
