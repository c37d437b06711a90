import type { Zone } from "./part.ts";

/** Documents of a part, one bit a place, from word `offset` of `bits` on. */
export interface PlaceSet {
  readonly bits: Uint32Array;
  readonly offset: number;
  /** One bit for each word of `bits` that may hold any; absent: each may. */
  readonly filled?: Uint32Array;
}

/** Documents in any of some sets. */
export type Places = readonly PlaceSet[];

/** A set that can be added to, and must be given back. */
export interface MutablePlaceSet extends PlaceSet {
  readonly offset: 0;
  readonly filled: Uint32Array;
}

/** Sets not in use, all empty. */
const pool: MutablePlaceSet[] = [];
const mostKept = 32;
const fewBlocks = 16;

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
    let blocks = 0;
    for (let block = 0; block < filled.length; block += 1) if (filled[block] !== 0) blocks += 1;
    // Few blocks are emptied word by word: a call for each would take longer.
    if (blocks > fewBlocks) bits.fill(0);
    else
      for (let block = 0; block < filled.length; block += 1)
        if (filled[block] !== 0) for (let word = block * 32; word < block * 32 + 32; word += 1) bits[word] = 0;
    filled.fill(0);
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

/** Adds what is in all of some sets. @param size places there are */
export function addIntersection({ bits, filled }: MutablePlaceSet, sets: readonly Places[], size: number): void {
  const words = (size + 31) >>> 5;
  for (let start = 0; start < words; start += chunkWords) {
    const end = Math.min(words, start + chunkWords);
    intersect(sets, start, end);
    for (let word = start; word < end; word += 1) {
      const left = chunk[word - start] as number;
      if (left === 0) continue;
      bits[word] = (bits[word] as number) | left;
      filled[word >>> 5] = (filled[word >>> 5] as number) | (1 << (word & 31));
    }
  }
}

/** Words of sets that are worked on at once: few enough to stay in the nearest cache. */
const chunkWords = 1_024;
const chunk = new Uint32Array(chunkWords);
const other = new Uint32Array(chunkWords);

/** Puts words `start` up to, not including, `end` of what is in all of some sets into `chunk`, set by set: short loops over two
 *  arrays are the fastest there are. */
function intersect(sets: readonly Places[], start: number, end: number): void {
  const length = end - start;
  sets.forEach((places, index) => {
    const into = index === 0 ? chunk : other;
    const [first, ...more] = places;
    if (first === undefined) into.fill(0, 0, length);
    else into.set(first.bits.subarray(first.offset + start, first.offset + end));
    for (const { bits, offset } of more)
      for (let word = 0; word < length; word += 1)
        into[word] = (into[word] as number) | (bits[offset + start + word] as number);
    if (index > 0)
      for (let word = 0; word < length; word += 1) chunk[word] = (chunk[word] as number) & (other[word] as number);
  });
}

export function isIn(places: Places, place: number): boolean {
  return ((wordOf(places, place >>> 5) >>> (place & 31)) & 1) === 1;
}

function wordOf(places: Places, word: number): number {
  if (places.length === 1) {
    const only = places[0] as PlaceSet;
    return only.bits[only.offset + word] as number;
  }
  let found = 0;
  for (const { bits, offset } of places) found |= bits[offset + word] as number;
  return found;
}

/** Bits of how many sets hold each document, 32 documents at a time: enough for 31 sets. */
const counts = Array.from({ length: 5 }, () => new Uint32Array(chunkWords));

/** The documents that most of some sets hold, ascending, and how many sets that is; 0: none holds any.
 *  @param sets at most 31  @param size places there are  @param below fewer sets than that  @param dead 1: does not count */
export function mostHeld(
  sets: readonly Places[],
  size: number,
  below: number,
  dead: Uint8Array | undefined,
): { readonly count: number; readonly places: readonly number[] } {
  const words = (size + 31) >>> 5;
  let best = 0;
  let places: number[] = [];
  for (let start = 0; start < words; start += chunkWords) {
    const end = Math.min(words, start + chunkWords);
    for (const bits of counts) bits.fill(0);
    for (const set of sets) {
      intersect([set], start, end);
      for (let word = 0; word < end - start; word += 1) addOne(word, chunk[word] as number);
    }
    for (let count = Math.min(sets.length, below - 1); count >= Math.max(1, best); count -= 1)
      for (let word = 0; word < end - start; word += 1)
        for (let left = heldBy(word, count); left !== 0; left &= left - 1) {
          const place = (start + word) * 32 + 31 - Math.clz32(left & -left);
          if (dead?.[place] === 1) continue;
          if (count > best) places = [];
          best = count;
          places.push(place);
        }
  }
  return { count: best, places };
}

/** Counts one more for some of 32 documents: an addition of numbers whose bits lie in several words. */
function addOne(word: number, documents: number): void {
  let carry = documents;
  for (let bit = 0; carry !== 0 && bit < counts.length; bit += 1) {
    const bits = counts[bit] as Uint32Array;
    const before = bits[word] as number;
    bits[word] = before ^ carry;
    carry &= before;
  }
}

/** Those of 32 documents that so many sets hold. */
function heldBy(word: number, count: number): number {
  let left = -1;
  for (let bit = 0; bit < counts.length && left !== 0; bit += 1) {
    const bits = (counts[bit] as Uint32Array)[word] as number;
    left &= ((count >>> bit) & 1) === 1 ? bits : ~bits;
  }
  return left;
}

/** Calls back with places of a zone that are in one union of sets and in all of some others, ascending, until told true. */
export function eachPlace(
  places: Places,
  others: readonly Places[],
  zone: Pick<Zone, "from" | "to">,
  isEnough: (place: number) => boolean,
): void {
  if (zone.from >= zone.to) return;
  const first = zone.from >>> 5;
  const last = (zone.to - 1) >>> 5;
  const filled = places.length === 1 ? places[0]?.filled : undefined;
  const isDone = (word: number, all: number): boolean => {
    for (let left = all; left !== 0; left &= left - 1) {
      const place = word * 32 + 31 - Math.clz32(left & -left);
      if (place >= zone.from && place < zone.to && isEnough(place)) return true;
    }
    return false;
  };
  if (filled === undefined) {
    const sets = [places, ...others];
    for (let start = first; start <= last; start += chunkWords) {
      const end = Math.min(last + 1, start + chunkWords);
      intersect(sets, start, end);
      // What is called back may work with sets too.
      const found = chunk.slice(0, end - start);
      for (let word = start; word < end; word += 1)
        if (found[word - start] !== 0 && isDone(word, found[word - start] as number)) return;
    }
    return;
  }
  for (let block = first >>> 5; block <= last >>> 5; block += 1)
    for (let words = filled[block] as number; words !== 0; words &= words - 1) {
      const word = block * 32 + 31 - Math.clz32(words & -words);
      if (word < first) continue;
      if (word > last) return;
      let left = wordOf(places, word);
      for (let at = 0; at < others.length && left !== 0; at += 1) left &= wordOf(others[at] as Places, word);
      if (left !== 0 && isDone(word, left)) return;
    }
}
