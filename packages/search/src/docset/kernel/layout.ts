// AssemblyScript: compiled to `../kernel-code.ts` by `npm run kernel`.
//
// Bit sets of documents, one bit for each doc id, worked on 128 bits at a time. A set lies in memory as
//
//      overview   one bit for each block, whether it has any document; in 64-bit words, the last padded with zeros
//      blocks     of 512 bits; a block whose bit in the overview is 0 has undefined contents and is not read
//
// so that empty blocks cost next to nothing, and clearing a set clears its overview alone. `words` is the number of
// 64-bit words in an overview: all sets of a call have the same. Addresses are byte offsets into the memory.

/** Where the addresses of the operands of a call lie, 32 bits each. */
const operands: usize = 0;
export const blockLength: usize = 64;
export const vectorLength: usize = 16;

/** Address of the first block of a set. */
export function blocksOf(set: usize, words: i32): usize {
  return set + (((words << 3) + 63) & ~63);
}

export function operand(index: i32): usize {
  return load<u32>(operands + (index << 2));
}

export function overview(set: usize, word: i32): u64 {
  return load<u64>(set + (word << 3));
}

export function setOverview(set: usize, word: i32, bits: u64): void {
  store<u64>(set + (word << 3), bits);
}

/** Offset within a set of the block for the lowest bit of an overview word. */
export function blockAt(bits: u64, word: i32, words: i32): usize {
  return blocksOf(0, words) + (((ctz(bits) as i32) + (word << 6)) << 6);
}

/** 128 bits of a block; zeros if the block is empty. */
export function bitsOf(isFilled: bool, block: usize): v128 {
  return isFilled ? v128.load(block) : i64x2.splat(0);
}

/** Clears a set. */
export function clear(set: usize, words: i32): void {
  memory.fill(set, 0, words << 3);
}
