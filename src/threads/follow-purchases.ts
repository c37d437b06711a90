import type { Log } from "../observability/log.ts";
import { poll } from "../runtime/poll.ts";
import type { Keyring } from "../security/keyring.ts";
import type { Database } from "../storage/database.ts";
import { type BoughtProduct, boughtProducts, countPurchases } from "../storage/purchase-store.ts";
import { dayOf } from "../storage/searches/visit-log.ts";

/** Milliseconds between two runs. */
const LOOK_MS = 5_000;

/** What buyers bought, kept up with the orders. */
export interface FollowedPurchases {
  /** The same list until it changes. */
  readonly current: () => readonly BoughtProduct[];
  close(): Promise<void>;
}

/** Counts purchases beside the shop, from the start on: orders that were placed before count too. */
export async function followPurchases(
  database: Database,
  parts: {
    readonly keyring: Pick<Keyring, "digest">;
    readonly now: () => number;
    readonly log: Pick<Log, "recurring">;
  },
): Promise<FollowedPurchases> {
  const { keyring, now, log } = parts;
  const digest = (text: string): string => keyring.digest("purchase", text);
  let bought = await boughtProducts(database, now());
  let day = dayOf(now());
  let isFirst = true;

  const job = poll({ name: "counting purchases", everyMs: LOOK_MS, log, startsNow: true }, async () => {
    const hasChanged = await countPurchases(database, { now: now(), isFirst, digest });
    isFirst = false;
    if (!hasChanged && dayOf(now()) === day) return;
    day = dayOf(now());
    const newest = await boughtProducts(database, now());
    if (JSON.stringify(newest) !== JSON.stringify(bought)) bought = newest;
  });
  return { current: () => bought, close: job.close };
}
