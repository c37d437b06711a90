import { maxPrimaryFields } from "../schema.ts";

/**
 * Postings of each term of a dictionary, in its order:
 *
 *     starts     0     2        5              term t has entries starts[t] up to starts[t + 1] (exclusive)
 *     documents  0  3  0  1  2  ...            doc ids, ascending within a term
 *     payloads   .  .  .  .  .                 fields and first position (see `packPayload`)
 *
 * Terms with a common prefix are adjacent, so the postings of a prefix are one range.
 */
export interface Postings {
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
}

/** For each document its terms, ascending. */
export interface ForwardIndex {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

/** Postings of primary fields. */
export interface PostingsWithPayloads extends Postings {
  readonly payloads: Uint16Array;
}

export interface ForwardIndexWithPayloads extends ForwardIndex {
  readonly payloads: Uint16Array;
}

/**
 * In a field mask, bit n stands for primary field n, and this bit for the purpose (see `Schema`); together with bit 0,
 * the title, it means that the title contains the term more than once, and not only as its purpose.
 */
export const purposeBit = maxPrimaryFields;
/** Field masks are below this. */
export const maskCount = 1 << (purposeBit + 1);
/** The last position; later ones count as this one. */
export const lastPosition = 31;
/** Payload bit: the term ends a phrase of the title, as "monitor" in "LCD monitor, black" and not in "monitor arm". */
export const phraseEnd = 64;
/** Payload bit: the term is in the body too. */
export const alsoInBody = 32;
/** Lowest bit of the field mask. */
export const payloadMaskShift = 7;
/**
 * Packs the fields and the first position of a term in a document into 16 bits:
 *
 *     bit   15 ... 7      6          5              4 ... 0
 *           field mask    phraseEnd  alsoInBody     position
 *
 * @param mask fields that contain the term, see `purposeBit`
 * @param position of its first occurrence, counted through all fields
 */
export function packPayload(mask: number, position: number): number {
  return (mask << payloadMaskShift) | Math.min(position, lastPosition);
}

export function fieldMaskOf(value: number): number {
  return value >>> payloadMaskShift;
}

export function positionOf(value: number): number {
  return value & lastPosition;
}

/** First index from `from` on, at most `to`, whose value is at least `value`; values ascend. */
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
