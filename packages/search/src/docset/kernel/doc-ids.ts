// Operations on bit sets (see `layout.ts`).
import { bitsOf, blockAt, blockLength, blocksOf, operand, overview, setOverview, vectorLength } from "./layout";

export { clear } from "./layout";

/** Address of scratch memory for one block. */
const scratch: usize = 192;

/**
 * Returns the intersection of one overview word of all operands. Its bits mark blocks that may have a document in each
 * operand.
 */
function common(count: i32, word: i32): u64 {
  let found = overview(operand(0), word);
  for (let at = 1; at < count; at += 1) found &= overview(operand(at), word);
  return found;
}

/**
 * Writes the intersection of one block of all operands to `into`.
 * @param start offset of the block within a set
 * @returns whether the intersection contains any document
 */
function meet(into: usize, count: i32, start: usize): bool {
  // The block stays in registers, because this is the innermost loop of most queries.
  const first = operand(0) + start;
  let a = v128.load(first);
  let b = v128.load(first, 16);
  let c = v128.load(first, 32);
  let d = v128.load(first, 48);
  for (let index = 1; index < count; index += 1) {
    const next = operand(index) + start;
    a = v128.and(a, v128.load(next));
    b = v128.and(b, v128.load(next, 16));
    c = v128.and(c, v128.load(next, 32));
    d = v128.and(d, v128.load(next, 48));
  }
  v128.store(into, a);
  v128.store(into, b, 16);
  v128.store(into, c, 32);
  v128.store(into, d, 48);
  return v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)));
}

/** Removes the bits of one block from another block. */
function subtract(block: usize, from: usize): void {
  for (let at: usize = 0; at < blockLength; at += vectorLength)
    v128.store(from + at, v128.andnot(v128.load(from + at), v128.load(block + at)));
}

/**
 * Finds doc ids from `from` to `to` (exclusive) that are in all of `count` operands and not in `deleted`, in ascending
 * order.
 * @param deleted address of a set, or 0
 * @param into address of the result, 32 bits per doc id
 * @returns number of doc ids, at most `maxCount`
 */
export function docIds(count: i32, deleted: usize, words: i32, from: i32, to: i32, into: usize, most: i32): i32 {
  if (from >= to) return 0;
  let found = 0;
  let mask: u64 = u64.MAX_VALUE << ((from >>> 9) & 63);
  for (let word = from >>> 15; word <= (to - 1) >>> 15; word += 1) {
    for (let left = common(count, word) & mask; left !== 0; left &= left - 1) {
      const start = blockAt(left, word, words);
      if (!meet(scratch, count, start)) continue;
      if (deleted !== 0 && (overview(deleted, word) & left & -left) !== 0) subtract(deleted + start, scratch);
      const first = ((ctz(left) as i32) + (word << 6)) << 9;
      for (let lane = 0; lane < 8; lane += 1)
        for (let bits = load<u64>(scratch + (lane << 3)); bits !== 0; bits &= bits - 1) {
          const docId = first + (lane << 6) + (ctz(bits) as i32);
          if (docId < from) continue;
          if (docId >= to) return found;
          store<u32>(into + (found << 2), docId);
          found += 1;
          if (found === most) return found;
        }
    }
    mask = u64.MAX_VALUE;
  }
  return found;
}

/** Writes the intersection of `count` operands to `into`, which may be one of the operands. */
export function intersect(into: usize, count: i32, words: i32): void {
  for (let word = 0; word < words; word += 1) {
    let filled: u64 = 0;
    for (let left = common(count, word); left !== 0; left &= left - 1) {
      const start = blockAt(left, word, words);
      if (meet(into + start, count, start)) filled |= left & -left;
    }
    setOverview(into, word, filled);
  }
}

/** Adds all documents of `set` to `into`. */
export function union(into: usize, set: usize, words: i32): void {
  for (let word = 0; word < words; word += 1) {
    const before = overview(into, word);
    const more = overview(set, word);
    for (let left = more; left !== 0; left &= left - 1) {
      const start = blockAt(left, word, words);
      for (let at: usize = start; at < start + blockLength; at += vectorLength)
        v128.store(into + at, v128.or(bitsOf((before & left & -left) !== 0, into + at), v128.load(set + at)));
    }
    setOverview(into, word, before | more);
  }
}

/** Adds the doc ids of a list, 32 bits per doc id. */
export function insert(set: usize, words: i32, list: usize, count: i32): void {
  const blocks = blocksOf(set, words);
  const end = list + (count << 2);
  if (count > words << 6) {
    // Most blocks will have documents. All empty blocks are cleared first, so that the loop need not read the overview.
    for (let word = 0; word < words; word += 1) {
      for (let left = ~overview(set, word); left !== 0; left &= left - 1)
        memory.fill(set + blockAt(left, word, words), 0, blockLength);
      setOverview(set, word, u64.MAX_VALUE);
    }
    for (let at = list; at < end; at += 4) setPlace(blocks, load<u32>(at));
  } else
    for (let at = list; at < end; at += 4) {
      const docId = load<u32>(at);
      makeReady(set, blocks, docId);
      setPlace(blocks, docId);
    }
}

function setPlace(blocks: usize, docId: u32): void {
  const byte = blocks + (docId >>> 3);
  store<u8>(byte, load<u8>(byte) | ((1 as u8) << ((docId & 7) as u8)));
}

/** Clears the block of a doc id if the block is empty. */
function makeReady(set: usize, blocks: usize, docId: u32): void {
  const word = docId >>> 15;
  const filled = overview(set, word);
  const bit = (1 as u64) << ((docId >>> 9) & 63);
  if ((filled & bit) !== 0) return;
  memory.fill(blocks + ((docId >>> 9) << 6), 0, blockLength);
  setOverview(set, word, filled | bit);
}

/** Creates the overview for blocks that were copied into a set.  @param bytes number of copied bytes */
export function fill(set: usize, words: i32, bytes: i32): void {
  const blocks = (bytes + 63) >>> 6;
  memory.fill(blocksOf(set, words) + bytes, 0, (blocks << 6) - bytes);
  for (let word = 0; word < words; word += 1) {
    const left = blocks - (word << 6);
    setOverview(set, word, left >= 64 ? u64.MAX_VALUE : left > 0 ? ((1 as u64) << left) - 1 : 0);
  }
}
