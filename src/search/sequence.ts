import type { Range } from "./dictionary.ts";
import type { Part } from "./part.ts";
import { fieldsOf, firstNotBelow, mark, maskOfMark, positionOf } from "./postings.ts";
import { type Way, wayShares } from "./ranking.ts";

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

/** @param terms by word, the terms it may be; at least two words  @returns undefined where no document says so */
export function sequence(part: Part, way: Way, terms: readonly Range[], label: string): Sequence | undefined {
  const { postings } = part.head;
  const sizes = terms.map(({ low, high }) => (postings.starts[high] as number) - (postings.starts[low] as number));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const { low, high } = terms[rarest] as Range;
  const found = new Map<number, number>();
  for (let posting = postings.starts[low] as number; posting < (postings.starts[high] as number); posting += 1) {
    const place = postings.documents[posting] as number;
    const value = postings.marks[posting] as number;
    const first = positionOf(value) - rarest;
    const mask = first < 0 ? 0 : commonMask(part, place, terms, rarest, first, maskOfMark(value));
    if (mask === 0) continue;
    const known = found.get(place);
    const said = mark(fieldsOf(mask), first);
    if (known === undefined || positionOf(said) < positionOf(known)) found.set(place, said);
    else if (positionOf(said) === positionOf(known)) found.set(place, known | said);
  }
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
