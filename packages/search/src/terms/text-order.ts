import type { Texts } from "./dictionary.ts";

/**
 * Sorts texts: returns their ordinals in ascending order, comparing units as `<` compares strings. No two texts are
 * equal.
 */
export function textOrder(texts: Texts): Uint32Array {
  const count = texts.starts.length - 1;
  return new TextSorter(texts, count).sort();
}

/**
 * A most-significant-digit sort: texts are sorted by their first letters, equal ones by the next, and so on. Letters
 * and the ordinal of a text form one number, so that typed arrays of numbers are sorted.
 */
class TextSorter {
  readonly #texts: Texts;
  readonly #order: Uint32Array;
  readonly #keys: Float64Array;
  /** By unit: its rank among the occurring units, from 1; 0 is the end of a text. */
  readonly #ranks = new Uint16Array(0x10000);
  #radix = 1;
  /** Letters that fit into one key. */
  #letters = 0;
  /** A power of two above all ordinals. */
  readonly #scale: number;

  constructor(texts: Texts, count: number) {
    this.#texts = texts;
    this.#order = Uint32Array.from({ length: count }, (_, ordinal) => ordinal);
    this.#keys = new Float64Array(count);
    this.#scale = 2 ** Math.ceil(Math.log2(count + 1));
    for (const unit of texts.units) this.#ranks[unit] = 1;
    for (let unit = 0; unit < this.#ranks.length; unit += 1)
      if (this.#ranks[unit] === 1) this.#ranks[unit] = this.#radix++;
    this.#radix = Math.max(this.#radix, 2);
    for (let reach = this.#radix; reach * this.#scale <= exact; reach *= this.#radix) this.#letters += 1;
  }

  sort(): Uint32Array {
    if (this.#order.length > 0) this.#sortRange(0, this.#order.length, 0);
    return this.#order;
  }

  /** @param depth number of letters that all texts of the range share */
  #sortRange(from: number, to: number, depth: number): void {
    const order = this.#order;
    const keys = this.#keys;
    const scale = this.#scale;
    for (let index = from; index < to; index += 1) keys[index] = this.#keyOf(order[index] as number, depth);
    if (to - from > insertionSortLimit) keys.subarray(from, to).sort();
    else sortFew(keys, from, to);
    for (let index = from; index < to; index += 1) {
      const key = keys[index] as number;
      order[index] = key - Math.floor(key / scale) * scale;
    }
    // The keys of this range are read before a recursive call overwrites them.
    for (let start = from; start < to; ) {
      const code = Math.floor((keys[start] as number) / scale);
      let end = start + 1;
      while (end < to && Math.floor((keys[end] as number) / scale) === code) end += 1;
      const isAtEnd = code % this.#radix === 0;
      if (end - start > 1 && !isAtEnd) this.#sortRange(start, end, depth + this.#letters);
      start = end;
    }
  }

  #keyOf(ordinal: number, depth: number): number {
    const { units, starts } = this.#texts;
    const start = (starts[ordinal] as number) + depth;
    const end = starts[ordinal + 1] as number;
    let code = 0;
    for (let at = start; at < start + this.#letters; at += 1)
      code = code * this.#radix + (at < end ? (this.#ranks[units[at] as number] as number) : 0);
    return code * this.#scale + ordinal;
  }
}

/** Integers up to here are exact. */
const exact = Number.MAX_SAFE_INTEGER;
/** Maximum entries for which insertion sort is faster than a call of `sort`. */
const insertionSortLimit = 24;

function sortFew(values: Float64Array, from: number, to: number): void {
  for (let index = from + 1; index < to; index += 1) {
    const value = values[index] as number;
    let at = index;
    for (; at > from && (values[at - 1] as number) > value; at -= 1) values[at] = values[at - 1] as number;
    values[at] = value;
  }
}
