import type { BitSet, BitSets } from "./bit-set.ts";

/** A word as evidence for the documents that hold it. */
export interface EvidenceWord {
  /** The documents that hold it. */
  readonly set: BitSet;
  /** Its inverse document frequency. */
  readonly weight: number;
  /** Its bit in sets of words. */
  readonly bit: number;
}

/** Documents that contain the same words of a query: they are in all `sets` and in none of `others`. */
export interface EvidenceLevel {
  readonly sets: readonly BitSet[];
  readonly excludedSets: readonly BitSet[];
  /** The words of `others` (see `EvidenceWord.bit`). */
  readonly excludedWords: number;
}

/**
 * Maximum words whose combinations are distinguished: the heaviest. Documents with none of these may be in several
 * levels.
 */
const maxCombined = 6;

/** Words chosen or refused so far, of all words in order. */
interface Node extends EvidenceLevel {
  /** The next word to choose or refuse. */
  readonly at: number;
  /** Weight of the selected words and of all remaining words. */
  readonly bound: number;
  /** The chosen words. */
  readonly chosen: number;
}

/**
 * Combinations of words that documents of a leaf contain, heaviest first, computed on demand: best-first search over
 * included and excluded words, bounded by the weight of the remaining words.
 *
 * Words of weight 9, 5 and 4: 9 5 4 9 5 9 4 9 5 4 5 4 (each as long as a document contains exactly these)
 */
export class EvidenceLevels {
  readonly #bitSets: BitSets;
  readonly #deleted: BitSet | undefined;
  readonly #combined: readonly EvidenceWord[];
  /** Grounds that are not all combined, one level each. */
  readonly #further: EvidenceLevel[];
  readonly #furtherCount: number;
  readonly #grounds: readonly number[];
  readonly #open: Node[];
  readonly #found: EvidenceLevel[] = [];

  /**
   * @param words words that a document may contain
   * @param grounds sets of words (see `bit`): a document is in a level if it contains all words of one set
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

  /** Whether no document is in several levels. */
  get areDisjoint(): boolean {
    return this.#furtherCount === 0;
  }

  /** Level `index`, 0 for the heaviest; undefined after the last. */
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
      // Later nodes come first if the bounds are equal: one more selected word is a heavier level at once.
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
