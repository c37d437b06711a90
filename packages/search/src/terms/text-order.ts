import type { TextTable } from "./dictionary.ts";

/**
 * Returns the ordinals of texts in sorted order. Units are compared as `<` compares strings. The texts must be
 * distinct.
 */
export function sortTexts(texts: TextTable): Uint32Array {
  const count = texts.starts.length - 1;
  return new TextSorter(texts, count).sort();
}

/**
 * A most-significant-digit sort. Texts are sorted by their first letters, and texts with equal first letters by the
 * next letters. The letters and the ordinal of a text are packed into one number, because typed arrays of numbers sort
 * fast.
 */
class TextSorter {
  readonly #texts: TextTable;
  readonly #sortedOrdinals: Uint32Array;
  readonly #keys: Float64Array;
  /**
   * Rank of each UTF-16 unit among those that occur in the texts, starting at 1. In a sort key, 0 marks the end of a
   * text.
   */
  readonly #letterRanks = new Uint16Array(0x10000);
  #radix = 1;
  /** Number of letters that fit into one sort key. */
  #lettersPerKey = 0;
  /** Power of two that is greater than all ordinals. */
  readonly #ordinalLimit: number;

  constructor(texts: TextTable, count: number) {
    this.#texts = texts;
    this.#sortedOrdinals = Uint32Array.from({ length: count }, (_, ordinal) => ordinal);
    this.#keys = new Float64Array(count);
    this.#ordinalLimit = 2 ** Math.ceil(Math.log2(count + 1));
    for (const unit of texts.units) this.#letterRanks[unit] = 1;
    for (let unit = 0; unit < this.#letterRanks.length; unit += 1)
      if (this.#letterRanks[unit] === 1) this.#letterRanks[unit] = this.#radix++;
    this.#radix = Math.max(this.#radix, 2);
    for (let keyCount = this.#radix; keyCount * this.#ordinalLimit <= maxExactInteger; keyCount *= this.#radix)
      this.#lettersPerKey += 1;
  }

  sort(): Uint32Array {
    if (this.#sortedOrdinals.length > 0) this.#sortRange(0, this.#sortedOrdinals.length, 0);
    return this.#sortedOrdinals;
  }

  /** @param depth number of first letters that are equal in all texts of the range */
  #sortRange(from: number, to: number, depth: number): void {
    const order = this.#sortedOrdinals;
    const keys = this.#keys;
    const ordinalCount = this.#ordinalLimit;
    for (let index = from; index < to; index += 1) keys[index] = this.#computeKey(order[index] as number, depth);
    if (to - from > insertionSortLimit) keys.subarray(from, to).sort();
    else insertionSort(keys, from, to);
    for (let index = from; index < to; index += 1) {
      const key = keys[index] as number;
      order[index] = key - Math.floor(key / ordinalCount) * ordinalCount;
    }
    // Sorts texts with equal keys by their next letters. A recursive call overwrites only keys that were already read.
    for (let start = from; start < to; ) {
      const code = Math.floor((keys[start] as number) / ordinalCount);
      let end = start + 1;
      while (end < to && Math.floor((keys[end] as number) / ordinalCount) === code) end += 1;
      const isAtEnd = code % this.#radix === 0;
      if (end - start > 1 && !isAtEnd) this.#sortRange(start, end, depth + this.#lettersPerKey);
      start = end;
    }
  }

  #computeKey(ordinal: number, depth: number): number {
    const { units, starts } = this.#texts;
    const start = (starts[ordinal] as number) + depth;
    const end = starts[ordinal + 1] as number;
    let code = 0;
    for (let position = start; position < start + this.#lettersPerKey; position += 1)
      code = code * this.#radix + (position < end ? (this.#letterRanks[units[position] as number] as number) : 0);
    return code * this.#ordinalLimit + ordinal;
  }
}

const maxExactInteger = Number.MAX_SAFE_INTEGER;
/** Maximum number of entries for which insertion sort is faster than `sort`. */
const insertionSortLimit = 24;

function insertionSort(values: Float64Array, from: number, to: number): void {
  for (let index = from + 1; index < to; index += 1) {
    const value = values[index] as number;
    let target = index;
    for (; target > from && (values[target - 1] as number) > value; target -= 1)
      values[target] = values[target - 1] as number;
    values[target] = value;
  }
}
