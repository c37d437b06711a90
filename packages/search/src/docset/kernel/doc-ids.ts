// Operations on bit sets. `layout.ts` describes their memory layout.
import {
  blockLength,
  getBlockAddress,
  getBlocksAddress,
  loadBlockBits,
  loadOperand,
  loadOverview,
  setOverview,
  vectorLength,
} from "./layout";

export { clear } from "./layout";

/** Address of temporary memory for one block. */
const scratchBlockAddress: usize = 192;

/**
 * Intersects the same overview word of all operands. The result has a bit for each block that has documents in every
 * operand.
 */
function intersectOverviews(count: i32, word: i32): u64 {
  let commonBlockBits = loadOverview(loadOperand(0), word);
  for (let index = 1; index < count; index += 1) commonBlockBits &= loadOverview(loadOperand(index), word);
  return commonBlockBits;
}

/**
 * Intersects the same block of all operands and writes the result to `target`.
 * @param start offset of the block within a set
 * @returns whether the intersection contains any document
 */
function intersectBlocks(target: usize, count: i32, start: usize): bool {
  // The block is loaded into registers, because this is the innermost loop of most queries.
  const firstBlock = loadOperand(0) + start;
  let vector0 = v128.load(firstBlock);
  let vector1 = v128.load(firstBlock, 16);
  let vector2 = v128.load(firstBlock, 32);
  let vector3 = v128.load(firstBlock, 48);
  for (let index = 1; index < count; index += 1) {
    const nextBlock = loadOperand(index) + start;
    vector0 = v128.and(vector0, v128.load(nextBlock));
    vector1 = v128.and(vector1, v128.load(nextBlock, 16));
    vector2 = v128.and(vector2, v128.load(nextBlock, 32));
    vector3 = v128.and(vector3, v128.load(nextBlock, 48));
  }
  v128.store(target, vector0);
  v128.store(target, vector1, 16);
  v128.store(target, vector2, 32);
  v128.store(target, vector3, 48);
  return v128.any_true(v128.or(v128.or(vector0, vector1), v128.or(vector2, vector3)));
}

/** Removes the documents of one block from another block. */
function subtractBlock(block: usize, target: usize): void {
  for (let offset: usize = 0; offset < blockLength; offset += vectorLength)
    v128.store(target + offset, v128.andnot(v128.load(target + offset), v128.load(block + offset)));
}

/**
 * Finds the document ids from `from` to `to` (exclusive) that are in all operands and not in `deleted`, in ascending
 * order.
 * @param count number of operands
 * @param deleted address of a set, or 0
 * @param resultAddress address of the result, 32 bits per document id
 * @returns number of document ids, at most `maxCount`
 */
export function docIds(
  count: i32,
  deleted: usize,
  words: i32,
  from: i32,
  to: i32,
  resultAddress: usize,
  maxCount: i32,
): i32 {
  if (from >= to) return 0;
  let resultCount = 0;
  let startMask: u64 = u64.MAX_VALUE << ((from >>> 9) & 63);
  for (let word = from >>> 15; word <= (to - 1) >>> 15; word += 1) {
    for (
      let pendingBlocks = intersectOverviews(count, word) & startMask;
      pendingBlocks !== 0;
      pendingBlocks &= pendingBlocks - 1
    ) {
      const start = getBlockAddress(pendingBlocks, word, words);
      if (!intersectBlocks(scratchBlockAddress, count, start)) continue;
      if (deleted !== 0 && (loadOverview(deleted, word) & pendingBlocks & -pendingBlocks) !== 0)
        subtractBlock(deleted + start, scratchBlockAddress);
      const firstDocId = ((ctz(pendingBlocks) as i32) + (word << 6)) << 9;
      for (let wordIndex = 0; wordIndex < 8; wordIndex += 1)
        for (let bits = load<u64>(scratchBlockAddress + (wordIndex << 3)); bits !== 0; bits &= bits - 1) {
          const docId = firstDocId + (wordIndex << 6) + (ctz(bits) as i32);
          if (docId < from) continue;
          if (docId >= to) return resultCount;
          store<u32>(resultAddress + (resultCount << 2), docId);
          resultCount += 1;
          if (resultCount === maxCount) return resultCount;
        }
    }
    startMask = u64.MAX_VALUE;
  }
  return resultCount;
}

