import { maxNamingFields } from "../schema.ts";

/** For each term of a dictionary, in its order, the documents that hold it:
 *
 *      starts     0     2        5              term t has entries starts[t] up to, not including, starts[t + 1]
 *      documents  0  3  0  1  2  ...            doc ids, ascending within a term
 *      payloads   .  .  .  .  .                 fields and first position (see `packPayload`)
 *
 *  Terms with a common prefix are neighbours, so the postings of a prefix are one range. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
}

/** For each document its terms, ascending. */
export interface ForwardIndex {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

/** Postings of naming fields. */
export interface PostingsWithPayloads extends Postings {
  readonly payloads: Uint16Array;
}

export interface ForwardIndexWithPayloads extends ForwardIndex {
  readonly payloads: Uint16Array;
}

/** In a field mask, bit n stands for naming field n, and this bit for the purpose (see `Schema`); together with bit 0, the title, for a title that
 *  says the term more than once, and not only as its purpose. */
export const purposeBit = maxNamingFields;
/** Field masks are below this. */
export const maskCount = 1 << (purposeBit + 1);
/** The last position; later ones count as this one. */
export const lastPosition = 31;
/** Payload bit: the term ends a phrase of the title, as "monitor" in "LCD monitor, black" and not in "monitor arm". */
export const phraseEnd = 64;
/** Payload bit: the term is in the body too. */
export const alsoDescribed = 32;
/** The bit where the field mask begins. */
export const payloadMaskShift = 7;
/** Packs the fields and the first position of a term in a document into 16 bits:
 *
 *      bit   15 ... 7      6          5              4 ... 0
 *            field mask    phraseEnd  alsoDescribed  position
 *
 *  @param mask fields that hold the term, see `purposeBit`  @param position of its first occurrence, counted through all fields */
export function packPayload(mask: number, position: number): number {
  return (mask << payloadMaskShift) | Math.min(position, lastPosition);
}

export function fieldMaskOf(value: number): number {
  return value >>> payloadMaskShift;
}

export function positionOf(value: number): number {
  return value & lastPosition;
}

/** The first index from `from` on, `to` at most, whose value is not below `value`; values ascend. */
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
