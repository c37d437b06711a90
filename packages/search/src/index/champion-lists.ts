import { countWords, setBit } from "../arrays/bits.ts";
import { createSharedUint32 } from "../arrays/shared-arrays.ts";
import { computePrefixScore, computeTermScore, type FieldScores } from "../scoring/field-scores.ts";
import { singleWordRarity } from "../scoring/score.ts";
import { countTexts, type Dictionary, type Range } from "../terms/dictionary.ts";
import { readLengths } from "./doc-values.ts";
import { championsPerPartition, type FrequentRanges, minFrequentPostings } from "./frequent-ranges.ts";
import type { DocumentTable } from "./leaf.ts";
import { countPostings, type PostingsWithPayloads } from "./postings.ts";

/**
 * Maximum ratio of all documents to the postings of a range of terms. Ranges with fewer postings get no bitmap, which
 * would take more than 1.5 times the memory of the postings. A ratio of 96 takes 73 MB more for a million products and
 * speeds up keystrokes by at most 1 % (`keystroke-pairs.ts`).
 */
const maxDocumentsPerPosting = 48;

export function packFrequentRanges(
  terms: Dictionary,
  postings: PostingsWithPayloads,
  documents: DocumentTable,
  fieldScores: FieldScores,
): FrequentRanges {
  const ranges = findFrequentRanges(terms, postings, documents, fieldScores);
  const count = documents.externalIds.length;
  const championStarts = new Uint32Array(2 * ranges.length * documents.partitions.length + 1);
  const championLists = [
    ...ranges.flatMap((range) => range.champions),
    ...ranges.flatMap((range) => range.wordChampions),
  ];
  championLists.forEach((list, index) => {
    championStarts[index + 1] = (championStarts[index] as number) + list.length;
  });
  const champions = new Uint32Array(championStarts.at(-1) ?? 0);
  championLists.forEach((list, index) => {
    champions.set(list.docIds.subarray(0, list.length), championStarts[index]);
  });
  const bitmapWordCount = countWords(count);
  const bitmapOffsets = new Uint32Array(ranges.length);
  let bitmapsEnd = 0;
  ranges.forEach(({ low, high }, index) => {
    if (countPostings(postings, low, high) * maxDocumentsPerPosting < count) return;
    bitmapOffsets[index] = bitmapsEnd + 1;
    bitmapsEnd += bitmapWordCount;
  });
  const frequentRanges = {
    lows: Uint32Array.from(ranges, ({ low }) => low),
    highs: Uint32Array.from(ranges, ({ high }) => high),
    bitsAt: bitmapOffsets,
    bits: createSharedUint32(bitmapsEnd),
    championStarts,
    champions,
  };
  fillBits(frequentRanges, postings, bitmapWordCount);
  return frequentRanges;
}

/**
 * Fills the bitmap of each range of terms. A range copies the bits of the smaller ranges inside it, so that each
 * posting is read once.
 * @param bitmapWordCount number of 32-bit words per bitmap
 */
function fillBits(
  { lows, highs, bitsAt: bitmapOffsets, bits }: FrequentRanges,
  { starts, documents }: PostingsWithPayloads,
  bitmapWordCount: number,
): void {
  const setPostings = (bitmapOffset: number, low: number, high: number): void => {
    const end = starts[high] as number;
    for (let posting = starts[low] as number; posting < end; posting += 1) {
      setBit(bits, documents[posting] as number, bitmapOffset);
    }
  };
  const getRangeStart = (range: number) => lows[range] as number;
  const getRangeEnd = (range: number) => highs[range] as number;
  // Ranges are ordered by ascending end, with inner ranges first if the ends are equal.
  const rangesWithBitmap = Uint32Array.from(bitmapOffsets.keys())
    .filter((range) => bitmapOffsets[range] !== 0)
    .sort((a, b) => getRangeEnd(a) - getRangeEnd(b) || getRangeStart(b) - getRangeStart(a));
  /** Ranges whose bitmap is filled and that are not inside another filled range. */
  const outerRanges: number[] = [];
  for (const range of rangesWithBitmap) {
    const bitmapOffset = (bitmapOffsets[range] as number) - 1;
    let end = getRangeEnd(range);
    for (
      let innerRange = outerRanges.at(-1);
      innerRange !== undefined && getRangeStart(innerRange) >= getRangeStart(range);
      innerRange = outerRanges.at(-1)
    ) {
      const innerWordOffset = (bitmapOffsets[innerRange] as number) - 1;
      for (let word = 0; word < bitmapWordCount; word += 1)
        bits[bitmapOffset + word] = (bits[bitmapOffset + word] as number) | (bits[innerWordOffset + word] as number);
      setPostings(bitmapOffset, getRangeEnd(innerRange), end);
      end = getRangeStart(innerRange);
      outerRanges.pop();
    }
    setPostings(bitmapOffset, getRangeStart(range), end);
    outerRanges.push(range);
  }
}

