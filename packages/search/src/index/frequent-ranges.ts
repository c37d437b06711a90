import type { Postings } from "./postings.ts";

/** Precomputed data for ranges of terms with many postings: short prefixes ("s", "sn"), and frequent words. */
export interface FrequentRanges {
  /** Ranges ascend by `lows`, then by `highs`. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /**
   * The champion list of range n in partition p, best first by impact: entries `championStarts[n * partitions + p]` up
   * to the next start (exclusive). A list shorter than `championsPerPartition` contains all documents of the range.
   */
  readonly championStarts: Uint32Array;
  readonly champions: Uint32Array;
  /** By range: 0, or one more than the index in `bits` at which its documents start, one bit per doc id. */
  readonly bitsAt: Uint32Array;
  readonly bits: Uint32Array;
}

/** Minimum postings of a frequent range. */
export const frequentFrom = 1_024;
/** Documents of a champion list: more than a query shows, since some may be deleted or rejected. */
export const championsPerPartition = 64;
/** Index of a frequent range, or -1. */
export function findFrequentRange({ lows, highs }: FrequentRanges, low: number, high: number): number {
  let from = 0;
  let to = lows.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = lows[middle] as number;
    if (at < low || (at === low && (highs[middle] as number) < high)) from = middle + 1;
    else to = middle;
  }
  return lows[from] === low && highs[from] === high ? from : -1;
}

/** Documents, one bit for each doc id, from word `from` of `bits` on. */
export interface RangeBits {
  readonly bits: Uint32Array;
  readonly from: number;
}

/** Documents of a range; undefined if they are not precomputed. */
export function frequentBits(
  { frequent, primary }: { readonly frequent: FrequentRanges; readonly primary: { readonly postings: Postings } },
  low: number,
  high: number,
): RangeBits | undefined {
  if (postingCount(primary.postings.starts, low, high) < frequentFrom) return undefined;
  const index = findFrequentRange(frequent, low, high);
  const at = index < 0 ? 0 : (frequent.bitsAt[index] as number);
  return at === 0 ? undefined : { bits: frequent.bits, from: at - 1 };
}

export function postingCount(starts: Uint32Array, low: number, high: number): number {
  return (starts[high] as number) - (starts[low] as number);
}