/** Writes the intersection of `count` operands to `resultAddress`, which may be one of the operands. */
export function intersect(resultAddress: usize, count: i32, words: i32): void {
  for (let word = 0; word < words; word += 1) {
    let overviewBits: u64 = 0;
    for (let pendingBlocks = intersectOverviews(count, word); pendingBlocks !== 0; pendingBlocks &= pendingBlocks - 1) {
      const start = getBlockAddress(pendingBlocks, word, words);
      if (intersectBlocks(resultAddress + start, count, start)) overviewBits |= pendingBlocks & -pendingBlocks;
    }
    setOverview(resultAddress, word, overviewBits);
  }
}

/** Adds all documents of `set` to `resultAddress`. */
export function union(resultAddress: usize, set: usize, words: i32): void {
  for (let word = 0; word < words; word += 1) {
    const targetBits = loadOverview(resultAddress, word);
    const sourceBits = loadOverview(set, word);
    for (let pendingBlocks = sourceBits; pendingBlocks !== 0; pendingBlocks &= pendingBlocks - 1) {
      const start = getBlockAddress(pendingBlocks, word, words);
      for (let offset: usize = start; offset < start + blockLength; offset += vectorLength)
        v128.store(
          resultAddress + offset,
          v128.or(
            loadBlockBits((targetBits & pendingBlocks & -pendingBlocks) !== 0, resultAddress + offset),
            v128.load(set + offset),
          ),
        );
    }
    setOverview(resultAddress, word, targetBits | sourceBits);
  }
}

/** Adds the document ids of a list to a set. Each id in the list has 32 bits. */
export function insert(set: usize, words: i32, list: usize, count: i32): void {
  const blocks = getBlocksAddress(set, words);
  const end = list + (count << 2);
  if (count > words << 6) {
    // After this insertion, most blocks have documents. All empty blocks are cleared first, so that the loop need not
    // check the overview.
    for (let word = 0; word < words; word += 1) {
      for (let emptyBlockBits = ~loadOverview(set, word); emptyBlockBits !== 0; emptyBlockBits &= emptyBlockBits - 1)
        memory.fill(set + getBlockAddress(emptyBlockBits, word, words), 0, blockLength);
      setOverview(set, word, u64.MAX_VALUE);
    }
    for (let entry = list; entry < end; entry += 4) setDocId(blocks, load<u32>(entry));
  } else
    for (let entry = list; entry < end; entry += 4) {
      const docId = load<u32>(entry);
      clearEmptyBlock(set, blocks, docId);
      setDocId(blocks, docId);
    }
}

function setDocId(blocks: usize, docId: u32): void {
  const byte = blocks + (docId >>> 3);
  store<u8>(byte, load<u8>(byte) | ((1 as u8) << ((docId & 7) as u8)));
}

/** Writes zeros to the block of a document id if the overview marks the block as empty. */
function clearEmptyBlock(set: usize, blocks: usize, docId: u32): void {
  const word = docId >>> 15;
  const overviewBits = loadOverview(set, word);
  const bit = (1 as u64) << ((docId >>> 9) & 63);
  if ((overviewBits & bit) !== 0) return;
  memory.fill(blocks + ((docId >>> 9) << 6), 0, blockLength);
  setOverview(set, word, overviewBits | bit);
}

/** Marks the blocks that were copied into a set as not empty.  @param bytes number of copied bytes */
export function fill(set: usize, words: i32, bytes: i32): void {
  const blockCount = (bytes + 63) >>> 6;
  memory.fill(getBlocksAddress(set, words) + bytes, 0, (blockCount << 6) - bytes);
  for (let word = 0; word < words; word += 1) {
    const remainingBlocks = blockCount - (word << 6);
    setOverview(
      set,
      word,
      remainingBlocks >= 64 ? u64.MAX_VALUE : remainingBlocks > 0 ? ((1 as u64) << remainingBlocks) - 1 : 0,
    );
  }
}
