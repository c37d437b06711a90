import type { BitSet, BitSets } from "./bit-set.ts";

/** A query word with the documents that contain it. */
export interface WeightedWord {
  /** Documents that contain the word. */
  readonly set: BitSet;
  /** Inverse document frequency of the word. */
  readonly weight: number;
  /** Bit that represents the word in bit masks. */
  readonly wordBit: number;
}

/** Documents that contain the same combination of query words: all words of `sets` and no word of `excludedSets`. */
export interface WordCombination {
  readonly sets: readonly BitSet[];
  readonly excludedSets: readonly BitSet[];
  /** Bit mask of the words that these documents do not contain. */
  readonly excludedWordMask: number;
}

/** Maximum number of words for which all combinations are examined. The words with the greatest weights are chosen. */
const maxCombinedWords = 6;

/** A node of the best-first search. The words before `wordIndex` are already included or excluded. */
interface SearchNode extends WordCombination {
  /** Index of the next word to include or exclude. */
  readonly wordIndex: number;
  /**
   * Upper bound for the weight of the node: the total weight of the included words and of the words from `wordIndex`
   * on.
   */
  readonly maxWeight: number;
  /** Bit mask of the included words. */
  readonly includedWordMask: number;
}

/**
 * Finds the combinations of query words that occur in documents, in descending order of their total weight. A
 * best-first search computes them on demand.
 *
 * Example for words of weight 9, 5 and 4: 9+5+4, 9+5, 9+4, 9, 5+4, 5, 4. Combinations that no document contains are
 * skipped.
 */
export class WordCombinations {
  readonly #bitSets: BitSets;
  readonly #deletedDocuments: BitSet | undefined;
  readonly #combinedWords: readonly WeightedWord[];
  /**
   * Word combinations that the best-first search does not examine, because they contain words outside `#combinedWords`.
   * Each comes from an entry of `sufficientWordMasks`.
   */
  readonly #otherCombinations: WordCombination[];
  readonly #otherCombinationCount: number;
  readonly #matchingWordMasks: readonly number[];
  readonly #openNodes: SearchNode[];
  readonly #foundCombinations: WordCombination[] = [];

  /**
   * @param words words that a document may contain
   * @param sufficientWordMasks bit masks of words; a document matches if it contains all words of at least one mask
   */
  constructor(
    bitSets: BitSets,
    words: readonly WeightedWord[],
    sufficientWordMasks: readonly number[],
    deletedDocuments: BitSet | undefined,
  ) {
    this.#bitSets = bitSets;
    this.#deletedDocuments = deletedDocuments;
    const sortedWords = [...words].sort((a, b) => b.weight - a.weight);
    this.#combinedWords = sortedWords.slice(0, maxCombinedWords);
    this.#matchingWordMasks = sufficientWordMasks;
    const combinedWordMask = computeWordMask(this.#combinedWords);
    const allWordsMask = computeWordMask(sortedWords);
    this.#otherCombinations = sufficientWordMasks.flatMap((sufficientWordMask) => {
      if (
        (sufficientWordMask & combinedWordMask) === sufficientWordMask ||
        (sufficientWordMask & allWordsMask) !== sufficientWordMask
      )
        return [];
      return [
        {
          sets: sortedWords.flatMap(({ set, wordBit }) => (sufficientWordMask & wordBit ? [set] : [])),
          excludedSets: [],
          excludedWordMask: 0,
        },
      ];
    });
    this.#otherCombinationCount = this.#otherCombinations.length;
    const maxWeight = this.#combinedWords.reduce((sum, { weight }) => sum + weight, 0);
    this.#openNodes =
      words.length === 0
        ? []
        : [{ sets: [], excludedSets: [], excludedWordMask: 0, wordIndex: 0, maxWeight, includedWordMask: 0 }];
  }

  /** Whether each document belongs to at most one word combination (level). */
  get isDisjoint(): boolean {
    return this.#otherCombinationCount === 0;
  }

  /**
   * Returns a word combination with its documents, or undefined after the last one. Combination 0 has the greatest
   * weight.
   */
  level(index: number): WordCombination | undefined {
    while (this.#foundCombinations.length <= index) {
      const nextLevel = this.#findNextCombination() ?? this.#otherCombinations.shift();
      if (nextLevel === undefined) return undefined;
      this.#foundCombinations.push(nextLevel);
    }
    return this.#foundCombinations[index];
  }

  #findNextCombination(): WordCombination | undefined {
    for (;;) {
      const node = this.#popHeaviestNode();
      if (node === undefined) return undefined;
      const word = this.#combinedWords[node.wordIndex];
      if (word === undefined) {
        if (
          this.#matchingWordMasks.some(
            (sufficientWordMask) => (node.includedWordMask & sufficientWordMask) === sufficientWordMask,
          )
        )
          return node;
        continue;
      }
      const wordIndex = node.wordIndex + 1;
      const sets = [...node.sets, word.set];
      // The node without the word is added first. If both nodes have the same maximum weight, the node with the word is
      // searched first.
      const excludedSets = [...node.excludedSets, word.set];
      const excludedWordMask = node.excludedWordMask | word.wordBit;
      this.#openNodes.push({
        ...node,
        wordIndex,
        excludedSets,
        excludedWordMask,
        maxWeight: node.maxWeight - word.weight,
      });
      if (node.sets.length === 0 || this.#bitSets.intersects(sets, this.#deletedDocuments))
        this.#openNodes.push({ ...node, wordIndex, sets, includedWordMask: node.includedWordMask | word.wordBit });
    }
  }

  #popHeaviestNode(): SearchNode | undefined {
    const pendingNodes = this.#openNodes;
    let bestIndex = pendingNodes.length - 1;
    for (let index = bestIndex - 1; index >= 0; index -= 1)
      if ((pendingNodes[index] as SearchNode).maxWeight > (pendingNodes[bestIndex] as SearchNode).maxWeight)
        bestIndex = index;
    return pendingNodes.splice(bestIndex, 1)[0];
  }
}

function computeWordMask(words: readonly WeightedWord[]): number {
  return words.reduce((wordBits, { wordBit }) => wordBits | wordBit, 0);
}
