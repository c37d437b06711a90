import { countWords, setBit } from "../arrays/bits.ts";
import { sharedUint32 } from "../arrays/shared-arrays.ts";
import { type FieldPoints, pointsOf } from "../scoring/field-points.ts";
import { singleWordRarity } from "../scoring/score.ts";
import { type Dictionary, type Range, textCount } from "../terms/dictionary.ts";
import { lengthsOf } from "./doc-values.ts";
import { championsPerPartition, type FrequentRanges, frequentFrom, postingCount } from "./frequent-ranges.ts";
import type { DocumentTable } from "./leaf.ts";
import type { PostingsWithPayloads } from "./postings.ts";

/** A range has bits if it has one posting per this many documents. */
const bitsFrom = 96;

export function packFrequentRanges(
  terms: Dictionary,
  postings: PostingsWithPayloads,
  documents: DocumentTable,
  points: FieldPoints,
): FrequentRanges {
  const ranges = frequentRanges(terms, postings, documents, points);
  const count = documents.externalIds.length;
  const championStarts = new Uint32Array(ranges.length * documents.partitions.length + 1);
  const all = ranges.flatMap((range) => range.champions);
  all.forEach((list, index) => {
    championStarts[index + 1] = (championStarts[index] as number) + list.length;
  });
  const champions = new Uint32Array(championStarts.at(-1) ?? 0);
  all.forEach((list, index) => {
    champions.set(list.docIds.subarray(0, list.length), championStarts[index]);
  });
  const words = countWords(count);
  const bitsAt = new Uint32Array(ranges.length);
  let bitsEnd = 0;
  ranges.forEach(({ low, high }, index) => {
    if (postingCount(postings.starts, low, high) * bitsFrom < count) return;
    bitsAt[index] = bitsEnd + 1;
    bitsEnd += words;
  });
  const frequent = {
    lows: Uint32Array.from(ranges, ({ low }) => low),
    highs: Uint32Array.from(ranges, ({ high }) => high),
    bitsAt,
    bits: sharedUint32(bitsEnd),
    championStarts,
    champions,
  };
  setBits(frequent, postings, words);
  return frequent;
}

/**
 * Fills the bits of each range from those of the ranges within it, so that each posting is read once.
 * @param words 32-bit words of a range
 */
function setBits(
  { lows, highs, bitsAt, bits }: FrequentRanges,
  { starts, documents }: PostingsWithPayloads,
  words: number,
): void {
  const setPostings = (at: number, low: number, high: number): void => {
    const to = starts[high] as number;
    for (let posting = starts[low] as number; posting < to; posting += 1) {
      setBit(bits, documents[posting] as number, at);
    }
  };
  const low = (range: number) => lows[range] as number;
  const high = (range: number) => highs[range] as number;
  // By ascending end; inner ranges first if the ends are equal.
  const dense = Uint32Array.from(bitsAt.keys())
    .filter((range) => bitsAt[range] !== 0)
    .sort((one, other) => high(one) - high(other) || low(other) - low(one));
  /** Filled ranges that are not inside another one. */
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

interface FrequentRange extends Range {
  /** By partition. */
  readonly champions: readonly ChampionList[];
}

/**
 * Ranges of terms with a common prefix, and single terms, with many postings. The champions of a range are among those
 * of the ranges within it, so each posting is read once.
 */
function frequentRanges(
  terms: Dictionary,
  postings: PostingsWithPayloads,
  documents: DocumentTable,
  points: FieldPoints,
): FrequentRange[] {
  const { starts } = postings;
  const found = new Map<number, FrequentRange>();
  const visit = (low: number, high: number, depth: number): readonly ChampionList[] | undefined => {
    if (postingCount(starts, low, high) < frequentFrom) return undefined;
    const champions = documents.partitions.map(() => new ChampionList(championsPerPartition));
    let scanned = low;
    const take = (from: number, to: number, depthOfChild: number): void => {
      const known = visit(from, to, depthOfChild);
      if (known === undefined) return;
      offerPostings(postings, documents, points, scanned, from, champions);
      known.forEach((list, partition) => {
        champions[partition]?.offerAll(list);
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
        if (term < high && (terms.commonPrefixes[term] as number) > depth) continue;
        take(from, term, depth + 1);
        from = term;
      }
    }
    offerPostings(postings, documents, points, scanned, high, champions);
    if (depth > 0) found.set(low * 0x4000000 + high, { low, high, champions });
    return champions;
  };
  if (textCount(terms) > 0) visit(0, textCount(terms), 0);
  return [...found.values()].sort((one, other) => one.low - other.low || one.high - other.high);
}

/** Offers the documents of terms `low` up to `high` (exclusive) to the lists of their partitions. */
function offerPostings(
  postings: PostingsWithPayloads,
  { partitions, docValues }: DocumentTable,
  points: FieldPoints,
  low: number,
  high: number,
  champions: readonly ChampionList[],
): void {
  const to = postings.starts[high] as number;
  for (let posting = postings.starts[low] as number; posting < to; posting += 1) {
    const docId = postings.documents[posting] as number;
    let partition = 0;
    while (docId >= (partitions[partition]?.to ?? 0)) partition += 1;
    const list = champions[partition] as ChampionList;
    const lengths = lengthsOf(docValues[docId] as number);
    const value = pointsOf(singleWordRarity, postings.payloads[posting] as number, lengths, points);
    if (value > list.floor || (value === list.floor && docId < list.last)) list.offer(value, docId);
  }
}

/** The best documents so far, best first. A document that is offered twice counts with the higher value. */
export class ChampionList {
  length = 0;
  readonly docIds: Uint32Array;
  readonly #values: Int32Array;
  /** An offer must have a higher value than this, or the same and a doc id below `last`. */
  floor = -1;
  last = -1;

  /** @param capacity maximum length */
  constructor(capacity: number) {
    this.docIds = new Uint32Array(capacity);
    this.#values = new Int32Array(capacity);
  }

  offerAll(other: ChampionList): void {
    for (let index = 0; index < other.length; index += 1) {
      const value = other.#values[index] as number;
      const docId = other.docIds[index] as number;
      if (value > this.floor || (value === this.floor && docId < this.last)) this.offer(value, docId);
    }
  }

  offer(value: number, docId: number): void {
    const { docIds } = this;
    const capacity = docIds.length;
    const values = this.#values;
    let end = this.length;
    for (let index = 0; index < this.length; index += 1) if (docIds[index] === docId) end = index;
    if (end < this.length) {
      if ((values[end] as number) >= value) return;
    } else if (end < capacity) this.length += 1;
    else end -= 1;
    // Shifts worse entries by one, over the last one.
    let at = end;
    for (; at > 0; at -= 1) {
      const before = values[at - 1] as number;
      if (before > value || (before === value && (docIds[at - 1] as number) < docId)) break;
      values[at] = before;
      docIds[at] = docIds[at - 1] as number;
    }
    values[at] = value;
    docIds[at] = docId;
    if (this.length < capacity) return;
    this.floor = values[capacity - 1] as number;
    this.last = docIds[capacity - 1] as number;
  }
}
