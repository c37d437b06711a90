import { maxNamingFields } from "../schema.ts";

/** Which documents hold a term, for all terms of a dictionary, in its order:
 *
 *      starts     0     2        5              term t: docIds starts[t] up to starts[t + 1]
 *      documents  0  3  0  1  2  ...            ascending within a term
 *      payloads      .  .  .  .  .                 which fields, and where first (see `packPayload`)
 *
 *  Terms that begin alike are neighbours, so what matches a prefix is one run. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
}

/** The terms of each document, ascending: the postings the other kind round. */
export interface ForwardIndex {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

/** Postings in the fields that name a thing; each knows its fields and its first position. */
export interface PostingsWithPayloads extends Postings {
  readonly payloads: Uint16Array;
}

export interface ForwardIndexWithPayloads extends ForwardIndex {
  readonly payloads: Uint16Array;
}

/** In a field mask, bit n stands for naming field n, and this bit for what the title says the thing is for. */
export const purposeBit = maxNamingFields;
/** Field masks are below this. */
export const maskCount = 1 << (purposeBit + 1);
/** The last position: those beyond are not told apart. */
export const lastPosition = 31;
/** Set in a payload where the word ends a phrase of the title: "monitor" in "LCD monitor, black", not in "monitor arm". */
export const phraseEnd = 64;
/** Set in a payload where the word stands in the body too. */
export const alsoDescribed = 32;
const maskShift = 7;
/** Packs the fields and the first position of a term in a document into 16 bits:
 *
 *      bit   15 ... 7      6          5              4 ... 0
 *            field mask    phraseEnd  alsoDescribed  position
 *
 *  @param mask fields that hold the term, see `purposeBit`  @param position of its first occurrence, counted through all fields */
export function packPayload(mask: number, position: number): number {
  return (mask << maskShift) | Math.min(position, lastPosition);
}

export function fieldMaskOf(value: number): number {
  return value >>> maskShift;
}

export function positionOf(value: number): number {
  return value & lastPosition;
}

/** The first docId from `from` on, `to` at most, whose value is not below `value`; values ascend. */
export function firstNotBelow(values: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
