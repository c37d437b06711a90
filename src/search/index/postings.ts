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

/** Fields are numbered 0 to 9; field 8 is the description, whose words are kept apart from those that name a thing, and field 9
 *  what the title says a thing is for. */
export const fieldCount = 10;
export const allFields = (1 << fieldCount) - 1;
export const bodyField = 8;
export const purposeField = 9;
/** Positions beyond are not told apart. */
export const lastPosition = 31;
/** Set in a packPayload where the word ends a phrase of the title: "monitor" in "LCD monitor, black", not in "monitor arm". */
export const phraseEnd = 64;
/** Set in a packPayload where the word stands in the description too. */
export const alsoDescribed = 32;
const maskShift = 7;
/** Field masks of payloads: fields 0 to 7, and 9 in the docId of 8. */
export const maskCount = 1 << (fieldCount - 1);

/** Fields and first position of a term in a document in 14 bits of 16; see `phraseEnd` and `alsoDescribed` for the others.
 *  @param fields bit n: the term stands in field n, not the description  @param position of its first docId, fields counted on */
export function packPayload(fields: number, position: number): number {
  return (maskOf(fields) << maskShift) | Math.min(position, lastPosition);
}

/** A field mask without the bit of the description. */
export function maskOf(fields: number): number {
  return (fields & 0xff) | ((fields >>> 1) & 0x100);
}

/** The fields of a mask, as in `packPayload`. */
export function fieldsOf(mask: number): number {
  return (mask & 0xff) | ((mask & 0x100) << 1);
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
