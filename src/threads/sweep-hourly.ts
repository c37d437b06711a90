import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import { sweepAppliedWrites } from "../storage/applied-writes.ts";
import { sweepCarts } from "../storage/cart-store.ts";
import { sweepCheckouts } from "../storage/checkouts/lapse.ts";
import type { Database } from "../storage/database.ts";
import { sweepDiscountUses } from "../storage/discount-uses.ts";
import { sweepEvents } from "../storage/events/event-rows.ts";
import { purgeSignals } from "../storage/signals/forget-signals.ts";

/** Deletes abandoned carts, keys of writes that count no more, uses of discounts that have lapsed, checkouts that came to nothing, events of long ago and old signals,
 *  every hour; the first time an hour after the start, so that a clock which is wrong then can be set. */
export function sweepHourly(database: Database, cookieDays: number, now: () => number, log: Log): Poll {
  let hasToldKept = false;
  const tellKept = (message: string): void => {
    if (!hasToldKept) log.warn({}, message);
    hasToldKept = true;
  };
  return poll({ name: "deleting old rows", everyMs: SWEEP_MS, log }, async () => {
    await sweepCarts(database, cookieDays, now(), tellKept);
    await sweepAppliedWrites(database, now());
    await sweepDiscountUses(database, now());
    await sweepCheckouts(database, now());
    await sweepEvents(database, now());
    await purgeSignals(database, now());
  });
}

/** How often abandoned carts are looked for, in milliseconds. */
const SWEEP_MS = 3_600_000;
