import type { StockTable } from "./stock-table.ts";

/** Products whose stock affects cached data. */
export interface StockWatcher {
  /** Returns whether the stock of all these products is unchanged. */
  isCurrent(): boolean;
}

/**
 * Records which products a thread reads, so that derived data can be cached until their stock changes. Reads of
 * concurrent requests are included: a cached response may depend on more products than it shows, never on fewer.
 */
export interface StockReadLog {
  record(counterIndices: Int32Array, version: number): void;
  /**
   * Records that a thread read very many products, instead of recording each of them. Cached data that is based on
   * these products then becomes outdated with any stock change.
   */
  recordFullRead(): void;
  /** Starts recording reads.  @returns a function that returns the products read since then */
  watch(): () => StockWatcher;
}

/** Maximum number of recorded reads, enough for several hundred requests. */
const MAX_RECORDED_READS = 4_096;
/** Maximum number of products that a response depends on. A response with more products depends on all stock. */
const MAX_WATCHED_PRODUCTS = 300;

export function createStockReadLog(levels: Pick<StockTable, "versionOf" | "epoch">): StockReadLog {
  const recordedIndices: (Int32Array | undefined)[] = new Array(MAX_RECORDED_READS);
  const versionsAtRead = new Float64Array(MAX_RECORDED_READS);
  let count = 0;
  let lastFullReadIndex = -1;
  const findWatchedProducts = (firstIndex: number): WatchedProduct[] | undefined => {
    if (count - firstIndex > MAX_RECORDED_READS || lastFullReadIndex >= firstIndex) return undefined;
    const versionsByProduct = new Map<Int32Array, number>();
    for (let entryIndex = firstIndex; entryIndex < count; entryIndex += 1) {
      const counterIndices = recordedIndices[entryIndex % MAX_RECORDED_READS];
      const version = versionsAtRead[entryIndex % MAX_RECORDED_READS] ?? 0;
      // A product that was read both before and after a stock change gets the version NaN, which equals no version:
      // data from the first read is outdated.
      if (counterIndices === undefined) continue;
      const isSameVersion = (versionsByProduct.get(counterIndices) ?? version) === version;
      versionsByProduct.set(counterIndices, isSameVersion ? version : Number.NaN);
    }
    return versionsByProduct.size > MAX_WATCHED_PRODUCTS
      ? undefined
      : [...versionsByProduct].map(([counterIndices, version]) => ({ counterIndices, version }));
  };
  return {
    record(counterIndices, version) {
      if (counterIndices.length === 0) return;
      recordedIndices[count % MAX_RECORDED_READS] = counterIndices;
      versionsAtRead[count % MAX_RECORDED_READS] = version;
      count += 1;
    },
    recordFullRead() {
      lastFullReadIndex = count;
      recordedIndices[count % MAX_RECORDED_READS] = undefined;
      count += 1;
    },
    watch() {
      const firstIndex = count;
      const initialEpoch = levels.epoch();
      return () => {
        const watchedProducts = findWatchedProducts(firstIndex);
        if (watchedProducts === undefined) return { isCurrent: () => levels.epoch() === initialEpoch };
        let checkedEpoch = initialEpoch;
        return {
          isCurrent() {
            const currentEpoch = levels.epoch();
            if (currentEpoch === checkedEpoch) return true;
            if (!watchedProducts.every((product) => levels.versionOf(product.counterIndices) === product.version))
              return false;
            checkedEpoch = currentEpoch;
            return true;
          },
        };
      };
    },
  };
}

interface WatchedProduct {
  readonly counterIndices: Int32Array;
  readonly version: number;
}
