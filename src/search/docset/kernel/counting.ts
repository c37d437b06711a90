// Coordination: how many words of a query documents hold; see `layout.ts`.
import { bitsOf, blockAt, blockLength, clear, isAnyIn, operand, overview, setOverview, vectorLength } from "./layout";

/** Where the addresses of the sets to fill lie, which may be swapped: documents with the most words, and those with one less (0: not wanted). */
const topAt: usize = 128;
const nextAt: usize = 132;
/** Scratch: addresses of the current block in the sets of words that have it. */
const present: usize = 256;
/** Scratch: 512 bits for each number of missing words, 0 and up: the documents of the current block that lack so many. */
const lacking: usize = 512;

/** Counts the words of documents that hold word `first` and none before it; without `isAlone`, of documents that hold any word from `first` on and none
 *  before it. Documents with the most words, fewer than `below`, are put into one set, and those with one less into another.
 *  @param count words; their sets are the operands  @param deleted 0: no such set  @param best the most words so far  @returns the most words now */
export function coordinate(
  first: i32,
  count: i32,
  isAlone: bool,
  below: i32,
  deleted: usize,
  best: i32,
  words: i32,
): i32 {
  const most = count - first;
  const others = isAlone ? first + 1 : first;
  for (let word = 0; word < words; word += 1) {
    let left = overview(operand(first), word);
    if (!isAlone) for (let at = others; at < count; at += 1) left |= overview(operand(at), word);
    for (; left !== 0; left &= left - 1) {
      const bit = left & -left;
      const start = blockAt(left, word, words);
      let filled = 0;
      for (let at = others; at < count; at += 1) {
        if ((overview(operand(at), word) & bit) === 0) continue;
        store<u32>(present + (filled << 2), (operand(at) + start) as u32);
        filled += 1;
      }
      const lack = most - leastWanted(best);
      const absent = count - others - filled;
      if (absent > lack) continue;
      for (let at: usize = start; at < start + blockLength; at += vectorLength) {
        let own = isAlone ? v128.load(operand(first) + at) : i64x2.splat(-1);
        for (let index = 0; index < first; index += 1)
          own = v128.andnot(own, bitsOf((overview(operand(index), word) & bit) !== 0, operand(index) + at));
        if (deleted !== 0) own = v128.andnot(own, bitsOf((overview(deleted, word) & bit) !== 0, deleted + at));
        if (lack < 4) lackFew(own, absent, filled, at - start);
        else lackMany(own, absent, filled, at - start, lack);
      }
      for (let held = min(most, below - 1); held > best; held -= 1)
        if (isAnyIn(lacking + ((most - held) << 6))) best = raise(best, held, words);
      // Once the rarest words are done, no document is left that holds as many.
      if (best > 0 && best <= most) add(load<u32>(topAt), start, word, bit, most - best);
      if (best > 1 && load<u32>(nextAt) !== 0) add(load<u32>(nextAt), start, word, bit, most - best + 1);
    }
  }
  return best;
}

/** Words that a document must hold to be put into either set. */
function leastWanted(best: i32): i32 {
  return max(1, load<u32>(nextAt) === 0 ? best : best - 1);
}

/** Empties the sets for documents with more words. */
function raise(best: i32, to: i32, words: i32): i32 {
  const less = load<u32>(nextAt);
  if (less !== 0) {
    clear(less, words);
    if (to === best + 1) {
      store<u32>(nextAt, load<u32>(topAt));
      store<u32>(topAt, less);
    }
  }
  clear(load<u32>(topAt), words);
  return to;
}

/** Adds the documents of a block that lack so many words to a set. */
function add(set: usize, start: usize, word: i32, bit: u64, lack: i32): void {
  const filled = overview(set, word);
  const isFilled = (filled & bit) !== 0;
  const from = lacking + (lack << 6);
  if (!isAnyIn(from)) return;
  const into = set + start;
  v128.store(into, v128.or(bitsOf(isFilled, into), v128.load(from)));
  v128.store(into, v128.or(bitsOf(isFilled, into + 16), v128.load(from, 16)), 16);
  v128.store(into, v128.or(bitsOf(isFilled, into + 32), v128.load(from, 32)), 32);
  v128.store(into, v128.or(bitsOf(isFilled, into + 48), v128.load(from, 48)), 48);
  setOverview(set, word, filled | bit);
}

/** Counts how many words 128 documents lack, up to three, with a bit vector for each number.
 *  @param own documents to count  @param absent words that no document of the block holds  @param at offset within the block */
function lackFew(own: v128, absent: i32, filled: i32, at: usize): void {
  const zero = i64x2.splat(0);
  let none = absent === 0 ? own : zero;
  let one = absent === 1 ? own : zero;
  let two = absent === 2 ? own : zero;
  let three = absent === 3 ? own : zero;
  for (let index = 0; index < filled; index += 1) {
    const held = v128.load((load<u32>(present + (index << 2)) as usize) + at);
    three = v128.bitselect(three, two, held);
    two = v128.bitselect(two, one, held);
    one = v128.bitselect(one, none, held);
    none = v128.and(none, held);
  }
  v128.store(lacking + at, none);
  v128.store(lacking + at, one, 64);
  v128.store(lacking + at, two, 128);
  v128.store(lacking + at, three, 192);
}

/** The same with up to `lack` missing words. */
function lackMany(own: v128, absent: i32, filled: i32, at: usize, lack: i32): void {
  const first = lacking + at;
  const last = first + (lack << 6);
  for (let here = first; here <= last; here += blockLength) v128.store(here, i64x2.splat(0));
  v128.store(first + (absent << 6), own);
  for (let index = 0; index < filled; index += 1) {
    const held = v128.load((load<u32>(present + (index << 2)) as usize) + at);
    for (let here = last; here > first; here -= blockLength)
      v128.store(here, v128.bitselect(v128.load(here), v128.load(here - blockLength), held));
    v128.store(first, v128.and(v128.load(first), held));
  }
}
