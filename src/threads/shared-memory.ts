import { createCurrentStock, type LiveStock } from "../catalog/live/live-stock.ts";
import { createStockBuffers, createStockTable, type StockBuffers } from "../catalog/live/stock-table.ts";
import type { ThreadMetrics } from "../observability/metrics.ts";
import { allocateSearchTimes } from "../observability/search-times.ts";
import { allocateLimitMemory, createLimits, limitsByName, type RateLimits } from "../runtime/limits.ts";
import { allocateCartVersions } from "../storage/cart-cache.ts";

/** Memory that the threads of a process share. */
export interface SharedMemory {
  readonly limits: SharedArrayBuffer;
  readonly cartVersions: SharedArrayBuffer;
  /** Remaining stock of variants. */
  readonly stock: StockBuffers;
  /** Number of open connections, 32 bits for each thread. */
  readonly openConnections: SharedArrayBuffer;
  readonly searchTimes: SharedArrayBuffer;
}

export function createSharedMemory(threads: number): SharedMemory {
  return {
    limits: allocateLimitMemory(limitsByName),
    cartVersions: allocateCartVersions(),
    stock: createStockBuffers(),
    openConnections: new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT),
    searchTimes: allocateSearchTimes(),
  };
}

/** Returns one thread's access to the remaining stock of variants in shared memory. */
export function openSharedStock({ stock }: SharedMemory): LiveStock {
  return createCurrentStock(createStockTable(stock));
}

/** Returns one thread's access to the rate limits of the process. */
export function openLimits(
  memory: SharedMemory,
  metrics: Pick<ThreadMetrics, "recordRejection"> | undefined,
): RateLimits {
  return createLimits(limitsByName, {
    memory: memory.limits,
    ...(metrics === undefined ? {} : { onLimitHit: metrics.recordRejection }),
  });
}
