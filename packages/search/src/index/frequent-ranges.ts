import type { Postings } from "./postings.ts";

/** Precomputed data of ranges of terms with many postings: short prefixes ("s", "sn") and frequent words. */
export interface FrequentRanges {
  /** Bounds of the ranges, in ascending order of `lows`, then of `highs`. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /**
   * Start of each champion list in `champions`. The list of range n in partition p starts at entry `n * partitions + p`,
   * and is ordered by descending impact. A list shorter than `championsPerPartition` contains all documents of the
   * range.
   */
  readonly championStarts: Uint32Array;
  readonly champions: Uint32Array;
  /**
   * Start of each range's bitmap in `bits` plus one, or 0 if the range has no bitmap. A bitmap has one bit per doc id.
   */
  readonly bitsAt: Uint32Array;
  readonly bits: Uint32Array;
}

/** Minimum number of postings in a frequent range. */
export const minFrequentPostings = 1_024;
/** Maximum number of documents in a champion list. A query shows fewer, but some may be deleted or rejected. */
export const championsPerPartition = 64;
/** Returns the index of a frequent range, or -1. */
export function findFrequentRange({ lows, highs }: FrequentRanges, low: number, high: number): number {
  let from = 0;
  let to = lows.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const rangeLow = lows[middle] as number;
    if (rangeLow < low || (rangeLow === low && (highs[middle] as number) < high)) from = middle + 1;
    else to = middle;
  }
  return lows[from] === low && highs[from] === high ? from : -1;
}

/** Documents of a range, one bit per doc id, starting at word `from` of `bits`. */
export interface RangeBits {
  readonly bits: Uint32Array;
  readonly from: number;
}

/** Returns the documents of a range, or undefined if they are not precomputed. */
export function frequentBits(
  { frequent, primary }: { readonly frequent: FrequentRanges; readonly primary: { readonly postings: Postings } },
  low: number,
  high: number,
): RangeBits | undefined {
  if (countPostings(primary.postings.starts, low, high) < minFrequentPostings) return undefined;
  const index = findFrequentRange(frequent, low, high);
  const bitsStart = index < 0 ? 0 : (frequent.bitsAt[index] as number);
  return bitsStart === 0 ? undefined : { bits: frequent.bits, from: bitsStart - 1 };
}

export function countPostings(starts: Uint32Array, low: number, high: number): number {
  return (starts[high] as number) - (starts[low] as number);
}
