import { hasBit, setBit } from "../arrays/bits.ts";
import { frequentBits, type RangeBits } from "../index/frequent-ranges.ts";
import type { Leaf } from "../index/leaf.ts";
import { fieldMaskOf, firstNotBelow, packPayload, positionOf } from "../index/postings.ts";
import { type MatchKind, matchBoosts } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";
import type { PhraseScratch } from "./phrase-scratch.ts";
import type { PhraseMatch } from "./term-query.ts";

/** Number of postings that can be scanned in the time of one lookup in the forward index (measured). */
const walkedPerDocument = 80;

/**
 * Finds documents in which words are adjacent.
 * @param terms possible terms of each word; exactly one term for the first word; at least two words
 * @param label the phrase as text
 * @returns undefined if no document matches
 */
export function findPhrase(
  scratch: PhraseScratch,
  leaf: Leaf,
  kind: MatchKind,
  terms: readonly Range[],
  label: string,
): PhraseMatch | undefined {
  const { starts } = leaf.primary.postings;
  const sizes = terms.map(({ low, high }) => (starts[high] as number) - (starts[low] as number));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const [one, other] = terms as readonly [Range, Range];
  const isWalked = terms.length === 2 && isWalkedSooner(leaf, sizes, terms[1 - rarest] as Range, rarest);
  return phraseMatchOf(
    kind,
    isWalked ? walk(scratch, leaf, one, other) : findByRarest(scratch, leaf, terms, rarest),
    label,
  );
}

/**
 * Returns whether scanning the postings of two words is faster than reading each document that may contain both words.
 */
function isWalkedSooner(leaf: Leaf, sizes: readonly number[], { low, high }: Range, rarest: number): boolean {
  const [few, many] = [sizes[rarest] as number, sizes[1 - rarest] as number];
  const isKnown = frequentBits(leaf, low, high) !== undefined;
  const lookedUp = isKnown ? few * Math.min(1, many / leaf.documents.externalIds.length) : few;
  return few + many <= lookedUp * walkedPerDocument;
}

/**
 * Returns the part of a two-word match that remains if the second word has fewer terms.
 * @param second a subset of the previous terms of the second word
 */
export function narrowPhrase(
  leaf: Leaf,
  { kind, documents, payloads }: PhraseMatch,
  second: Range,
  label: string,
): PhraseMatch | undefined {
  const found = new Map<number, number>();
  for (let at = 0; at < documents.length; at += 1) {
    const docId = documents[at] as number;
    const value = payloads[at] as number;
    const first = positionOf(value);
    note(found, docId, fieldMaskOf(value) & maskAt(leaf, docId, second, first + 1), first);
  }
  return phraseMatchOf(kind, found, label);
}

/**
 * Creates a phrase match.
 * @param payloadsByDocId payload of each matching document
 * @returns undefined if no document matches
 */
export function phraseMatchOf(
  kind: MatchKind,
  found: ReadonlyMap<number, number>,
  label: string,
): PhraseMatch | undefined {
  if (found.size === 0) return undefined;
  const documents = Uint32Array.from(found.keys()).sort();
  const payloads = new Uint16Array(documents.length);
  for (let at = 0; at < documents.length; at += 1) payloads[at] = found.get(documents[at] as number) as number;
  return { kind, boost: matchBoosts[kind], documents, payloads, label };
}

/**
 * Finds documents that contain two adjacent words, by merging the postings of both words.
 * @returns payloads by doc id
 */
function walk(scratch: PhraseScratch, leaf: Leaf, one: Range, other: Range): Map<number, number> {
  const found = new Map<number, number>();
  const { starts, documents, payloads } = leaf.primary.postings;
  scratch.reserve(leaf.documents.externalIds.length);
  const { holders, payloads: firsts } = scratch;
  const [from, to] = [starts[one.low] as number, starts[one.high] as number];
  for (let posting = from; posting < to; posting += 1) {
    setBit(holders, documents[posting] as number);
    firsts[documents[posting] as number] = payloads[posting] as number;
  }
  const end = starts[other.high] as number;
  for (let posting = starts[other.low] as number; posting < end; posting += 1) {
    const docId = documents[posting] as number;
    // The bits fit into a processor cache, the payloads do not.
    if (!hasBit(holders, docId)) continue;
    const first = firsts[docId] as number;
    const value = payloads[posting] as number;
    if (positionOf(value) !== positionOf(first) + 1) continue;
    note(found, docId, fieldMaskOf(first) & fieldMaskOf(value), positionOf(first));
  }
  for (let posting = from; posting < to; posting += 1) holders[(documents[posting] as number) >>> 5] = 0;
  return found;
}

/**
 * Finds documents that contain all words in sequence, by reading each document with the rarest word.
 * @returns payloads by doc id
 */
function findByRarest(
  scratch: PhraseScratch,
  leaf: Leaf,
  terms: readonly Range[],
  rarest: number,
): Map<number, number> {
  const found = new Map<number, number>();
  const { starts, documents, payloads } = leaf.primary.postings;
  const { low, high } = terms[rarest] as Range;
  const otherWords = terms.flatMap((range, word) => {
    const known = word === rarest ? undefined : frequentBits(leaf, range.low, range.high);
    return known === undefined ? [] : [known];
  });
  const { candidates } = scratch;
  const end = starts[high] as number;
  for (let posting = starts[low] as number; posting < end; ) {
    let count = 0;
    for (; posting < end && count < candidates.length; posting += 1)
      if (isInAll(otherWords, documents[posting] as number)) candidates[count++] = posting;
    scratch.prefetch(leaf.primary, count);
    for (let at = 0; at < count; at += 1) {
      const docId = documents[candidates[at] as number] as number;
      const value = payloads[candidates[at] as number] as number;
      const first = positionOf(value) - rarest;
      if (first >= 0) note(found, docId, commonMask(leaf, docId, terms, rarest, first, fieldMaskOf(value)), first);
    }
  }
  return found;
}

function isInAll(sets: readonly RangeBits[], docId: number): boolean {
  for (let index = 0; index < sets.length; index += 1) {
    const { bits, from } = sets[index] as RangeBits;
    if (!hasBit(bits, docId, from)) return false;
  }
  return true;
}

/** Records the fields of a match. The first word is a single term, so its first position is unique. */
function note(found: Map<number, number>, docId: number, mask: number, first: number): void {
  if (mask > 0) found.set(docId, (found.get(docId) ?? 0) | packPayload(mask, first));
}

/**
 * Returns the mask of fields that contain all words at their positions in the phrase, or 0 if a word is missing.
 * @param knownWord index of a word that matches in the fields of `knownMask`
 */
function commonMask(
  leaf: Leaf,
  docId: number,
  terms: readonly Range[],
  given: number,
  first: number,
  givenMask: number,
): number {
  let mask = givenMask;
  for (let word = 0; word < terms.length && mask !== 0; word += 1)
    if (word !== given) mask &= maskAt(leaf, docId, terms[word] as Range, first + word);
  return mask;
}

/** Returns the mask of fields in which a term of a range first occurs at a position of the document. */
function maskAt({ primary }: Leaf, docId: number, { low, high }: Range, position: number): number {
  const { starts, terms, payloads } = primary.forward;
  const end = starts[docId + 1] as number;
  let mask = 0;
  for (let at = firstNotBelow(terms, starts[docId] as number, end, low); at < end; at += 1) {
    if ((terms[at] as number) >= high) break;
    if (positionOf(payloads[at] as number) === position) mask |= fieldMaskOf(payloads[at] as number);
  }
  return mask;
}
