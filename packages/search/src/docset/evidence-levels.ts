import type { BitSet, BitSets } from "./bit-set.ts";

/** A word as evidence for the documents that contain it. */
export interface EvidenceWord {
  /** Documents that contain the word. */
  readonly set: BitSet;
  /** Inverse document frequency of the word. */
  readonly weight: number;
  /** Bit of the word in masks of words. */
  readonly bit: number;
}

/** Documents that contain the same words of a query: they are in all `sets` and in none of `excludedSets`. */
export interface EvidenceLevel {
  readonly sets: readonly BitSet[];
  readonly excludedSets: readonly BitSet[];
  /** Mask of the words of `excludedSets` (see `EvidenceWord.bit`). */
  readonly excludedWords: number;
}

/**
 * Maximum number of words whose combinations are distinguished. These are the heaviest words. Documents without any of
 * them may be in several levels.
 */
const maxCombined = 6;

/** A node of the search: each word before `wordIndex` is included or excluded. */
interface Node extends EvidenceLevel {
  /** Index of the next word to include or exclude. */
  readonly at: number;
  /** Weight of the included words and all remaining words. */
  readonly bound: number;
  /** Mask of the included words. */
  readonly chosen: number;
}

/**
 * Combinations of words that documents of a leaf contain, heaviest first. They are computed on demand by a best-first
 * search over included and excluded words, bounded by the weight of the remaining words.
 *
 * Example for words of weight 9, 5 and 4: 9+5+4, 9+5, 9+4, 9, 5+4, 5, 4. Combinations that no document contains are
 * skipped.
 */
export class EvidenceLevels {
  readonly #bitSets: BitSets;
  readonly #deleted: BitSet | undefined;
  readonly #combined: readonly EvidenceWord[];
  /** One level for each sufficient mask with a word that is not among the combined words. */
  readonly #further: EvidenceLevel[];
  readonly #furtherCount: number;
  readonly #grounds: readonly number[];
  readonly #open: Node[];
  readonly #found: EvidenceLevel[] = [];

  /**
   * @param words words that a document may contain
   * @param sufficientMasks masks of words (see `bit`): a document is in a level if it contains all words of one mask
   */
  constructor(
    bitSets: BitSets,
    words: readonly EvidenceWord[],
    grounds: readonly number[],
    deleted: BitSet | undefined,
  ) {
    this.#bitSets = bitSets;
    this.#deleted = deleted;
    const ordered = [...words].sort((one, other) => other.weight - one.weight);
    this.#combined = ordered.slice(0, maxCombined);
    this.#grounds = grounds;
    const combined = maskOf(this.#combined);
    const known = maskOf(ordered);
    this.#further = grounds.flatMap((ground) => {
      if ((ground & combined) === ground || (ground & known) !== ground) return [];
      return [
        { sets: ordered.flatMap(({ set, bit }) => (ground & bit ? [set] : [])), excludedSets: [], excludedWords: 0 },
      ];
    });
    this.#furtherCount = this.#further.length;
    const bound = this.#combined.reduce((sum, { weight }) => sum + weight, 0);
    this.#open = words.length === 0 ? [] : [{ sets: [], excludedSets: [], excludedWords: 0, at: 0, bound, chosen: 0 }];
  }

  /** Whether each document is in at most one level. */
  get areDisjoint(): boolean {
    return this.#furtherCount === 0;
  }

  /** Returns the level with an index; index 0 is the heaviest level. Returns undefined after the last level. */
  level(index: number): EvidenceLevel | undefined {
    while (this.#found.length <= index) {
      const next = this.#next() ?? this.#further.shift();
      if (next === undefined) return undefined;
      this.#found.push(next);
    }
    return this.#found[index];
  }

  #next(): EvidenceLevel | undefined {
    for (;;) {
      const node = this.#takeHeaviest();
      if (node === undefined) return undefined;
      const word = this.#combined[node.at];
      if (word === undefined) {
        if (this.#grounds.some((ground) => (node.chosen & ground) === ground)) return node;
        continue;
      }
      const at = node.at + 1;
      const sets = [...node.sets, word.set];
      // If the bounds are equal, later nodes come first: including a word leads to a heavy level sooner.
      const excludedSets = [...node.excludedSets, word.set];
      const excludedWords = node.excludedWords | word.bit;
      this.#open.push({ ...node, at, excludedSets, excludedWords, bound: node.bound - word.weight });
      if (node.sets.length === 0 || this.#bitSets.isAnyIn(sets, this.#deleted))
        this.#open.push({ ...node, at, sets, chosen: node.chosen | word.bit });
    }
  }

  #takeHeaviest(): Node | undefined {
    const open = this.#open;
    let best = open.length - 1;
    for (let index = best - 1; index >= 0; index -= 1)
      if ((open[index] as Node).bound > (open[best] as Node).bound) best = index;
    return open.splice(best, 1)[0];
  }
}

function maskOf(words: readonly EvidenceWord[]): number {
  return words.reduce((mask, { bit }) => mask | bit, 0);
}
