import { hasBit, setBit, wordsFor } from "../arrays/bits.ts";
import { frequentBits } from "../index/champion-lists.ts";
import type { Leaf } from "../index/leaf.ts";
import { fieldMaskOf, fieldsOf, firstNotBelow, packPayload, positionOf } from "../index/postings.ts";
import { type MatchKind, matchBoosts } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";

/** Documents in which words first stand one after the other, and where: postings of a phrase. */
export interface PhraseMatch {
  readonly kind: MatchKind;
  /** Percentage of the points; see `matchBoosts`. */
  readonly boost: number;
  /** Ascending. */
  readonly documents: Uint32Array;
  readonly payloads: Uint16Array;
  /** What stands in the documents. */
  readonly label: string;
}

/** So many postings are walked over in the time in which a document is looked up. */
const walkedPerDocument = 80;

/** @param terms by word, the terms it may be: one of the first word; at least two words
 *  @returns undefined where no document says so */
export function findPhrase(
  leaf: Leaf,
  kind: MatchKind,
  terms: readonly Range[],
  label: string,
): PhraseMatch | undefined {
  const { starts } = leaf.naming.postings;
  const sizes = terms.map(({ low, high }) => (starts[high] as number) - (starts[low] as number));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const [one, other] = terms as readonly [Range, Range];
  const isWalked = terms.length === 2 && isWalkedSooner(leaf, sizes, terms[1 - rarest] as Range, rarest);
  return made(kind, isWalked ? walk(leaf, one, other) : lookUp(leaf, terms, rarest), label);
}

/** Whether two words are found sooner by walking over the postings of both than by looking up each document that may hold them. */
function isWalkedSooner(leaf: Leaf, sizes: readonly number[], { low, high }: Range, rarest: number): boolean {
  const [few, many] = [sizes[rarest] as number, sizes[1 - rarest] as number];
  const isKnown = frequentBits(leaf, low, high) !== undefined;
  const lookedUp = isKnown ? few * Math.min(1, many / leaf.documents.externalIds.length) : few;
  return few + many <= lookedUp * walkedPerDocument;
}

/** The same of two words of which the second is narrower than it was. @param second terms of those that it was */
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
  return made(kind, found, label);
}

function made(kind: MatchKind, found: ReadonlyMap<number, number>, label: string): PhraseMatch | undefined {
  if (found.size === 0) return undefined;
  const sorted = [...found].sort(([one], [other]) => one - other);
  return {
    kind,
    boost: matchBoosts[kind],
    documents: Uint32Array.from(sorted, ([docId]) => docId),
    payloads: Uint16Array.from(sorted, ([, value]) => value),
    label,
  };
}

/** While the second of two words is walked over: the docIds that hold the first, and by docId its packPayload. */
let holders = new Uint32Array(0);
let firsts = new Uint16Array(0);

/** The payloads of documents that say two words, by walking over the postings of both. */
function walk(leaf: Leaf, one: Range, other: Range): Map<number, number> {
  const found = new Map<number, number>();
  const { starts, documents, payloads } = leaf.naming.postings;
  const { length } = leaf.documents.externalIds;
  if (firsts.length < length) {
    holders = new Uint32Array(wordsFor(length));
    firsts = new Uint16Array(length);
  }
  const [from, to] = [starts[one.low] as number, starts[one.high] as number];
  for (let posting = from; posting < to; posting += 1) {
    setBit(holders, documents[posting] as number);
    firsts[documents[posting] as number] = payloads[posting] as number;
  }
  const end = starts[other.high] as number;
  for (let posting = starts[other.low] as number; posting < end; posting += 1) {
    const docId = documents[posting] as number;
    // Bits are near where payloads are not.
    if (!hasBit(holders, docId)) continue;
    const first = firsts[docId] as number;
    const value = payloads[posting] as number;
    if (positionOf(value) !== positionOf(first) + 1) continue;
    note(found, docId, fieldMaskOf(first) & fieldMaskOf(value), positionOf(first));
  }
  for (let posting = from; posting < to; posting += 1) holders[(documents[posting] as number) >>> 5] = 0;
  return found;
}

/** The payloads of documents that say all words, by looking up each that holds the rarest. */
function lookUp(leaf: Leaf, terms: readonly Range[], rarest: number): Map<number, number> {
  const found = new Map<number, number>();
  const { starts, documents, payloads } = leaf.naming.postings;
  const { low, high } = terms[rarest] as Range;
  const others = terms.flatMap((range, word) => {
    const known = word === rarest ? undefined : frequentBits(leaf, range.low, range.high);
    return known === undefined ? [] : [known];
  });
  const end = starts[high] as number;
  for (let posting = starts[low] as number; posting < end; posting += 1) {
    const docId = documents[posting] as number;
    if (!others.every(({ bits, from }) => hasBit(bits, docId, from))) continue;
    const value = payloads[posting] as number;
    const first = positionOf(value) - rarest;
    if (first >= 0) note(found, docId, commonMask(leaf, docId, terms, rarest, first, fieldMaskOf(value)), first);
  }
  return found;
}

/** Notes the fields in which a document says the words. The first word is one term, so it first stands in one docId. */
function note(found: Map<number, number>, docId: number, mask: number, first: number): void {
  if (mask > 0) found.set(docId, (found.get(docId) ?? 0) | packPayload(fieldsOf(mask), first));
}

/** The fields in which all words stand, where each stands in its docId; else 0. */
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

function maskAt({ naming }: Leaf, docId: number, { low, high }: Range, position: number): number {
  const { starts, terms, payloads } = naming.forward;
  const end = starts[docId + 1] as number;
  let mask = 0;
  for (let at = firstNotBelow(terms, starts[docId] as number, end, low); at < end; at += 1) {
    if ((terms[at] as number) >= high) break;
    if (positionOf(payloads[at] as number) === position) mask |= fieldMaskOf(payloads[at] as number);
  }
  return mask;
}