interface FrequentRange extends Range {
  /** Best documents of each partition (the documents of one type that are all available or all unavailable). */
  readonly champions: readonly ChampionList[];
  /** The same if the range is one term and matches as a word; otherwise empty lists. */
  readonly wordChampions: readonly ChampionList[];
}

/**
 * Finds the prefixes and the single terms with many postings, and their best documents. The champion list of a prefix
 * is merged from the lists of longer prefixes, so that each posting is read once.
 */
function findFrequentRanges(
  terms: Dictionary,
  postings: PostingsWithPayloads,
  documents: DocumentTable,
  fieldScores: FieldScores,
): FrequentRange[] {
  const rangesByKey = new Map<number, FrequentRange>();
  const computePrefixPoints = (payload: number) => computePrefixScore(singleWordRarity, payload, fieldScores);
  const computeWordPoints = (payload: number, lengths: number) =>
    computeTermScore(singleWordRarity, payload, lengths, fieldScores);
  const visitRange = (low: number, high: number, depth: number): readonly ChampionList[] | undefined => {
    if (countPostings(postings, low, high) < minFrequentPostings) return undefined;
    const createLists = (capacity: number) => documents.partitions.map(() => new ChampionList(capacity));
    const champions = createLists(championsPerPartition);
    const wordChampions = createLists(high - low === 1 ? championsPerPartition : 0);
    let scannedEnd = low;
    const visitChild = (childStart: number, end: number, childDepth: number): void => {
      const childLists = visitRange(childStart, end, childDepth);
      if (childLists === undefined) return;
      addPostings(postings, documents, computePrefixPoints, scannedEnd, childStart, champions);
      childLists.forEach((list, partition) => {
        champions[partition]?.offerAll(list);
      });
      scannedEnd = end;
    };
    if (high - low > 1) {
      let childStart = low;
      if ((terms.starts[low + 1] as number) - (terms.starts[low] as number) === depth) {
        visitChild(low, low + 1, depth);
        childStart += 1;
      }
      for (let term = childStart + 1; term <= high; term += 1) {
        if (term < high && (terms.commonPrefixes[term] as number) > depth) continue;
        visitChild(childStart, term, depth + 1);
        childStart = term;
      }
    }
    addPostings(postings, documents, computePrefixPoints, scannedEnd, high, champions);
    if (high - low === 1) addPostings(postings, documents, computeWordPoints, low, high, wordChampions);
    if (depth > 0) rangesByKey.set(low * 0x4000000 + high, { low, high, champions, wordChampions });
    return champions;
  };
  if (countTexts(terms) > 0) visitRange(0, countTexts(terms), 0);
  return [...rangesByKey.values()].sort((a, b) => a.low - b.low || a.high - b.high);
}

/** Adds the documents that contain terms `low` to `high` (exclusive) to the champion list of their partition. */
function addPostings(
  postings: PostingsWithPayloads,
  { partitions, docValues }: DocumentTable,
  computePoints: (payload: number, lengths: number) => number,
  low: number,
  high: number,
  champions: readonly ChampionList[],
): void {
  const end = postings.starts[high] as number;
  for (let posting = postings.starts[low] as number; posting < end; posting += 1) {
    const docId = postings.documents[posting] as number;
    let partition = 0;
    while (docId >= (partitions[partition]?.to ?? 0)) partition += 1;
    const list = champions[partition] as ChampionList;
    const value = computePoints(postings.payloads[posting] as number, readLengths(docValues[docId] as number));
    if (value > list.minValue || (value === list.minValue && docId < list.lastDocId)) list.offer(value, docId);
  }
}

/**
 * The documents with the highest scores, best first. A document that is added twice is listed once, with the higher
 * score.
 */
export class ChampionList {
  length = 0;
  readonly docIds: Uint32Array;
  readonly #values: Int32Array;
  /**
   * Lowest value in the list, or -1 if the list is not full. A document with this value is accepted if its doc id is
   * below `lastDocId`.
   */
  minValue = -1;
  lastDocId = -1;

  /** @param capacity maximum length of the list */
  constructor(capacity: number) {
    this.docIds = new Uint32Array(capacity);
    this.#values = new Int32Array(capacity);
  }

  offerAll(otherList: ChampionList): void {
    for (let index = 0; index < otherList.length; index += 1) {
      const value = otherList.#values[index] as number;
      const docId = otherList.docIds[index] as number;
      if (value > this.minValue || (value === this.minValue && docId < this.lastDocId)) this.offer(value, docId);
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
    // Moves worse entries back by one position, overwriting the last entry.
    let insertionIndex = end;
    for (; insertionIndex > 0; insertionIndex -= 1) {
      const previousValue = values[insertionIndex - 1] as number;
      if (previousValue > value || (previousValue === value && (docIds[insertionIndex - 1] as number) < docId)) break;
      values[insertionIndex] = previousValue;
      docIds[insertionIndex] = docIds[insertionIndex - 1] as number;
    }
    values[insertionIndex] = value;
    docIds[insertionIndex] = docId;
    if (this.length < capacity) return;
    this.minValue = values[capacity - 1] as number;
    this.lastDocId = docIds[capacity - 1] as number;
  }
}
