import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../observability/log.ts";
import type { Keyring } from "../security/keyring.ts";
import type { Database } from "../storage/database.ts";
import { type BoughtProduct, boughtProducts, countPurchases } from "../storage/purchase-store.ts";
import { dayOf } from "../storage/searches/visit-log.ts";

/** How often it is looked for orders that have changed, in milliseconds. */
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
  const closing = new AbortController();
  const digest = (text: string): string => keyring.digest("purchase", text);
  let bought = await boughtProducts(database, now());
  let day = dayOf(now());
  let isFirst = true;

  const look = async (): Promise<void> => {
    const hasChanged = await countPurchases(database, { now: now(), isFirst, digest });
    isFirst = false;
    if (!hasChanged && dayOf(now()) === day) return;
    day = dayOf(now());
    const newest = await boughtProducts(database, now());
    if (JSON.stringify(newest) !== JSON.stringify(bought)) bought = newest;
  };
  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look().catch((error: unknown) => {
        if (!closing.signal.aborted) log.recurring({ error }, "purchases could not be counted");
      });
      await sleep(LOOK_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  };
  const following = follow();
  return {
    current: () => bought,
    async close() {
      closing.abort();
      await following;
    },
  };
}
