import { hasBit, setBit, wordsFor } from "./bits.ts";
import type { Range } from "./dictionary.ts";
import type { Part } from "./part.ts";
import { fieldsOf, firstNotBelow, mark, maskOfMark, positionOf } from "./postings.ts";
import { type Way, wayShares } from "./ranking.ts";
import { wideBits } from "./wide.ts";

/** Documents in which words first stand one after the other, and where: postings of a phrase. */
export interface Sequence {
  readonly way: Way;
  /** Percentage of the points; see `wayShares`. */
  readonly share: number;
  /** Ascending. */
  readonly documents: Uint32Array;
  readonly marks: Uint16Array;
  /** What stands in the documents. */
  readonly label: string;
}

/** So many postings are walked over in the time in which a document is looked up. */
const walkedPerDocument = 80;

/** @param terms by word, the terms it may be: one of the first word; at least two words
 *  @returns undefined where no document says so */
export function sequence(part: Part, way: Way, terms: readonly Range[], label: string): Sequence | undefined {
  const { starts } = part.head.postings;
  const sizes = terms.map(({ low, high }) => (starts[high] as number) - (starts[low] as number));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const [one, other] = terms as readonly [Range, Range];
  const isWalked = terms.length === 2 && isWalkedSooner(part, sizes, terms[1 - rarest] as Range, rarest);
  return made(way, isWalked ? walk(part, one, other) : lookUp(part, terms, rarest), label);
}

/** Whether two words are found sooner by walking over the postings of both than by looking up each document that may hold them. */
function isWalkedSooner(part: Part, sizes: readonly number[], { low, high }: Range, rarest: number): boolean {
  const [few, many] = [sizes[rarest] as number, sizes[1 - rarest] as number];
  const isKnown = wideBits(part, low, high) !== undefined;
  const lookedUp = isKnown ? few * Math.min(1, many / part.documents.numbers.length) : few;
  return few + many <= lookedUp * walkedPerDocument;
}

/** The same of two words of which the second is narrower than it was. @param second terms of those that it was */
export function narrowed(
  part: Part,
  { way, documents, marks }: Sequence,
  second: Range,
  label: string,
): Sequence | undefined {
  const found = new Map<number, number>();
  for (let at = 0; at < documents.length; at += 1) {
    const place = documents[at] as number;
    const value = marks[at] as number;
    const first = positionOf(value);
    note(found, place, maskOfMark(value) & maskAt(part, place, second, first + 1), first);
  }
  return made(way, found, label);
}

function made(way: Way, found: ReadonlyMap<number, number>, label: string): Sequence | undefined {
  if (found.size === 0) return undefined;
  const sorted = [...found].sort(([one], [other]) => one - other);
  return {
    way,
    share: wayShares[way],
    documents: Uint32Array.from(sorted, ([place]) => place),
    marks: Uint16Array.from(sorted, ([, value]) => value),
    label,
  };
}

/** While the second of two words is walked over: the places that hold the first, and by place its mark. */
let holders = new Uint32Array(0);
let firsts = new Uint16Array(0);

/** The marks of documents that say two words, by walking over the postings of both. */
function walk(part: Part, one: Range, other: Range): Map<number, number> {
  const found = new Map<number, number>();
  const { starts, documents, marks } = part.head.postings;
  const { length } = part.documents.numbers;
  if (firsts.length < length) {
    holders = new Uint32Array(wordsFor(length));
    firsts = new Uint16Array(length);
  }
  const [from, to] = [starts[one.low] as number, starts[one.high] as number];
  for (let posting = from; posting < to; posting += 1) {
    setBit(holders, documents[posting] as number);
    firsts[documents[posting] as number] = marks[posting] as number;
  }
  const end = starts[other.high] as number;
  for (let posting = starts[other.low] as number; posting < end; posting += 1) {
    const place = documents[posting] as number;
    // Bits are near where marks are not.
    if (!hasBit(holders, place)) continue;
    const first = firsts[place] as number;
    const value = marks[posting] as number;
    if (positionOf(value) !== positionOf(first) + 1) continue;
    note(found, place, maskOfMark(first) & maskOfMark(value), positionOf(first));
  }
  for (let posting = from; posting < to; posting += 1) holders[(documents[posting] as number) >>> 5] = 0;
  return found;
}

/** The marks of documents that say all words, by looking up each that holds the rarest. */
function lookUp(part: Part, terms: readonly Range[], rarest: number): Map<number, number> {
  const found = new Map<number, number>();
  const { starts, documents, marks } = part.head.postings;
  const { low, high } = terms[rarest] as Range;
  const others = terms.flatMap((range, word) => {
    const known = word === rarest ? undefined : wideBits(part, range.low, range.high);
    return known === undefined ? [] : [known];
  });
  const end = starts[high] as number;
  for (let posting = starts[low] as number; posting < end; posting += 1) {
    const place = documents[posting] as number;
    if (!others.every(({ bits, from }) => hasBit(bits, place, from))) continue;
    const value = marks[posting] as number;
    const first = positionOf(value) - rarest;
    if (first >= 0) note(found, place, commonMask(part, place, terms, rarest, first, maskOfMark(value)), first);
  }
  return found;
}

/** Notes the fields in which a document says the words. The first word is one term, so it first stands in one place. */
function note(found: Map<number, number>, place: number, mask: number, first: number): void {
  if (mask > 0) found.set(place, (found.get(place) ?? 0) | mark(fieldsOf(mask), first));
}

/** The fields in which all words stand, where each stands in its place; else 0. */
function commonMask(
  part: Part,
  place: number,
  terms: readonly Range[],
  given: number,
  first: number,
  givenMask: number,
): number {
  let mask = givenMask;
  for (let word = 0; word < terms.length && mask !== 0; word += 1)
    if (word !== given) mask &= maskAt(part, place, terms[word] as Range, first + word);
  return mask;
}

function maskAt({ head }: Part, place: number, { low, high }: Range, position: number): number {
  const { starts, terms, marks } = head.rows;
  const end = starts[place + 1] as number;
  let mask = 0;
  for (let at = firstNotBelow(terms, starts[place] as number, end, low); at < end; at += 1) {
    if ((terms[at] as number) >= high) break;
    if (positionOf(marks[at] as number) === position) mask |= maskOfMark(marks[at] as number);
  }
  return mask;
}
