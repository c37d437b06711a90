/** Which documents hold a term, for all terms of a dictionary, in its order:
 *
 *      starts     0     2        5              term t: places starts[t] up to starts[t + 1]
 *      documents  0  3  0  1  2  ...            ascending within a term
 *      payloads   .  .  .  .  .                 which fields, and where first
 *
 *  Terms that begin alike are neighbours, so what matches a prefix is one run. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  readonly payloads: Uint32Array;
}

/** Fields are numbered 0 to 9. */
export const fieldCount = 10;
export const allFields = (1 << fieldCount) - 1;
/** Positions beyond are not told apart. */
export const lastPosition = 0xffff;

/** @param fields bit n: the term stands in field n  @param position of its first place in the document, all fields counted on */
export function payload(fields: number, position: number): number {
  return ((fields << 16) | Math.min(position, lastPosition)) >>> 0;
}

export function fieldsOf(value: number): number {
  return value >>> 16;
}

export function positionOf(value: number): number {
  return value & lastPosition;
}

/** The first place from `from` on, `to` at most, whose value is not below `value`; values ascend. */
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
