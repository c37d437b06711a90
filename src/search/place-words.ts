import { addBits, type MutablePlaceSet, type PlaceSet, type Places, wordOf } from "./place-set.ts";

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

/** Words of a union of sets: word `start` of it is entry `from` of `bits`. Those of a single set are not copied. */
export class Chunk {
  readonly #own = new Uint32Array(chunkWords);
  bits: Uint32Array = this.#own;
  from = 0;

  /** @param end word behind the last, at most `chunkWords` behind `start` */
  read(places: Places, start: number, end: number): void {
    const single = places.length === 1 ? places[0] : undefined;
    if (single === undefined) readChunk(places, start, end, this.#own);
    this.bits = single?.bits ?? this.#own;
    this.from = single === undefined ? 0 : single.offset + start;
  }

  /** Lets go of what was read: an index that is no longer used must not stay in memory for it. */
  release(): void {
    this.bits = this.#own;
  }
}

const one = new Chunk();
const both = new Uint32Array(chunkWords);
const other = new Chunk();

/** Words of bits that were read last, those without any left out. Answers are made one at a time and without waiting, so one is enough. */
export const batch = {
  words: new Uint32Array(chunkWords),
  bits: new Uint32Array(chunkWords),
  count: 0,
};

/** Reads words from `first` to `last`, of what is in all of some unions of sets, into `batch`.
 *  @param most words are wanted, `chunkWords` at most  @returns the word to go on with; behind `last`: there are no more */
export function readWords(unions: readonly Places[], first: number, last: number, most: number): number {
  batch.count = 0;
  const sparse = sparsest(unions);
  return sparse >= 0 ? readFilled(unions, sparse, first, last, most) : readDense(unions, first, last, most);
}

function readDense(unions: readonly Places[], first: number, last: number, most: number): number {
  const { words, bits } = batch;
  // Where a few are wanted, they are mostly found at once.
  let room = most;
  for (let start = first; start <= last; ) {
    const end = Math.min(last + 1, start + room);
    intersect(unions, start, end);
    let count = 0;
    const length = end - start;
    for (let word = 0; word < length; word += 1) {
      const found = both[word] as number;
      if (found === 0) continue;
      words[count] = start + word;
      bits[count] = found;
      count += 1;
    }
    start = end;
    batch.count = count;
    if (count > 0) return start;
    room = Math.min(chunkWords, room * 2);
  }
  return last + 1;
}

/** Puts words `start` up to, not including, `end` of what is in all of some unions into `both`. */
function intersect(unions: readonly Places[], start: number, end: number): void {
  const length = end - start;
  one.read(unions[0] as Places, start, end);
  let { bits: left, from } = one;
  // A single one is met with itself.
  for (let at = Math.min(1, unions.length - 1); at < unions.length; at += 1) {
    other.read(unions[at] as Places, start, end);
    const { bits: right, from: rightFrom } = other;
    for (let word = 0; word < length; word += 1)
      both[word] = (left[from + word] as number) & (right[rightFrom + word] as number);
    [left, from] = [both, 0];
  }
  one.release();
  other.release();
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

/** The same where one of the unions is known to be sparse. */
function readFilled(unions: readonly Places[], sparse: number, first: number, last: number, most: number): number {
  const { words, bits } = batch;
  const driver = unions[sparse] as Places;
  const others = unions.filter((_, at) => at !== sparse);
  const other = others[0] ?? driver;
  const [own, otherFirst] = [driver[0], other[0]];
  if (own === undefined || otherFirst === undefined) return last + 1;
  // Most unions are of one set: their bits are had at once.
  const { bits: otherBits, offset } = otherFirst;
  let count = 0;
  for (let block = first >>> 5; block <= last >>> 5; block += 1) {
    let filled = own.filled?.[block] ?? 0;
    for (let at = 1; at < driver.length; at += 1) filled |= driver[at]?.filled?.[block] ?? 0;
    for (; filled !== 0; filled &= filled - 1) {
      const word = block * 32 + 31 - Math.clz32(filled & -filled);
      if (word < first) continue;
      if (word > last) break;
      let left = other.length === 1 ? (otherBits[offset + word] as number) : wordOf(other, word);
      if (left === 0) continue;
      left &= driver.length === 1 ? (own.bits[word] as number) : wordOf(driver, word);
      for (let at = 1; at < others.length && left !== 0; at += 1) left &= wordOf(others[at] as Places, word);
      if (left === 0) continue;
      words[count] = word;
      bits[count] = left;
      count += 1;
      if (count === most) {
        batch.count = count;
        return word + 1;
      }
    }
  }
  batch.count = count;
  return last + 1;
}

/** Puts places from `from` up to, not including, `to` that are in all of some unions of sets into `into`, ascending.
 *  @returns how many; as many as `into` has room for: there may be more behind the last */
export function fillPlaces(unions: readonly Places[], from: number, to: number, into: Uint32Array): number {
  if (from >= to) return 0;
  const { words, bits } = batch;
  const last = (to - 1) >>> 5;
  const most = Math.min(chunkWords, into.length);
  let count = 0;
  for (let next = from >>> 5; next <= last; ) {
    next = readWords(unions, next, last, most);
    for (let at = 0; at < batch.count; at += 1) {
      const word = words[at] as number;
      for (let left = bits[at] as number; left !== 0; left &= left - 1) {
        const place = word * 32 + 31 - Math.clz32(left & -left);
        if (place < from || place >= to) continue;
        into[count] = place;
        count += 1;
        if (count === into.length) return count;
      }
    }
  }
  return count;
}

/** Adds what is in all of some unions of sets. @param size places there are */
export function addIntersection(set: MutablePlaceSet, unions: readonly Places[], size: number): void {
  const { words, bits } = batch;
  const last = ((size + 31) >>> 5) - 1;
  for (let next = 0; next <= last; ) {
    next = readWords(unions, next, last, chunkWords);
    for (let at = 0; at < batch.count; at += 1) addBits(set, words[at] as number, bits[at] as number);
  }
}
