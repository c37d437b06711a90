import type { Range } from "../terms/dictionary.ts";
import type { Phrase, PhraseSet } from "./phrase-set.ts";
import { getHeavierPhrase, type Phrases } from "./phrases.ts";

/** A range of phrases of a set, from `low` to `high` (exclusive). */
interface PhraseRange extends Range {
  readonly set: PhraseSet;
  /** Number of the set, in the order in which sets were added. */
  readonly setIndex: number;
  readonly heaviestOrdinal: number;
  readonly maxWeight: number;
}

/**
 * Iterates over phrases of several sets, heaviest first. Phrases of equal weight are in the order of the sets, then of
 * their ordinals. A step divides the range of the last phrase. It takes logarithmic time in the number of all phrases,
 * and linear time in the number of steps before it, of which there are few.
 */
export class PhraseStream {
  readonly #ranges: PhraseRange[] = [];
  #setCount = 0;
  /** Range of the last returned phrase. It is divided when the next phrase is needed, which is often not the case. */
  #lastRange: PhraseRange | undefined;

  add(set: PhraseSet, range: Range): void {
    this.#addRange(set, this.#setCount, range.low, range.high);
    this.#setCount += 1;
  }

  next(): Phrase | undefined {
    if (this.#lastRange !== undefined) {
      const { set, setIndex, low, high, heaviestOrdinal } = this.#lastRange;
      this.#addRange(set, setIndex, low, heaviestOrdinal);
      this.#addRange(set, setIndex, heaviestOrdinal + 1, high);
    }
    const ranges = this.#ranges;
    let bestIndex = 0;
    for (let index = 1; index < ranges.length; index += 1)
      if (comparePhrases(ranges[index] as PhraseRange, ranges[bestIndex] as PhraseRange) < 0) bestIndex = index;
    const bestRange = ranges[bestIndex];
    this.#lastRange = bestRange;
    const otherRange = ranges.pop();
    if (bestIndex < ranges.length) ranges[bestIndex] = otherRange as PhraseRange;
    return bestRange?.set.phraseAt(bestRange.heaviestOrdinal);
  }

  #addRange(set: PhraseSet, setIndex: number, low: number, high: number): void {
    if (low >= high) return;
    const heaviestOrdinal = findHeaviestOrdinal(set.phrases, low, high);
    const maxWeight = set.phrases.weights[heaviestOrdinal] as number;
    this.#ranges.push({ set, setIndex, low, high, heaviestOrdinal, maxWeight });
  }
}

function comparePhrases(a: PhraseRange, b: PhraseRange): number {
  return b.maxWeight - a.maxWeight || a.setIndex - b.setIndex || a.heaviestOrdinal - b.heaviestOrdinal;
}

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
