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

/**
 * A node of the best-first search. The words before `wordIndex` are already included or excluded. Word n of the
 * combined words has the bit n of a mask.
 */
interface SearchNode {
  /** Index of the next word to include or exclude. */
  readonly wordIndex: number;
  /**
   * Upper bound for the weight of the node: the total weight of the included words and of the words from `wordIndex`
   * on.
   */
  readonly maxWeight: number;
  /** Bit mask of the included words. */
  readonly includedWords: number;
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
  readonly #openNodes: SearchNode[] = [];
  /** Sets of the words of a node, which are tested for a common document. */
  readonly #testedSets: BitSet[] = [];
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
    this.#otherCombinations =
      sortedWords.length > maxCombinedWords ? listOtherCombinations(sortedWords, sufficientWordMasks) : [];
    this.#otherCombinationCount = this.#otherCombinations.length;
    let maxWeight = 0;
    for (const { weight } of this.#combinedWords) maxWeight += weight;
    if (words.length > 0) this.#openNodes.push({ wordIndex: 0, maxWeight, includedWords: 0 });
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
      const { maxWeight, includedWords } = node;
      const word = this.#combinedWords[node.wordIndex];
      if (word === undefined) {
        const combination = this.#createCombination(includedWords);
        if (combination !== undefined) return combination;
        continue;
      }
      const wordIndex = node.wordIndex + 1;
      // The node without the word is added first. If both nodes have the same maximum weight, the node with the word is
      // searched first.
      this.#openNodes.push({ wordIndex, maxWeight: maxWeight - word.weight, includedWords });
      if (includedWords === 0 || this.#haveCommonDocument(includedWords, word))
        this.#openNodes.push({ wordIndex, maxWeight, includedWords: includedWords | (1 << node.wordIndex) });
    }
  }

  /** Returns whether any document that is not deleted contains a word and all words of a mask. */
  #haveCommonDocument(wordMask: number, { set }: WeightedWord): boolean {
    const sets = this.#testedSets;
    sets.length = 0;
    for (let index = 0; wordMask >>> index > 0; index += 1)
      if ((wordMask >>> index) & 1) sets.push((this.#combinedWords[index] as WeightedWord).set);
    sets.push(set);
    return this.#bitSets.intersects(sets, this.#deletedDocuments);
  }

  /** Returns the combination of included words, or undefined if they are not sufficient for a match. */
  #createCombination(includedWords: number): WordCombination | undefined {
    let [includedWordMask, excludedWordMask] = [0, 0];
    const sets: BitSet[] = [];
    const excludedSets: BitSet[] = [];
    for (let index = 0; index < this.#combinedWords.length; index += 1) {
      const { set, wordBit } = this.#combinedWords[index] as WeightedWord;
      if ((includedWords >>> index) & 1) {
        includedWordMask |= wordBit;
        sets.push(set);
      } else {
        excludedWordMask |= wordBit;
        excludedSets.push(set);
      }
    }
    for (const wordMask of this.#matchingWordMasks)
      if ((includedWordMask & wordMask) === wordMask) return { sets, excludedSets, excludedWordMask };
    return undefined;
  }

  #popHeaviestNode(): SearchNode | undefined {
    const pendingNodes = this.#openNodes;
    let bestIndex = pendingNodes.length - 1;
    for (let index = bestIndex - 1; index >= 0; index -= 1)
      if ((pendingNodes[index] as SearchNode).maxWeight > (pendingNodes[bestIndex] as SearchNode).maxWeight)
        bestIndex = index;
    const node = pendingNodes[bestIndex];
    pendingNodes.copyWithin(bestIndex, bestIndex + 1);
    pendingNodes.pop();
    return node;
  }
}

/** Returns a combination for each sufficient mask that contains words outside the combined words. */
function listOtherCombinations(
  sortedWords: readonly WeightedWord[],
  sufficientWordMasks: readonly number[],
): WordCombination[] {
  const combinedWordMask = computeWordMask(sortedWords.slice(0, maxCombinedWords));
  const allWordsMask = computeWordMask(sortedWords);
  return sufficientWordMasks.flatMap((wordMask) => {
    if ((wordMask & combinedWordMask) === wordMask || (wordMask & allWordsMask) !== wordMask) return [];
    const sets = sortedWords.flatMap(({ set, wordBit }) => (wordMask & wordBit ? [set] : []));
    return [{ sets, excludedSets: [], excludedWordMask: 0 }];
  });
}

function computeWordMask(words: readonly WeightedWord[]): number {
  return words.reduce((wordBits, { wordBit }) => wordBits | wordBit, 0);
}
