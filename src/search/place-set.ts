/** Documents of a part, one bit a place, from word `offset` of `bits` on. */
export interface PlaceSet {
  readonly bits: Uint32Array;
  readonly offset: number;
  /** One bit for each word of `bits` that may hold any; absent: each may. */
  readonly filled?: Uint32Array;
  readonly additions?: number;
}

/** Documents in any of some sets. */
export type Places = readonly PlaceSet[];

/** A set that can be added to, and must be given back. */
export interface MutablePlaceSet extends PlaceSet {
  readonly offset: 0;
  readonly filled: Uint32Array;
  /** How often something was added: words of `bits` that hold any, at most. */
  additions: number;
}

/** Sets not in use, all empty. */
const pool: MutablePlaceSet[] = [];
const mostKept = 32;
/** Words of bits that are emptied at once in the time in which one is emptied by itself. */
const wordsAtOnce = 12;

/** An empty set for places below `size`. */
export function takeSet(size: number): MutablePlaceSet {
  const words = (size + 31) >>> 5;
  const kept = pool.pop();
  if (kept !== undefined && kept.bits.length >= words) return kept;
  return { bits: new Uint32Array(words), offset: 0, filled: new Uint32Array((words + 31) >>> 5), additions: 0 };
}

/** Empties a set for others. */
export function giveBack(set: MutablePlaceSet): void {
  empty(set);
  if (pool.length < mostKept) pool.push(set);
}

export function empty(set: MutablePlaceSet): void {
  const { bits, filled } = set;
  if (set.additions * wordsAtOnce > bits.length) bits.fill(0);
  else
    for (let block = 0; block < filled.length; block += 1)
      for (let words = filled[block] as number; words !== 0; words &= words - 1)
        bits[block * 32 + 31 - Math.clz32(words & -words)] = 0;
  filled.fill(0);
  set.additions = 0;
}

/** Adds entries `from` up to, not including, `to` of a list of places. */
export function addPlaces(set: MutablePlaceSet, places: ArrayLike<number>, from: number, to: number): void {
  const { bits, filled } = set;
  set.additions += to - from;
  for (let entry = from; entry < to; entry += 1) {
    const place = places[entry] as number;
    const word = place >>> 5;
    bits[word] = (bits[word] as number) | (1 << (place & 31));
    filled[word >>> 5] = (filled[word >>> 5] as number) | (1 << (word & 31));
  }
}

/** Adds places of one word of bits. */
export function addBits(set: MutablePlaceSet, word: number, more: number): void {
  const { bits, filled } = set;
  set.additions += 1;
  bits[word] = (bits[word] as number) | more;
  filled[word >>> 5] = (filled[word >>> 5] as number) | (1 << (word & 31));
}

export function isIn(places: Places, place: number): boolean {
  return ((wordOf(places, place >>> 5) >>> (place & 31)) & 1) === 1;
}

/** 32 places of a union of sets. */
export function wordOf(places: Places, word: number): number {
  let found = 0;
  for (let at = 0; at < places.length; at += 1) {
    const { bits, offset } = places[at] as PlaceSet;
    found |= bits[offset + word] as number;
  }
  return found;
}

/** Adds words `start` up to, not including, `end`, the first of which is the first of `more`. @param start a multiple of 32 */
export function addChunk(set: MutablePlaceSet, more: Uint32Array, start: number, end: number): void {
  const { bits, filled } = set;
  let additions = 0;
  for (let block = start; block < end; block += 32) {
    const length = Math.min(32, end - block);
    let some = 0;
    for (let word = 0; word < length; word += 1) {
      const own = more[block - start + word] as number;
      if (own === 0) continue;
      bits[block + word] = (bits[block + word] as number) | own;
      some |= 1 << word;
      additions += 1;
    }
    filled[block >>> 5] = (filled[block >>> 5] as number) | some;
  }
  set.additions += additions;
}
