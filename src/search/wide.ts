import { type Dictionary, type Range, textCount } from "./dictionary.ts";
import type { DocumentTable } from "./part.ts";
import type { MarkedPostings } from "./postings.ts";
import { brevityPoints, fieldPoints, impact } from "./ranking.ts";
import { sharedUint32 } from "./shared-arrays.ts";

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
  const words = (count + 31) >>> 5;
  const dense = ranges.map(({ low, high }) => postingCount(postings.starts, low, high) * bitsFrom >= count);
  const wide = {
    lows: Uint32Array.from(ranges, ({ low }) => low),
    highs: Uint32Array.from(ranges, ({ high }) => high),
    bitsAt: new Uint32Array(ranges.length),
    bits: sharedUint32(dense.filter((one) => one).length * words),
  };
  const headStarts = [0];
  for (const { heads } of ranges)
    for (const head of heads) headStarts.push((headStarts.at(-1) ?? 0) + head.places.length);
  let bitsEnd = 0;
  for (const [index, { low, high }] of ranges.entries()) {
    if (!dense[index]) continue;
    const to = postings.starts[high] as number;
    for (let posting = postings.starts[low] as number; posting < to; posting += 1) {
      const place = postings.documents[posting] as number;
      wide.bits[bitsEnd + (place >>> 5)] = (wide.bits[bitsEnd + (place >>> 5)] as number) | (1 << (place & 31));
    }
    wide.bitsAt[index] = bitsEnd + 1;
    bitsEnd += words;
  }
  const heads = Uint32Array.from(ranges.flatMap((range) => range.heads.flatMap((head) => head.places)));
  return { ...wide, headStarts: Uint32Array.from(headStarts), heads };
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

function postingCount(starts: Uint32Array, low: number, high: number): number {
  return (starts[high] as number) - (starts[low] as number);
}

interface WideRange extends Range {
  /** By zone. */
  readonly heads: readonly Head[];
}

/** Ranges of terms that begin alike, and single terms, with many postings. The best of a range are among the best of the ranges in
 *  it, so each posting is looked at once. */
function wideRanges(terms: Dictionary, postings: MarkedPostings, documents: DocumentTable): WideRange[] {
  const { starts } = postings;
  const found = new Map<number, WideRange>();
  const visit = (low: number, high: number, depth: number): readonly Head[] | undefined => {
    if (postingCount(starts, low, high) < wideFrom) return undefined;
    const heads = documents.zones.map(() => new Head());
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
  { zones, titleLengths, fewWords }: DocumentTable,
  low: number,
  high: number,
  heads: readonly Head[],
): void {
  const points = fieldPoints();
  const to = postings.starts[high] as number;
  for (let posting = postings.starts[low] as number; posting < to; posting += 1) {
    const place = postings.documents[posting] as number;
    let zone = 0;
    while (place >= (zones[zone]?.to ?? 0)) zone += 1;
    const head = heads[zone] as Head;
    const brevity = brevityPoints(titleLengths[place] as number, fewWords[place] as number, 1);
    const value = impact(postings.marks[posting] as number, brevity, points);
    if (value > head.floor || (value === head.floor && place < head.last)) head.offer(value, place);
  }
}

/** The best documents so far, best first; of a document met twice the better counts. */
class Head {
  readonly places: number[] = [];
  readonly values: number[] = [];
  /** What comes in must be better than this, or as good with a place before `last`. */
  floor = -1;
  last = -1;

  offerAll({ places, values }: Head): void {
    for (let index = 0; index < places.length; index += 1) {
      const value = values[index] as number;
      const place = places[index] as number;
      if (value > this.floor || (value === this.floor && place < this.last)) this.offer(value, place);
    }
  }

  offer(value: number, place: number): void {
    const known = this.places.indexOf(place);
    if (known >= 0) {
      if ((this.values[known] as number) >= value) return;
      this.places.splice(known, 1);
      this.values.splice(known, 1);
    }
    let at = this.places.length;
    while (at > 0 && isBefore(value, place, this.values[at - 1] as number, this.places[at - 1] as number)) at -= 1;
    this.places.splice(at, 0, place);
    this.values.splice(at, 0, value);
    if (this.places.length > headLength) {
      this.places.pop();
      this.values.pop();
    }
    if (this.places.length < headLength) return;
    this.floor = this.values.at(-1) ?? -1;
    this.last = this.places.at(-1) ?? -1;
  }
}

function isBefore(value: number, place: number, otherValue: number, otherPlace: number): boolean {
  return value > otherValue || (value === otherValue && place < otherPlace);
}
