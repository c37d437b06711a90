import { hasBit, setBit } from "../arrays/bits.ts";
import { findFrequentRangeBits, type RangeBitmap } from "../index/frequent-ranges.ts";
import type { Leaf } from "../index/leaf.ts";
import { countPostings, fieldMaskOf, lowerBound, packPayload, positionOf } from "../index/postings.ts";
import { type MatchKind, matchBoosts } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";
import type { PhraseBuffers } from "./phrase-scratch.ts";
import type { PhraseMatch } from "./term-query.ts";

/** Number of postings that can be scanned in the time of one lookup in the forward index (measured). */
const scannedPostingsPerDocument = 80;

/**
 * Finds documents in which words are adjacent.
 * @param terms possible terms of each word; exactly one term for the first word; at least two words
 * @param label the phrase as text
 * @returns undefined if no document matches
 */
export function findPhrase(
  phraseBuffers: PhraseBuffers,
  leaf: Leaf,
  kind: MatchKind,
  terms: readonly Range[],
  label: string,
): PhraseMatch | undefined {
  const postingCounts = terms.map(({ low, high }) => countPostings(leaf.primary.postings, low, high));
  const rarestWord = postingCounts.indexOf(Math.min(...postingCounts));
  const [firstRange, secondRange] = terms as readonly [Range, Range];
  const isScanned = terms.length === 2 && isScanFaster(leaf, postingCounts, terms[1 - rarestWord] as Range, rarestWord);
  return createPhraseMatch(
    kind,
    isScanned
      ? scanPostings(phraseBuffers, leaf, firstRange, secondRange)
      : findPhraseDocuments(phraseBuffers, leaf, terms, rarestWord),
    label,
  );
}

/**
 * Returns whether scanning the postings of two words is faster than reading each document that may contain both words.
 */
function isScanFaster(leaf: Leaf, postingCounts: readonly number[], { low, high }: Range, rarestWord: number): boolean {
  const [rarestPostingCount, otherPostingCount] = [
    postingCounts[rarestWord] as number,
    postingCounts[1 - rarestWord] as number,
  ];
  const hasFrequentRange = findFrequentRangeBits(leaf, low, high) !== undefined;
  const lookupCount = hasFrequentRange
    ? rarestPostingCount * Math.min(1, otherPostingCount / leaf.documents.externalIds.length)
    : rarestPostingCount;
  return rarestPostingCount + otherPostingCount <= lookupCount * scannedPostingsPerDocument;
}

/**
 * Narrows a two-word match to fewer terms of the second word, without a new search.
 * @param narrowedRange terms of the second word, a subset of the previous terms
 */
export function narrowPhraseMatch(
  leaf: Leaf,
  { kind, documents, payloads }: PhraseMatch,
  narrowedRange: Range,
  label: string,
): PhraseMatch | undefined {
  const payloadsByDocId = new Map<number, number>();
  for (let entry = 0; entry < documents.length; entry += 1) {
    const docId = documents[entry] as number;
    const payload = payloads[entry] as number;
    const firstPosition = positionOf(payload);
    addPhraseMatch(
      payloadsByDocId,
      docId,
      fieldMaskOf(payload) & findFieldMask(leaf, docId, narrowedRange, firstPosition + 1),
      firstPosition,
    );
  }
  return createPhraseMatch(kind, payloadsByDocId, label);
}

/**
 * Creates a phrase match.
 * @param payloadsByDocId payload of each matching document
 * @returns undefined if no document matches
 */
export function createPhraseMatch(
  kind: MatchKind,
  payloadsByDocId: ReadonlyMap<number, number>,
  label: string,
): PhraseMatch | undefined {
  if (payloadsByDocId.size === 0) return undefined;
  const documents = Uint32Array.from(payloadsByDocId.keys()).sort();
  const payloads = new Uint16Array(documents.length);
  for (let entry = 0; entry < documents.length; entry += 1)
    payloads[entry] = payloadsByDocId.get(documents[entry] as number) as number;
  return { kind, boost: matchBoosts[kind], documents, payloads, label };
}

/**
 * Finds documents that contain two adjacent words, by merging the postings of both words.
 * @returns payloads by doc id
 */
