import { setBit, wordsFor } from "./bits.ts";
import { type Dictionary, type Range, textCount } from "./dictionary.ts";
import type { DocumentTable, Part } from "./part.ts";
import type { MarkedPostings } from "./postings.ts";
import { brevityOf, fieldPoints, impact } from "./ranking.ts";
import { sharedUint32 } from "./shared-arrays.ts";
import { WideHead } from "./wide-head.ts";

/** What is known beforehand of ranges of terms that many documents hold: those of short beginnings, mostly ("s", "sn"), and of
 *  words that are everywhere. */
export interface Wide {
  /** Ranges by their ends, ascending by `lows`, then by `highs`. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** The best documents of range n in zone z by the impact of their words, best first: entries `headStarts[n * zones + z]` up to
   *  the next of `heads`. Where there are fewer than `headLength`, there are no others. */
  readonly headStarts: Uint32Array;
  readonly heads: Uint32Array;
  /** By range: 0, or where the documents that hold a term of it are in `bits`, one bit a place, and one. */
  readonly bitsAt: Uint32Array;
  readonly bits: Uint32Array;
}

/** Postings from which a range is wide. */
export const wideFrom = 1_024;
/** Documents remembered of each zone: more than are shown, since some are gone or not accepted when asked again. */
export const headLength = 64;
/** A range has bits where it has at least one posting for that many documents. */
const bitsFrom = 96;

export function packWide(terms: Dictionary, postings: MarkedPostings, documents: DocumentTable): Wide {
  const ranges = wideRanges(terms, postings, documents);
  const count = documents.numbers.length;
  const headStarts = new Uint32Array(ranges.length * documents.zones.length + 1);
  const all = ranges.flatMap((range) => range.heads);
  all.forEach((head, index) => {
    headStarts[index + 1] = (headStarts[index] as number) + head.length;
  });
  const heads = new Uint32Array(headStarts.at(-1) ?? 0);
  all.forEach((head, index) => {
    heads.set(head.places.subarray(0, head.length), headStarts[index]);
  });
  const words = wordsFor(count);
  const bitsAt = new Uint32Array(ranges.length);
  let bitsEnd = 0;
  ranges.forEach(({ low, high }, index) => {
    if (postingCount(postings.starts, low, high) * bitsFrom < count) return;
    bitsAt[index] = bitsEnd + 1;
    bitsEnd += words;
  });
  const wide = {
    lows: Uint32Array.from(ranges, ({ low }) => low),
    highs: Uint32Array.from(ranges, ({ high }) => high),
    bitsAt,
    bits: sharedUint32(bitsEnd),
    headStarts,
    heads,
  };
  setBits(wide, postings, words);
  return wide;
}

/** Sets the bits of each range once those of the ranges in it are set, so that each posting is looked at once.
 *  @param words of 32 bits that a range has */
function setBits({ lows, highs, bitsAt, bits }: Wide, { starts, documents }: MarkedPostings, words: number): void {
  const setPostings = (at: number, low: number, high: number): void => {
    const to = starts[high] as number;
    for (let posting = starts[low] as number; posting < to; posting += 1) {
      setBit(bits, documents[posting] as number, at);
    }
  };
  const low = (range: number) => lows[range] as number;
  const high = (range: number) => highs[range] as number;
  // Ranges in another end before it, or where it ends and begin later.
  const dense = Uint32Array.from(bitsAt.keys())
    .filter((range) => bitsAt[range] !== 0)
    .sort((one, other) => high(one) - high(other) || low(other) - low(one));
  /** Ranges that are set and lie in none that is. */
  const outer: number[] = [];
  for (const range of dense) {
    const at = (bitsAt[range] as number) - 1;
    let to = high(range);
    for (let inner = outer.at(-1); inner !== undefined && low(inner) >= low(range); inner = outer.at(-1)) {
      const from = (bitsAt[inner] as number) - 1;
      for (let word = 0; word < words; word += 1)
        bits[at + word] = (bits[at + word] as number) | (bits[from + word] as number);
      setPostings(at, high(inner), to);
      to = low(inner);
      outer.pop();
    }
    setPostings(at, low(range), to);
    outer.push(range);
  }
}

/** The number of a wide range, or -1. */
export function findWide({ lows, highs }: Wide, low: number, high: number): number {
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

/** Documents, one bit a place from word `from` of `bits` on. */
export interface WideBits {
  readonly bits: Uint32Array;
  readonly from: number;
}

/** The documents of a range; undefined where they are not known beforehand. */
export function wideBits({ wide, head }: Part, low: number, high: number): WideBits | undefined {
  if (postingCount(head.postings.starts, low, high) < wideFrom) return undefined;
  const index = findWide(wide, low, high);
  const at = index < 0 ? 0 : (wide.bitsAt[index] as number);
  return at === 0 ? undefined : { bits: wide.bits, from: at - 1 };
}

function postingCount(starts: Uint32Array, low: number, high: number): number {
  return (starts[high] as number) - (starts[low] as number);
}

interface WideRange extends Range {
  /** By zone. */
  readonly heads: readonly WideHead[];
}

/** Ranges of terms that begin alike, and single terms, with many postings. The best of a range are among the best of the ranges in
 *  it, so each posting is looked at once. */
function wideRanges(terms: Dictionary, postings: MarkedPostings, documents: DocumentTable): WideRange[] {
  const { starts } = postings;
  const found = new Map<number, WideRange>();
  const visit = (low: number, high: number, depth: number): readonly WideHead[] | undefined => {
    if (postingCount(starts, low, high) < wideFrom) return undefined;
    const heads = documents.zones.map(() => new WideHead(headLength));
    let scanned = low;
    const take = (from: number, to: number, depthOfChild: number): void => {
      const known = visit(from, to, depthOfChild);
      if (known === undefined) return;
      offerPostings(postings, documents, scanned, from, heads);
      known.forEach((head, zone) => {
        heads[zone]?.offerAll(head);
      });
      scanned = to;
    };
    if (high - low > 1) {
      let from = low;
      if ((terms.starts[low + 1] as number) - (terms.starts[low] as number) === depth) {
        take(low, low + 1, depth);
        from += 1;
      }
      for (let term = from + 1; term <= high; term += 1) {
        if (term < high && (terms.overlaps[term] as number) > depth) continue;
        take(from, term, depth + 1);
        from = term;
      }
    }
    offerPostings(postings, documents, scanned, high, heads);
    if (depth > 0) found.set(low * 0x4000000 + high, { low, high, heads });
    return heads;
  };
  if (textCount(terms) > 0) visit(0, textCount(terms), 0);
  return [...found.values()].sort((one, other) => one.low - other.low || one.high - other.high);
}

/** Offers the documents of terms `low` up to, not including, `high`. */
function offerPostings(
  postings: MarkedPostings,
  { zones, traits }: DocumentTable,
  low: number,
  high: number,
  heads: readonly WideHead[],
): void {
  const points = fieldPoints();
  const to = postings.starts[high] as number;
  for (let posting = postings.starts[low] as number; posting < to; posting += 1) {
    const place = postings.documents[posting] as number;
    let zone = 0;
    while (place >= (zones[zone]?.to ?? 0)) zone += 1;
    const head = heads[zone] as WideHead;
    const brevity = brevityOf(traits[place] as number, 1);
    const value = impact(postings.marks[posting] as number, brevity, points);
    if (value > head.floor || (value === head.floor && place < head.last)) head.offer(value, place);
  }
}
