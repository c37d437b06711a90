/**
 * Histogram of search durations since the start of the process, shared by all its threads. The limits of adjacent
 * buckets differ by an eighth.
 */
export interface SearchTimes {
  /** Records the duration of a search. Takes less than 0.1 µs. */
  add(ms: number): void;
  /**
   * Returns quantiles of the durations.
   * @param probabilities ascending numbers from 0 to 1; 0.5 is the median
   * @returns milliseconds, with an error of at most an eighth; empty if there were no searches
   */
  quantiles(probabilities: readonly number[]): readonly number[];
  count(): number;
}

/** Number of buckets per octave, which is a doubling of the duration. */
const BUCKETS_PER_OCTAVE = 6;
/** Number of octaves. The first one starts at one microsecond. */
const OCTAVE_COUNT = 24;
const MIN_DURATION_MS = 0.001;

/** Allocates memory for `createDurationHistogram`, which threads share. */
export function allocateSearchTimes(): SharedArrayBuffer {
  return new SharedArrayBuffer(BUCKETS_PER_OCTAVE * OCTAVE_COUNT * Int32Array.BYTES_PER_ELEMENT);
}

export function createDurationHistogram(memory: SharedArrayBuffer): SearchTimes {
  const buckets = new Int32Array(memory);
  const countSearches = (): number => buckets.reduce((sum, bucketCount) => sum + bucketCount, 0);
  return {
    add(ms) {
      const bucket = ms <= MIN_DURATION_MS ? 0 : Math.floor(Math.log2(ms / MIN_DURATION_MS) * BUCKETS_PER_OCTAVE);
      Atomics.add(buckets, Math.min(bucket, buckets.length - 1), 1);
    },
    quantiles(probabilities) {
      const total = countSearches();
      if (total === 0) return [];
      return probabilities.map((probability) => {
        let sum = 0;
        const bucketIndex = buckets.findIndex((bucketCount) => {
          sum += bucketCount;
          return sum >= probability * total;
        });
        return MIN_DURATION_MS * 2 ** ((bucketIndex + 1) / BUCKETS_PER_OCTAVE);
      });
    },
    count: countSearches,
  };
}
