import type { StockTable } from "./stock-table.ts";

/** What something depends on that was made of products. */
export interface StockWatch {
  /** Whether it would still be made the same. */
  isCurrent(): boolean;
}

/** Which products were read in a thread, so that what is made of them can be kept until their stock changes. Requests that wait in between read, too: what they
 *  read counts for those beside them, so an answer may depend on more than it shows and never on less. */
export interface StockReads {
  note(places: Int32Array, version: number): void;
  /** As many reads as are too many to be told one by one. */
  noteAll(): void;
  /** @returns tells what was read since */
  watch(): () => StockWatch;
}

/** Reads that are remembered: of some hundred requests. */
const MAX_READS = 4_096;
/** Products that an answer is kept by; one of more is kept until any stock changes. */
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
      // One that was read twice, as it was and as it is: what depends on the first is old.
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
