/**
 * Histogram of search durations since the start, shared by all threads of a process. Adjacent buckets differ by an
 * eighth.
 */
export interface SearchTimes {
  /** Records the duration of a search. Takes less than 0.1 µs. */
  add(ms: number): void;
  /**
   * Returns quantiles of the durations.
   * @param parts ascending numbers from 0 to 1; 0.5 is the median
   * @returns milliseconds, accurate to an eighth; empty if there were no searches
   */
  quantiles(parts: readonly number[]): readonly number[];
  count(): number;
}

/** Number of buckets per octave. */
const STEPS = 6;
/** Number of octaves, starting at one microsecond. */
const OCTAVES = 24;
const LEAST_MS = 0.001;

/** Allocates memory for `createSearchTimes`, which threads share. */
export function searchTimesMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(STEPS * OCTAVES * Int32Array.BYTES_PER_ELEMENT);
}

export function createSearchTimes(memory: SharedArrayBuffer): SearchTimes {
  const buckets = new Int32Array(memory);
  const count = (): number => buckets.reduce((sum, one) => sum + one, 0);
  return {
    add(ms) {
      const bucket = ms <= LEAST_MS ? 0 : Math.floor(Math.log2(ms / LEAST_MS) * STEPS);
      Atomics.add(buckets, Math.min(bucket, buckets.length - 1), 1);
    },
    quantiles(parts) {
      const all = count();
      if (all === 0) return [];
      return parts.map((part) => {
        let sum = 0;
        const at = buckets.findIndex((one) => {
          sum += one;
          return sum >= part * all;
        });
        return LEAST_MS * 2 ** ((at + 1) / STEPS);
      });
    },
    count,
  };
}
