import { type CartWriter, createCartWriter } from "../cart/writer/cart-writer.ts";
import type { Log } from "../observability/log.ts";
import type { ThreadMetrics } from "../observability/metrics.ts";
import { poll } from "../runtime/poll.ts";
import { addCartCache, openCartVersions } from "../storage/cart-cache.ts";
import type { CartDatabaseSource } from "../storage/cart-databases/cart-database-urls.ts";
import { createDistributedCarts } from "../storage/cart-databases/distributed-carts.ts";
import {
  type CartDatabases,
  type OpenCartDatabases,
  openCartDatabases,
} from "../storage/cart-databases/open-cart-databases.ts";
import { removeAllOrderedItems } from "../storage/cart-databases/ordered-carts.ts";
import { createCartStore, type StoredCarts } from "../storage/cart-store.ts";
import type { Database, Statement } from "../storage/database.ts";
import { observeDatabase, sumConnections } from "../storage/observed-database.ts";
import type { SharedMemory } from "./shared-memory.ts";

export interface CartResources {
  /** Database of the shop, which the caller closes. */
  readonly database: Database;
  /** Databases for carts, which the caller closes. Empty if all carts are in `database`. */
  readonly cartDatabases: CartDatabases;
  /** Whether no other process writes to the carts of the database. */
  readonly hasExclusiveCarts: boolean;
  readonly memory: SharedMemory;
  /** Number of this event-loop thread, from 0 to `threads` - 1. */
  readonly thread: number;
  readonly threads: number;
  readonly log: Log;
  readonly newId: () => string;
}

/** The carts of an event-loop thread, and their only writer. */
export interface OpenCarts {
  readonly carts: StoredCarts;
  readonly cartWriter: CartWriter<Statement>;
  /** Stops the background job. */
  close(): Promise<void>;
}

/** Length of a server ID: 48 random bits distinguish the few servers and threads of a database. */
const SERVER_ID_LENGTH = 8;
/** Maximum bytes of carts cached in memory, in all threads together. */
const CART_CACHE_BYTES = 32 * 1_024 * 1_024;
/** Milliseconds between two searches for carts that still contain ordered items. */
const ORDERED_CARTS_INTERVAL_MS = 2_000;

/** Opens the databases for carts, and measures their operations and all connections of the thread. */
export async function openMeasuredCartDatabases(
  sources: readonly CartDatabaseSource[],
  thread: {
    readonly database: Database;
    /** Number of threads of this process that open the databases. */
    readonly threads: number;
    readonly metrics: ThreadMetrics | undefined;
    readonly log: Log;
  },
): Promise<OpenCartDatabases> {
  const { database, threads, metrics, log } = thread;
  const observe = (cartDatabase: Database): Database => observeDatabase(cartDatabase, metrics?.recordDatabaseOperation);
  const opened = await openCartDatabases(sources, { mainDatabase: database, threads, observe, log });
  const connections = sumConnections([database, ...opened.databases.values().map((one) => one.database)]);
  if (connections !== undefined) metrics?.watchConnections(connections);
  return opened;
}

export function openCarts(resources: CartResources): OpenCarts {
  const { database, cartDatabases, hasExclusiveCarts, memory, thread, threads, log, newId } = resources;
  const serverId = newId().slice(0, SERVER_ID_LENGTH);
  const cartStore = createCartStore(database, serverId);
  // Other servers may have cart databases that this server does not know. It must not take their carts for missing ones.
  const carts = hasExclusiveCarts
    ? addCartCache(cartStore, openCartVersions(memory.cartVersions), Math.ceil(CART_CACHE_BYTES / threads))
    : createDistributedCarts(cartStore, cartDatabases, serverId);
  const cartWriter = createCartWriter(carts, database.maxStartDelayMs);
  const jobOptions = { name: "removing ordered items from carts", intervalMs: ORDERED_CARTS_INTERVAL_MS, log };
  // One thread of each server looks, so carts of a crashed server are found, too.
  const job =
    cartDatabases.size > 0 && thread === 0
      ? poll({ ...jobOptions, startsImmediately: true }, () =>
          removeAllOrderedItems({ database, carts, cartWriter }, cartDatabases),
        )
      : undefined;
  return { carts, cartWriter, close: async () => job?.close() };
}
