import type { StockTable } from "./stock-table.ts";

/** Set of products on which cached data depends. */
export interface StockWatch {
  /** Returns whether the stock of all these products is unchanged. */
  isCurrent(): boolean;
}

/**
 * Records which products a thread reads, so that derived data can be cached until their stock changes. Reads of
 * concurrent requests are included: a cached response may depend on more products than it shows, never on fewer.
 */
export interface StockReads {
  note(places: Int32Array, version: number): void;
  /** Records that too many products were read to list them. */
  noteAll(): void;
  /** Starts recording reads.  @returns a function that returns the products read since then */
  watch(): () => StockWatch;
}

/** Maximum number of recorded reads, enough for several hundred requests. */
const MAX_READS = 4_096;
/** Maximum number of products that a response depends on. A response with more products depends on all stock. */
const MAX_WATCHED = 300;

export function createStockReads(levels: Pick<StockTable, "version" | "epoch">): StockReads {
  const places: (Int32Array | undefined)[] = new Array(MAX_READS);
  const versions = new Float64Array(MAX_READS);
  let count = 0;
  let lastOfAll = -1;
  const watchOf = (from: number): Watched[] | undefined => {
    if (count - from > MAX_READS || lastOfAll >= from) return undefined;
    const found = new Map<Int32Array, number>();
    for (let read = from; read < count; read += 1) {
      const of = places[read % MAX_READS];
      const version = versions[read % MAX_READS] ?? 0;
      // If a product was read both before and after a change, data from the first read is outdated.
      if (of !== undefined) found.set(of, (found.get(of) ?? version) === version ? version : Number.NaN);
    }
    return found.size > MAX_WATCHED ? undefined : [...found].map(([of, version]) => ({ places: of, version }));
  };
  return {
    note(of, version) {
      if (of.length === 0) return;
      places[count % MAX_READS] = of;
      versions[count % MAX_READS] = version;
      count += 1;
    },
    noteAll() {
      lastOfAll = count;
      places[count % MAX_READS] = undefined;
      count += 1;
    },
    watch() {
      const from = count;
      const before = levels.epoch();
      return () => {
        const watched = watchOf(from);
        if (watched === undefined) return { isCurrent: () => levels.epoch() === before };
        let checked = before;
        return {
          isCurrent() {
            const now = levels.epoch();
            if (now === checked) return true;
            if (!watched.every((one) => levels.version(one.places) === one.version)) return false;
            checked = now;
            return true;
          },
        };
      };
    },
  };
}

interface Watched {
  readonly places: Int32Array;
  readonly version: number;
}
