// AssemblyScript, compiled to `../kernel-code.ts` by `npm run kernel`.
//
// Bit sets of documents, with one bit per document id. They are processed 128 bits at a time. The memory layout of a
// set is
//
//      overview   one bit per block, set if the block has any document; 64-bit words, the last one padded with zeros
//      blocks     512 bits each; a block whose overview bit is 0 has undefined contents and is not read
//
// Empty blocks are skipped, and clearing a set clears only its overview. The parameter `words` is the number of 64-bit
// words in an overview, which is equal for all sets of a function call. Addresses are byte offsets into the memory.

/** Byte address of the operand list. Each operand is the 32-bit address of a bit set. */
const operands: usize = 0;
export const blockLength: usize = 64;
export const vectorLength: usize = 16;

/** Returns the address of the first block of a set. */
export function getBlocksAddress(set: usize, words: i32): usize {
  return set + (((words << 3) + 63) & ~63);
}

export function loadOperand(index: i32): usize {
  return load<u32>(operands + (index << 2));
}

export function loadOverview(set: usize, word: i32): u64 {
  return load<u64>(set + (word << 3));
}

export function setOverview(set: usize, word: i32, bits: u64): void {
  store<u64>(set + (word << 3), bits);
}

/**
 * Returns the offset of the block that is marked by the lowest set bit of an overview word.
 * @param bits bits of the overview word
 * @param word index of the overview word
 */
export function getBlockAddress(bits: u64, word: i32, words: i32): usize {
  return getBlocksAddress(0, words) + (((ctz(bits) as i32) + (word << 6)) << 6);
}

/** Returns 128 bits of a block, or zeros if the block is empty. */
export function loadBlockBits(isBlockUsed: bool, block: usize): v128 {
  return isBlockUsed ? v128.load(block) : i64x2.splat(0);
}

/** Removes all documents from a set. */
export function clear(set: usize, words: i32): void {
  memory.fill(set, 0, words << 3);
}
