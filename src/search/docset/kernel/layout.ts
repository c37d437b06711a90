// AssemblyScript: compiled to `../kernel-code.ts` by `npm run kernel`.
//
// Sets of documents, one bit for the place of each, worked on 128 bits at a time. A set lies in memory as
//
//      overview   one bit for each block, whether it holds any; 64 bits a word, the last filled up with zeros
//      blocks     of 512 bits; a block without a bit in the overview holds anything, and is not read
//
// so that what is clear costs next to nothing, and what is no longer used need not be emptyed. `words` are those of an overview: all
// sets of one call have the same number. Addresses are byte offsets into the memory.

/** Addresses of the sets that a call works on, 32 bits each. */
const operands: usize = 0;
export const blockLength: usize = 64;
export const vectorLength: usize = 16;

/** Where the blocks of a set begin. */
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

/** Where in a set the block of the lowest of some bits of its overview lies. */
export function blockAt(bits: u64, word: i32, words: i32): usize {
  return blocksOf(0, words) + (((ctz(bits) as i32) + (word << 6)) << 6);
}

export function isAnyIn(block: usize): bool {
  return v128.any_true(
    v128.or(v128.or(v128.load(block), v128.load(block, 16)), v128.or(v128.load(block, 32), v128.load(block, 48))),
  );
}

/** Of a block, 128 bits; of one that is not filled, none. */
export function bitsOf(isFilled: bool, block: usize): v128 {
  return isFilled ? v128.load(block) : i64x2.splat(0);
}

/** Empties a set. */
export function clear(set: usize, words: i32): void {
  memory.fill(set, 0, words << 3);
}
