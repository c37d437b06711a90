import { addBits, empty, isIn, type MutablePlaceSet, type Places, wordOf } from "./place-set.ts";
import { chunkWords, fillPlaces, readChunk } from "./place-words.ts";

/** What is asked of `mostHeld`. */
export interface Holders {
  /** By word: the documents that hold it, words that few hold first. */
  readonly unions: readonly Places[];
  /** By word: about how many those are. */
  readonly sizes: readonly number[];
  /** Places there are. */
  readonly size: number;
  /** A document that holds so many words, or more, does not count. */
  readonly below: number;
  /** By place, 1: does not count; absent: all count. */
  readonly dead: Uint8Array | undefined;
  /** How many of the words a document holds, where that may be fewer than those of whose sets it is. */
  readonly recount?: (place: number) => number;
}

const batch = new Uint32Array(256);
/** A word of bits for every word is looked at in the time in which so many documents are. */
const wordsPerDocument = 4;

/** Where documents are put that hold most words, and those that hold one word less (1 at least) where that is asked for. Some that do
 *  not count may be among them. */
export interface Found {
  most: MutablePlaceSet;
  less?: MutablePlaceSet;
}

/** @param found empty sets  @returns how many words most are; 0: no document holds any
 *
 *  A document that holds all but n of the words holds one of the n + 1 rarest. So documents of the rarest words are looked at one by
 *  one, until what is left cannot be better, or is had more quickly 32 documents at a time. */
export function mostHeld(holders: Holders, found: Found): number {
  const { unions, sizes, size, recount } = holders;
  const words = (size + 31) >>> 5;
  let best = 0;
  for (let first = 0; first < unions.length; first += 1) {
    const left = unions.length - first;
    if (left < leastWanted(best, found)) break;
    if (recount === undefined && (sizes[first] as number) * wordsPerDocument > words * left)
      return countDense(holders, first, best, found);
    best = countEach(holders, first, best, found);
  }
  return best;
}

/** Words that a document must hold to be put anywhere. */
function leastWanted(best: number, { less }: Found): number {
  return Math.max(1, less === undefined ? best : best - 1);
}

/** Makes room for documents that hold more words. */
function raise(best: number, to: number, found: Found): number {
  if (found.less !== undefined) {
    empty(found.less);
    if (to === best + 1) [found.most, found.less] = [found.less, found.most];
  }
  empty(found.most);
  return to;
}

/** Looks at each document that holds a word and none before it. */
function countEach(
  { unions, size, below, dead, recount }: Holders,
  first: number,
  before: number,
  found: Found,
): number {
  let best = before;
  const own = [unions[first] as Places];
  for (let from = 0; ; ) {
    const count = fillPlaces(own, from, size, batch);
    for (let entry = 0; entry < count; entry += 1) {
      const place = batch[entry] as number;
      if (dead?.[place] === 1 || isInAny(unions, first, place)) continue;
      const least = leastWanted(best, found);
      const held = recount === undefined ? heldFrom(unions, first, place, least) : recount(place);
      if (held < least || held >= below) continue;
      if (held > best) best = raise(best, held, found);
      addBits(held < best && found.less ? found.less : found.most, place >>> 5, 1 << (place & 31));
    }
    if (count < batch.length) return best;
    from = (batch[count - 1] as number) + 1;
  }
}

function isInAny(unions: readonly Places[], end: number, place: number): boolean {
  for (let at = 0; at < end; at += 1) if (isIn(unions[at] as Places, place)) return true;
  return false;
}

/** How many words from `first` on a document holds that holds that one; fewer where that is not enough. */
function heldFrom(unions: readonly Places[], first: number, place: number, enough: number): number {
  let held = 1;
  for (let at = first + 1; at < unions.length && held + unions.length - at >= enough; at += 1)
    if (isIn(unions[at] as Places, place)) held += 1;
  return held;
}

const chunk = new Uint32Array(chunkWords);
/** By how many words a document lacks. */
const lacking: Uint32Array[] = [];

/** Counts words from `first` on of all documents that hold none before it, 32 documents at a time. */
function countDense({ unions, size, below, dead }: Holders, first: number, before: number, found: Found): number {
  const words = (size + 31) >>> 5;
  const most = unions.length - first;
  let best = before;
  for (let start = 0; start < words; start += chunkWords) {
    const end = Math.min(words, start + chunkWords);
    const mostLacking = most - leastWanted(best, found);
    readLacking(unions, first, start, end, mostLacking);
    for (let held = Math.min(most, below - 1); held >= leastWanted(best, found); held -= 1) {
      const bits = lacking[most - held] as Uint32Array;
      for (let word = start; word < end; word += 1) {
        let left = bits[word - start] as number;
        // Those are numbers behind the last place.
        if (word === words - 1 && (size & 31) !== 0) left &= (1 << (size & 31)) - 1;
        for (let at = 0; at < first && left !== 0; at += 1) left &= ~wordOf(unions[at] as Places, word);
        if (left === 0) continue;
        if (held > best) {
          if (!holdsLiving(left, word, dead)) continue;
          best = raise(best, held, found);
        }
        addBits(held < best && found.less ? found.less : found.most, word, left);
      }
    }
  }
  return best;
}

/** Puts words `start` up to `end` of the sets of documents that lack none, one, … of the words from `first` on into `lacking`. */
function readLacking(unions: readonly Places[], first: number, start: number, end: number, mostLacking: number): void {
  const length = end - start;
  for (let lack = lacking.length; lack <= mostLacking; lack += 1) lacking.push(new Uint32Array(chunkWords));
  const none = lacking[0] as Uint32Array;
  none.fill(-1, 0, length);
  for (let lack = 1; lack <= mostLacking; lack += 1) (lacking[lack] as Uint32Array).fill(0, 0, length);
  for (let at = first; at < unions.length; at += 1) {
    readChunk(unions[at] as Places, start, end, chunk);
    for (let lack = Math.min(mostLacking, at - first + 1); lack > 0; lack -= 1) {
      const bits = lacking[lack] as Uint32Array;
      const fewer = lacking[lack - 1] as Uint32Array;
      for (let word = 0; word < length; word += 1) {
        const own = chunk[word] as number;
        bits[word] = ((bits[word] as number) & own) | ((fewer[word] as number) & ~own);
      }
    }
    for (let word = 0; word < length; word += 1) none[word] = (none[word] as number) & (chunk[word] as number);
  }
}

/** Whether a document that counts is among 32. */
export function holdsLiving(bits: number, word: number, dead: Uint8Array | undefined): boolean {
  if (dead === undefined) return true;
  for (let left = bits; left !== 0; left &= left - 1)
    if (dead[word * 32 + 31 - Math.clz32(left & -left)] !== 1) return true;
  return false;
}
