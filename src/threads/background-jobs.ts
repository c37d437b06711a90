import { type Config, isCountingSearches } from "../config/settings.ts";
import type { Log } from "../observability/log.ts";
import { HOUR_MS } from "../runtime/durations.ts";
import { type PollLoop, poll } from "../runtime/poll.ts";
import { purgeAppliedWrites } from "../storage/applied-writes.ts";
import { type CartDatabases, listCartDatabases } from "../storage/cart-databases/open-cart-databases.ts";
import { purgeRemovedOrders } from "../storage/cart-databases/ordered-carts.ts";
import { purgeCarts } from "../storage/cart-store.ts";
import { purgeCatalogLog } from "../storage/catalog/catalog-log-store.ts";
import { expireCheckouts, purgeCheckouts } from "../storage/checkouts/expiry.ts";
import type { StockListener } from "../storage/checkouts/reservations.ts";
import { purgeTestOrders } from "../storage/checkouts/test-orders.ts";
import type { Database } from "../storage/database.ts";
import { purgeDiscountUses } from "../storage/discount-uses.ts";
import { purgeEvents } from "../storage/events/event-rows.ts";
import { emitLowStock } from "../storage/events/low-stock.ts";
import { emitSearchesWithoutResults } from "../storage/events/not-found.ts";
import { purgeSignals } from "../storage/signals/forget-signals.ts";

export interface JobResources {
  readonly config: Config;
  readonly database: Database;
  readonly cartDatabases: CartDatabases;
  readonly onStock: StockListener;
  readonly log: Log;
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * Starts the background jobs of a server. Each server runs them for the whole database, so reservations of a crashed
 * server expire too.
 */
export function startBackgroundJobs(resources: JobResources): readonly PollLoop[] {
  const { config, database, cartDatabases, onStock, log, now, newId } = resources;
  const { stockLow } = config.events;
  let isReported = false;
  const logWarningOnce = (message: string): void => {
    if (!isReported) log.warn({}, message);
    isReported = true;
  };
  const purgeCartsOf = (cartDatabase: Database): Promise<number> => {
    // A database that gets no new carts has no recent writes, although the shop is open.
    const otherDatabases = listCartDatabases(database, cartDatabases).filter((one) => one !== cartDatabase);
    return purgeCarts(cartDatabase, config.cart.cookieDays, now(), logWarningOnce, otherDatabases);
  };
  // The first run starts an hour after the server starts, so that a wrong clock can be corrected before rows are
  // deleted.
  const jobs = [
    poll({ name: "deleting old rows", intervalMs: HOUR_MS, log }, async () => {
      await purgeCartsOf(database);
      await purgeAppliedWrites(database, now());
      await purgeDiscountUses(database, now());
      await purgeTestOrders(database, now());
      await purgeCheckouts(database, now());
      await purgeEvents(database, now());
      await purgeCatalogLog(database, now());
      await purgeSignals(database, now());
    }),
    poll({ name: "releasing expired checkouts", intervalMs: 2_000, log }, () =>
      expireCheckouts({ database, onStock }, now()),
    ),
  ];
  // Each cart database has its own job, so that an unavailable one does not stop the others.
  for (const { database: cartDatabase } of cartDatabases.values())
    jobs.push(
      poll({ name: "deleting old carts", intervalMs: HOUR_MS, log }, async () => {
        await purgeCartsOf(cartDatabase);
        await purgeAppliedWrites(cartDatabase, now());
        await purgeRemovedOrders(cartDatabase, now());
      }),
    );
  if (stockLow !== undefined)
    jobs.push(
      poll({ name: "adding events of low stock", intervalMs: 1_000, log, startsImmediately: true }, async () => {
        const hasMoreItems = await emitLowStock(database, stockLow, { now: now(), newId });
        return hasMoreItems ? "again" : undefined;
      }),
    );
  if (isCountingSearches(config))
    jobs.push(
      poll(
        { name: "adding events of searches without results", intervalMs: 60_000, log, startsImmediately: true },
        () => emitSearchesWithoutResults(database, { now: now(), newId }),
      ),
    );
  return jobs;
}
