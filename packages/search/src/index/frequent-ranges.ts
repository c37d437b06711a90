import { countPostings, type Postings } from "./postings.ts";

/**
 * Precomputed data for short prefixes ("s", "sn") and frequent words. Each of them is a range of terms with many
 * postings.
 */
export interface FrequentRanges {
  /** First term of each range, in ascending order. `highs` contains the end of each range (exclusive). */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /**
   * Start of each champion list (the best documents for a range of terms) in `champions`. Entry `n * partitions + p` is
   * the start for range n in partition p, as a prefix. The same number of lists follows for ranges of one term that
   * match as a word. A list is ordered by descending points. If it is shorter than `championsPerPartition`, it contains
   * all documents of the range.
   */
  readonly championStarts: Uint32Array;
  readonly champions: Uint32Array;
  /**
   * Start of each range's bitmap in `bits`, plus one. The value is 0 if the range has no bitmap. A bitmap has one bit
   * per doc id.
   */
  readonly bitsAt: Uint32Array;
  readonly bits: Uint32Array;
}

/** Minimum number of postings of a prefix or word for which data is precomputed. */
export const minFrequentPostings = 1_024;
/**
 * Maximum number of documents in a champion list (the best documents for a range of terms). A search displays fewer,
 * but some documents may be deleted or rejected by the caller.
 */
export const championsPerPartition = 64;
/** Returns the index of the range from `low` to `high` (exclusive), or -1 if the range is not in the list. */
export function findFrequentRange({ lows, highs }: FrequentRanges, low: number, high: number): number {
  let from = 0;
  let to = lows.length;
  while (from < to) {
    const middleIndex = (from + to) >>> 1;
    const rangeStart = lows[middleIndex] as number;
    if (rangeStart < low || (rangeStart === low && (highs[middleIndex] as number) < high)) from = middleIndex + 1;
    else to = middleIndex;
  }
  return lows[from] === low && highs[from] === high ? from : -1;
}

/** Bitmap of the documents of a range, one bit per doc id. It starts at the 32-bit word `from` of `bits`. */
export interface RangeBitmap {
  readonly bits: Uint32Array;
  readonly from: number;
}

/** Returns the bitmap of a range of terms, or undefined if it is not precomputed. */
export function findFrequentRangeBits(
  { frequent, primary }: { readonly frequent: FrequentRanges; readonly primary: { readonly postings: Postings } },
  low: number,
  high: number,
): RangeBitmap | undefined {
  if (countPostings(primary.postings, low, high) < minFrequentPostings) return undefined;
  const index = findFrequentRange(frequent, low, high);
  const bitmapStart = index < 0 ? 0 : (frequent.bitsAt[index] as number);
  return bitmapStart === 0 ? undefined : { bits: frequent.bits, from: bitmapStart - 1 };
}
