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

/** Words of sets that are worked on at once: few enough to stay in the nearest cache. */
export const chunkWords = 512;

/** Puts words `start` up to, not including, `end` of a union of sets into `chunk`: short loops over two arrays are the fastest there are. */
export function readChunk(places: Places, start: number, end: number, chunk: Uint32Array): void {
  const length = end - start;
  if (places.length === 0) chunk.fill(0, 0, length);
  for (let at = 0; at < places.length; at += 1) {
    const { bits, offset } = places[at] as PlaceSet;
    const first = offset + start;
    if (at === 0) for (let word = 0; word < length; word += 1) chunk[word] = bits[first + word] as number;
    else
      for (let word = 0; word < length; word += 1)
        chunk[word] = (chunk[word] as number) | (bits[first + word] as number);
  }
}

const chunk = new Uint32Array(chunkWords);
const other = new Uint32Array(chunkWords);

/** Puts places from `from` up to, not including, `to` that are in all of some unions of sets into `into`, ascending.
 *  @returns how many; as many as `into` has room for: there may be more behind the last */
export function fillPlaces(unions: readonly Places[], from: number, to: number, into: Uint32Array): number {
  if (from >= to) return 0;
  let count = 0;
  eachWord(unions, from >>> 5, (to - 1) >>> 5, (word, bits) => {
    count = putPlaces(bits, word, from, to, into, count);
    return count === into.length;
  });
  return count;
}

/** Adds what is in all of some unions of sets. @param size places there are */
export function addIntersection(set: MutablePlaceSet, unions: readonly Places[], size: number): void {
  eachWord(unions, 0, ((size + 31) >>> 5) - 1, (word, bits) => {
    addBits(set, word, bits);
    return false;
  });
}

/** Calls back with the words, `first` to `last`, of what is in all of some unions of sets, but for empty ones, until told true. What is
 *  called back must not ask for another intersection. */
export function eachWord(
  unions: readonly Places[],
  first: number,
  last: number,
  isEnough: (word: number, bits: number) => boolean,
): void {
  const sparse = sparsest(unions);
  if (sparse >= 0) {
    eachFilled(unions, sparse, first, last, isEnough);
    return;
  }
  for (let start = first; start <= last; start += chunkWords) {
    const end = Math.min(last + 1, start + chunkWords);
    intersect(unions, start, end);
    for (let word = start; word < end; word += 1) {
      const bits = chunk[word - start] as number;
      if (bits !== 0 && isEnough(word, bits)) return;
    }
  }
}

function intersect(unions: readonly Places[], start: number, end: number): void {
  const length = end - start;
  for (let at = 0; at < unions.length; at += 1) {
    const places = unions[at] as Places;
    readChunk(places, start, end, at === 0 ? chunk : other);
    if (at > 0)
      for (let word = 0; word < length; word += 1) chunk[word] = (chunk[word] as number) & (other[word] as number);
  }
}

/** Which of some unions is of sets of which it is known where they hold any, and the fewest; -1: none. */
function sparsest(unions: readonly Places[]): number {
  let found = -1;
  let fewest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < unions.length; at += 1) {
    let all = 0;
    // Of others it is not known: they may hold some anywhere.
    for (const { additions = Number.POSITIVE_INFINITY } of unions[at] as Places) all += additions;
    if (all >= fewest) continue;
    found = at;
    fewest = all;
  }
  return found;
}

/** Calls back with the words, `first` to `last`, of what is in all of some unions, one of which is known to be sparse, until told true. */
function eachFilled(
  unions: readonly Places[],
  sparse: number,
  first: number,
  last: number,
  isEnough: (word: number, bits: number) => boolean,
): void {
  const driver = unions[sparse] as Places;
  const others = unions.filter((_, at) => at !== sparse);
  const other = others[0] ?? driver;
  const [own, otherFirst] = [driver[0], other[0]];
  if (own === undefined || otherFirst === undefined) return;
  // Most unions are of one set: their bits are had at once.
  const { bits, offset } = otherFirst;
  for (let block = first >>> 5; block <= last >>> 5; block += 1) {
    let words = own.filled?.[block] ?? 0;
    for (let at = 1; at < driver.length; at += 1) words |= driver[at]?.filled?.[block] ?? 0;
    for (; words !== 0; words &= words - 1) {
      const word = block * 32 + 31 - Math.clz32(words & -words);
      if (word < first) continue;
      if (word > last) return;
      let left = other.length === 1 ? (bits[offset + word] as number) : wordOf(other, word);
      if (left === 0) continue;
      left &= driver.length === 1 ? (own.bits[word] as number) : wordOf(driver, word);
      for (let at = 1; at < others.length && left !== 0; at += 1) left &= wordOf(others[at] as Places, word);
      if (left !== 0 && isEnough(word, left)) return;
    }
  }
}

function putPlaces(bits: number, word: number, from: number, to: number, into: Uint32Array, count: number): number {
  let next = count;
  for (let left = bits; left !== 0 && next < into.length; left &= left - 1) {
    const place = word * 32 + 31 - Math.clz32(left & -left);
    if (place < from || place >= to) continue;
    into[next] = place;
    next += 1;
  }
  return next;
}
