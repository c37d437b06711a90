import type { Zone } from "./part.ts";

/** Documents of a part, one bit a place, from word `offset` of `bits` on. */
export interface PlaceSet {
  readonly bits: Uint32Array;
  readonly offset: number;
  /** One bit for each word of `bits` that may hold any; absent: each may. */
  readonly filled?: Uint32Array;
}

/** A set that can be added to, and must be given back. */
export interface MutablePlaceSet extends PlaceSet {
  readonly offset: 0;
  readonly filled: Uint32Array;
}

/** Sets not in use, all empty. */
const pool: MutablePlaceSet[] = [];
const mostKept = 32;

/** An empty set for places below `size`. */
export function takeSet(size: number): MutablePlaceSet {
  const words = (size + 31) >>> 5;
  const kept = pool.pop();
  if (kept !== undefined && kept.bits.length >= words) return kept;
  return { bits: new Uint32Array(words), offset: 0, filled: new Uint32Array((words + 31) >>> 5) };
}

/** Empties sets for others. */
export function giveBack(sets: MutablePlaceSet[]): void {
  for (const set of sets) {
    const { bits, filled } = set;
    for (let block = 0; block < filled.length; block += 1) {
      if (filled[block] === 0) continue;
      bits.fill(0, block * 32, block * 32 + 32);
      filled[block] = 0;
    }
    if (pool.length < mostKept) pool.push(set);
  }
  sets.length = 0;
}

/** Adds entries `from` up to, not including, `to` of a list of places. */
export function addPlaces(
  { bits, filled }: MutablePlaceSet,
  places: ArrayLike<number>,
  from: number,
  to: number,
): void {
  for (let entry = from; entry < to; entry += 1) {
    const place = places[entry] as number;
    const word = place >>> 5;
    bits[word] = (bits[word] as number) | (1 << (place & 31));
    filled[word >>> 5] = (filled[word >>> 5] as number) | (1 << (word & 31));
  }
}

/** Adds what is in all of some sets, or with one what is in it. @param size places there are */
export function addIntersection({ bits, filled }: MutablePlaceSet, sets: readonly PlaceSet[], size: number): void {
  const words = (size + 31) >>> 5;
  for (let word = 0; word < words; word += 1) {
    let left = -1;
    for (const set of sets) left &= set.bits[set.offset + word] as number;
    if (left === 0) continue;
    bits[word] = (bits[word] as number) | left;
    filled[word >>> 5] = (filled[word >>> 5] as number) | (1 << (word & 31));
  }
}

export function isIn({ bits, offset }: PlaceSet, place: number): boolean {
  return (((bits[offset + (place >>> 5)] as number) >>> (place & 31)) & 1) === 1;
}

/** Calls back with the places of a zone that are in a set and in all of some others, ascending, until told true. */
export function eachPlace(
  { bits, offset, filled }: PlaceSet,
  others: readonly PlaceSet[],
  zone: Pick<Zone, "from" | "to">,
  isEnough: (place: number) => boolean,
): void {
  if (zone.from >= zone.to) return;
  const last = (zone.to - 1) >>> 5;
  for (let word = zone.from >>> 5; word <= last; word += 1) {
    if (filled !== undefined) {
      const block = (filled[word >>> 5] as number) >>> (word & 31);
      if (block === 0) {
        word |= 31;
        continue;
      }
      if ((block & 1) === 0) continue;
    }
    let left = bits[offset + word] as number;
    for (const other of others) left &= other.bits[other.offset + word] as number;
    while (left !== 0) {
      const place = word * 32 + 31 - Math.clz32(left & -left);
      left &= left - 1;
      if (place >= zone.from && place < zone.to && isEnough(place)) return;
    }
  }
}