function scanPostings(
  phraseBuffers: PhraseBuffers,
  leaf: Leaf,
  firstRange: Range,
  secondRange: Range,
): Map<number, number> {
  const payloadsByDocId = new Map<number, number>();
  const { starts, documents, payloads } = leaf.primary.postings;
  phraseBuffers.reserve(leaf.documents.externalIds.length);
  const { firstWordBits, payloads: firstWordPayloads } = phraseBuffers;
  const [from, to] = [starts[firstRange.low] as number, starts[firstRange.high] as number];
  for (let posting = from; posting < to; posting += 1) {
    setBit(firstWordBits, documents[posting] as number);
    firstWordPayloads[documents[posting] as number] = payloads[posting] as number;
  }
  const end = starts[secondRange.high] as number;
  for (let posting = starts[secondRange.low] as number; posting < end; posting += 1) {
    const docId = documents[posting] as number;
    // Test the bit before reading the payload, because only the bits fit into the processor cache.
    if (!hasBit(firstWordBits, docId)) continue;
    const firstPayload = firstWordPayloads[docId] as number;
    const payload = payloads[posting] as number;
    if (positionOf(payload) !== positionOf(firstPayload) + 1) continue;
    addPhraseMatch(payloadsByDocId, docId, fieldMaskOf(firstPayload) & fieldMaskOf(payload), positionOf(firstPayload));
  }
  for (let posting = from; posting < to; posting += 1) firstWordBits[(documents[posting] as number) >>> 5] = 0;
  return payloadsByDocId;
}

/**
 * Finds documents that contain all words in sequence, by reading each document with the rarest word.
 * @returns payloads by doc id
 */
function findPhraseDocuments(
  phraseBuffers: PhraseBuffers,
  leaf: Leaf,
  terms: readonly Range[],
  rarestWord: number,
): Map<number, number> {
  const payloadsByDocId = new Map<number, number>();
  const { starts, documents, payloads } = leaf.primary.postings;
  const { low, high } = terms[rarestWord] as Range;
  const wordBitmaps = terms.flatMap((range, word) => {
    const wordBitmap = word === rarestWord ? undefined : findFrequentRangeBits(leaf, range.low, range.high);
    return wordBitmap === undefined ? [] : [wordBitmap];
  });
  const { candidates: postingIndices } = phraseBuffers;
  const end = starts[high] as number;
  for (let posting = starts[low] as number; posting < end; ) {
    let count = 0;
    for (; posting < end && count < postingIndices.length; posting += 1)
      if (isInAllSets(wordBitmaps, documents[posting] as number)) postingIndices[count++] = posting;
    phraseBuffers.prefetch(leaf.primary, count);
    for (let candidate = 0; candidate < count; candidate += 1) {
      const docId = documents[postingIndices[candidate] as number] as number;
      const payload = payloads[postingIndices[candidate] as number] as number;
      const firstPosition = positionOf(payload) - rarestWord;
      if (firstPosition >= 0)
        addPhraseMatch(
          payloadsByDocId,
          docId,
          findCommonFields(leaf, docId, terms, rarestWord, firstPosition, fieldMaskOf(payload)),
          firstPosition,
        );
    }
  }
  return payloadsByDocId;
}

function isInAllSets(bitmaps: readonly RangeBitmap[], docId: number): boolean {
  for (let index = 0; index < bitmaps.length; index += 1) {
    const { bits, from } = bitmaps[index] as RangeBitmap;
    if (!hasBit(bits, docId, from)) return false;
  }
  return true;
}

/**
 * Adds the fields of a match to the payload of its document. The first word is a single term, so all matches in a
 * document have the same position.
 */
function addPhraseMatch(
  payloadsByDocId: Map<number, number>,
  docId: number,
  fieldBits: number,
  firstPosition: number,
): void {
  if (fieldBits > 0)
    payloadsByDocId.set(docId, (payloadsByDocId.get(docId) ?? 0) | packPayload(fieldBits, firstPosition));
}

/**
 * Returns the mask of fields that contain all words at their positions in the phrase, or 0 if a word is missing.
 * @param knownWordIndex index of a word that matches in the fields of `knownFieldMask`
 */
function findCommonFields(
  leaf: Leaf,
  docId: number,
  terms: readonly Range[],
  knownWordIndex: number,
  firstPosition: number,
  knownFieldMask: number,
): number {
  let fieldBits = knownFieldMask;
  for (let word = 0; word < terms.length && fieldBits !== 0; word += 1)
    if (word !== knownWordIndex) fieldBits &= findFieldMask(leaf, docId, terms[word] as Range, firstPosition + word);
  return fieldBits;
}

/**
 * Returns a mask of the fields in which a document contains a term of the range. Only terms whose first position in the
 * document is `position` count.
 */
function findFieldMask({ primary }: Leaf, docId: number, { low, high }: Range, position: number): number {
  const { starts, terms, payloads } = primary.forward;
  const end = starts[docId + 1] as number;
  let fieldBits = 0;
  for (let entry = lowerBound(terms, starts[docId] as number, end, low); entry < end; entry += 1) {
    if ((terms[entry] as number) >= high) break;
    if (positionOf(payloads[entry] as number) === position) fieldBits |= fieldMaskOf(payloads[entry] as number);
  }
  return fieldBits;
}
