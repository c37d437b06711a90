import type { Range } from "../terms/dictionary.ts";
import { getHeavierPhrase, isHeavierPhrase, type Phrases } from "./phrases.ts";

/**
 * Iterates over the ordinals of phrases in a range, heaviest first, then by ordinal. Each step takes logarithmic time
 * in the number of all phrases.
 */
export class HeaviestFirstIterator {
  readonly #phrases: Phrases;
  /** Remaining ranges in a heap, with the range of the heaviest phrase on top. Each range takes three entries. */
  readonly #heap: number[] = [];
  // Range in which the last returned phrase was the heaviest, from `#rangeStart` to `#rangeEnd` (exclusive). The parts
  // before and after the phrase are searched next.
  #rangeStart = 0;
  #lastOrdinal = -1;
  #rangeEnd = 0;

  constructor(phrases: Phrases, { low, high }: Range) {
    this.#phrases = phrases;
    this.#push(low, high);
  }

  /** Returns the ordinal of the next phrase, or -1 at the end. */
  next(): number {
    if (this.#lastOrdinal >= 0) {
      this.#push(this.#rangeStart, this.#lastOrdinal);
      this.#push(this.#lastOrdinal + 1, this.#rangeEnd);
    }
    this.#lastOrdinal = this.#pop();
    return this.#lastOrdinal;
  }

  #push(from: number, to: number): void {
    if (from >= to) return;
    const heap = this.#heap;
    const { weights } = this.#phrases;
    const ordinal = findHeaviestOrdinal(this.#phrases, from, to);
    let index = heap.length;
    heap.push(ordinal, from, to);
    while (index > 0) {
      const parentIndex = Math.floor((index / entryLength - 1) / 2) * entryLength;
      if (!isHeavierPhrase(weights, ordinal, heap[parentIndex] as number)) break;
      this.#moveEntry(parentIndex, index);
      index = parentIndex;
    }
    this.#setEntry(index, ordinal, from, to);
  }

  #pop(): number {
    const heap = this.#heap;
    if (heap.length === 0) return -1;
    const heaviestOrdinal = heap[0] as number;
    this.#rangeStart = heap[1] as number;
    this.#rangeEnd = heap[2] as number;
    const to = heap.pop() as number;
    const from = heap.pop() as number;
    const lastOrdinal = heap.pop() as number;
    if (heap.length === 0) return heaviestOrdinal;
    const { weights } = this.#phrases;
    let index = 0;
    for (let childIndex = entryLength; childIndex < heap.length; childIndex = index * 2 + entryLength) {
      const siblingIndex = childIndex + entryLength;
      if (
        siblingIndex < heap.length &&
        isHeavierPhrase(weights, heap[siblingIndex] as number, heap[childIndex] as number)
      )
        childIndex = siblingIndex;
      if (isHeavierPhrase(weights, lastOrdinal, heap[childIndex] as number)) break;
      this.#moveEntry(childIndex, index);
      index = childIndex;
    }
    this.#setEntry(index, lastOrdinal, from, to);
    return heaviestOrdinal;
  }

  #moveEntry(from: number, to: number): void {
    const heap = this.#heap;
    for (let offset = 0; offset < entryLength; offset += 1) heap[to + offset] = heap[from + offset] as number;
  }

  #setEntry(index: number, ordinal: number, from: number, to: number): void {
    this.#heap[index] = ordinal;
    this.#heap[index + 1] = from;
    this.#heap[index + 2] = to;
  }
}

/** Number of heap entries per range: its heaviest phrase, its start and its end. */
const entryLength = 3;

/** Returns the heaviest phrase from `from` to `to` (exclusive). The range must not be empty. */
export function findHeaviestOrdinal({ weights, weightTree: tree }: Phrases, from: number, to: number): number {
  let heaviestOrdinal = from;
  let left = from + weights.length;
  let right = to + weights.length;
  while (left < right) {
    if (left & 1) heaviestOrdinal = getHeavierPhrase(weights, heaviestOrdinal, tree[left++] as number);
    if (right & 1) heaviestOrdinal = getHeavierPhrase(weights, heaviestOrdinal, tree[--right] as number);
    left >>= 1;
    right >>= 1;
  }
  return heaviestOrdinal;
}
