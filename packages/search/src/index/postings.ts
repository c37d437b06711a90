import { maxPrimaryFields } from "../schema.ts";

/**
 * Postings of each term of a dictionary, in the order of the terms:
 *
 *     starts     0     2        5              term t has entries starts[t] to starts[t + 1] (exclusive)
 *     documents  0  3  0  1  2  ...            doc ids, ascending within a term
 *     payloads   .  .  .  .  .                 fields and first position (see `packPayload`)
 *
 * Terms with a common prefix are adjacent, so the postings of a prefix are one range.
 */
export interface Postings {
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
}

/** Terms of each document in ascending order. */
export interface ForwardIndex {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

/** Postings of the primary fields (all fields except the body). Each posting also has a payload. */
export interface PostingsWithPayloads extends Postings {
  readonly payloads: Uint16Array;
}

export interface ForwardIndexWithPayloads extends ForwardIndex {
  readonly payloads: Uint16Array;
}

/**
 * Bit of a field mask: the title names the term as a purpose, such as "iphone" in "case for iPhone". Bits 0 to 7 stand
 * for the primary fields. If both this bit and bit 0 (title) are set, the title contains the term twice or more.
 */
export const purposeBitIndex = maxPrimaryFields;
/** Field mask of a term that the title contains twice or more. */
export const repeatedFieldMask: number = 1 | (1 << purposeBitIndex);
/** Maximum position, in words. Words at later positions are stored with this position. */
export const maxPosition = 31;
/**
 * Payload bit: the term ends a phrase of the title, like "monitor" in "LCD monitor, black", but not in "monitor arm". In
 * some languages, the first word of a title has it, too (see `startsWithNoun`).
 */
export const phraseEndBit = 64;
/** Payload bit: the body contains the term in addition to another field. */
export const bodyFieldBit = 32;
/** Lowest bit of the field mask in a payload. */
export const fieldMaskShift = 7;
/**
 * Packs the fields and the first position of a term in a document into 16 bits:
 *
 *     bit   15 ... 7      6             5          4 ... 0
 *           field mask    phraseEndBit  bodyFieldBit  position
 *
 * @param fieldBits fields that contain the term (see `purposeBitIndex`)
 * @param position position of the first occurrence, counted through all fields
 */
export function packPayload(fieldBits: number, position: number): number {
  return (fieldBits << fieldMaskShift) | Math.min(position, maxPosition);
}

export function fieldMaskOf(payload: number): number {
  return payload >>> fieldMaskShift;
}

export function positionOf(payload: number): number {
  return payload & maxPosition;
}

/** Returns the number of postings of the terms from `low` to `high` (exclusive). */
export function countPostings({ starts }: Pick<Postings, "starts">, low: number, high: number): number {
  return (starts[high] as number) - (starts[low] as number);
}

/** Returns whether a document contains a term. */
export function containsTerm({ starts, terms }: ForwardIndex, docId: number, term: number): boolean {
  const end = starts[docId + 1] as number;
  const entry = lowerBound(terms, starts[docId] as number, end, term);
  return entry < end && terms[entry] === term;
}

/**
 * Returns the first index from `from` to `to` whose value is at least `value`, or `to`. The values are in ascending
 * order.
 */
export function lowerBound(values: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middleIndex = (low + high) >>> 1;
    if ((values[middleIndex] as number) < value) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}
