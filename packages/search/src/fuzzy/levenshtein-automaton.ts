import { isDigit } from "../analysis/chunks.ts";
import type { Dictionary } from "../terms/dictionary.ts";
import { computeLetterBit, type TrieLevel } from "../terms/trie.ts";
import { maxFuzzyLetters } from "./allowed-edits.ts";
import { type FuzzyRange, FuzzyRangeList, type TermRanges } from "./fuzzy-matches.ts";
import {
  advanceStates,
  allPositionsMask,
  type EditLimits,
  findHighestPosition,
  findRequiredPositions,
  MatchStates,
  unreachableEditCount,
} from "./prefix-states.ts";

/** Maximum number of letters that are read from a term, plus one. */
const maxDepth = maxFuzzyLetters + 4;

/**
 * A Levenshtein automaton that searches a dictionary for terms similar to a word. A state is a position in the word
 * that can be reached with a number of edits after the letters read so far. If no state remains, no term with this
 * prefix matches.
 *
 * The automaton owns its temporary memory, so that a search allocates only its result. Searches must not overlap.
 */
export class LevenshteinAutomaton {
  /** Bit mask of the positions of each letter in the word. All masks are 0 between two searches. */
  readonly #positionMasks = new Int32Array(0x10000);
  /** For each position in the word, a bit mask of the letters from there to the end. */
  readonly #suffixMasks = new Uint32Array(maxFuzzyLetters + 1);
  /** Entry n has the states after n letters of a term. */
  readonly #states = Array.from({ length: maxDepth }, () => new MatchStates());
  /** States of the automaton before the first letter of a term is read. */
  readonly #initialStates = new MatchStates();
  readonly #emptyStates: Readonly<MatchStates> = new MatchStates();

  /**
   * Finds terms that equal, or start with, a text that differs from `word` by 1 to `maxEdits` edits. An edit inserts,
   * deletes or replaces a letter, or swaps two neighboring letters. Digits are never edited. Terms that begin with the
   * word itself are omitted.
   * @param maxEdits 1 or 2
   * @param candidateRanges ascending ranges that contain all possible terms; default: all terms
   */
  findFuzzyRanges(dictionary: Dictionary, word: string, maxEdits: number, candidateRanges?: TermRanges): FuzzyRange[] {
    const positionMasks = this.#positionMasks;
    const suffixMasks = this.#suffixMasks;
    const length = word.length;
    suffixMasks[length] = 0;
    for (let position = length - 1; position >= 0; position -= 1) {
      const letter = word.charCodeAt(position);
      positionMasks[letter] = (positionMasks[letter] as number) | (1 << position);
      suffixMasks[position] = (suffixMasks[position + 1] as number) | computeLetterBit(letter);
    }
    const prefixMask = (1 << length) - 1;
    const initialStates = this.#initialStates;
    initialStates.zeroEdits = 1;
    initialStates.oneEdit = 3 & prefixMask;
    initialStates.twoEdits = maxEdits > 1 ? 7 & prefixMask : 0;
    initialStates.minEdits = length <= maxEdits ? length : unreachableEditCount;
    initialStates.editDistance = initialStates.minEdits;
    const [roots] = dictionary.trie.levels;
    const traversal = { dictionary, length, maxEdits, runs: new FuzzyRangeList(candidateRanges) };
    this.#visitNodes(traversal, 0, 0, roots?.letters.length ?? 0, 0, initialStates, this.#emptyStates);
    for (let position = 0; position < length; position += 1) positionMasks[word.charCodeAt(position)] = 0;
    return traversal.runs.runs;
  }

  /**
   * Visits the nodes `from` to `to` (exclusive) of a trie level, which must have the same parent.
   * @param parentLetter letter of the parent, or 0 on the first level
   * @param parentStates states after the parent's letter
   * @param previousStates states before the parent's letter
   */
  #visitNodes(
    traversal: TrieTraversal,
    level: number,
    from: number,
    to: number,
    parentLetter: number,
    parentStates: Readonly<MatchStates>,
    previousStates: Readonly<MatchStates>,
  ): void {
    const positionMasks = this.#positionMasks;
    const { dictionary, length, maxEdits, runs } = traversal;
    const { levels } = dictionary.trie;
    const { letters, nodeStarts: firstTexts, firstChildren, masks, longest } = levels[level] as TrieLevel;
    const depth = level + 1;
    const swapStartMask = (positionMasks[parentLetter] as number) >>> 1;
    const isPrefixWithinEdits = parentStates.minEdits <= maxEdits;
    const requiredPositions = findRequiredPositions(parentStates, previousStates, swapStartMask, maxEdits);
    const states = this.#states[depth] as MatchStates;
    for (let node = from; node < to; node += 1) {
      const letter = letters[node] as number;
      const letterPositions = positionMasks[letter] as number;
      if ((letterPositions & requiredPositions) === 0 && requiredPositions !== allPositionsMask) continue;
      if (letter === 0 || isDigit(letter)) {
        // The term ends here, or continues with a digit, which is never edited.
        if (isPrefixWithinEdits)
          addTermRange(traversal, level, firstTexts[node] as number, firstTexts[node + 1] as number, parentStates);
        continue;
      }
      // Fast path: the terms below most nodes lack too many letters of the word.
      if (masks.length > 0 && !this.#canMatch(length, 0, 0, maxEdits, masks[node] as number, longest[node] as number))
        continue;
      if (!runs.mayMatch(firstTexts, node)) continue;
      const swappedPositions = letterPositions & swapStartMask;
      let isPathActive = advanceStates(
        traversal,
        states,
        parentStates,
        previousStates,
        letterPositions,
        swappedPositions,
      );
      if (states.minEdits === 0) continue;
      if (isPathActive && masks.length > 0)
        isPathActive = this.#mayReachEnd(
          traversal,
          depth,
          letterPositions,
          masks[node] as number,
          longest[node] as number,
          states,
          parentStates,
        );
      if (isPathActive && depth < levels.length) {
        const firstChild = firstChildren[node] as number;
        this.#visitNodes(traversal, depth, firstChild, firstChildren[node + 1] as number, letter, states, parentStates);
      } else if (isPathActive)
        this.#readTerms(
          traversal,
          depth,
          firstTexts[node] as number,
          firstTexts[node + 1] as number,
          states,
          parentStates,
        );
      else if (states.minEdits <= maxEdits)
        addTermRange(traversal, depth, firstTexts[node] as number, firstTexts[node + 1] as number, states);
    }
  }

  /**
   * Returns whether any term below a node may match the word. Each letter of the word that is in none of these terms
   * requires an edit.
   * @param letterPositions positions of the last letter in the word, as bits
   * @param mask letters of the terms, as bits (see `computeLetterBit`)
   * @param maxTermLength length of the longest term
   * @param parentStates states before the last letter
   */
  #mayReachEnd(
    { length, maxEdits }: TrieTraversal,
    depth: number,
    letterPositions: number,
    mask: number,
    maxTermLength: number,
    states: Readonly<MatchStates>,
    parentStates: Readonly<MatchStates>,
  ): boolean {
    const { zeroEdits, oneEdit, twoEdits } = states;
    if (zeroEdits !== 0 && this.#canMatch(length, findHighestPosition(zeroEdits), depth, maxEdits, mask, maxTermLength))
      return true;
    if (oneEdit !== 0 && this.#canMatch(length, findHighestPosition(oneEdit), depth, maxEdits - 1, mask, maxTermLength))
      return true;
    if (
      twoEdits !== 0 &&
      this.#canMatch(length, findHighestPosition(twoEdits), depth, maxEdits - 2, mask, maxTermLength)
    )
      return true;
    // The last letter may be the first of two swapped letters.
    const swappedPositions = parentStates.zeroEdits & (letterPositions >>> 1);
    if (
      swappedPositions !== 0 &&
      this.#canMatch(length, findHighestPosition(swappedPositions) + 2, depth + 1, maxEdits - 1, mask, maxTermLength)
    )
      return true;
    const swappedPositionsWithEdit = maxEdits > 1 ? parentStates.oneEdit & (letterPositions >>> 1) : 0;
    return (
      swappedPositionsWithEdit !== 0 &&
      this.#canMatch(length, findHighestPosition(swappedPositionsWithEdit) + 2, depth + 1, 0, mask, maxTermLength)
    );
  }

  /**
   * Returns whether terms that consist of the letters in `mask` may match the rest of the word, from `position`.
   * @param depth number of letters read from the terms
   * @param edits number of edits that are still allowed
   */
  #canMatch(
    length: number,
    position: number,
    depth: number,
    edits: number,
    mask: number,
    maxTermLength: number,
  ): boolean {
    if (depth + length - position - edits > maxTermLength) return false;
    const missingLetters = (this.#suffixMasks[position] as number) & ~mask;
    if (edits === 0) return missingLetters === 0;
    const otherMissingLetters = missingLetters & (missingLetters - 1);
    return edits === 1 ? otherMissingLetters === 0 : (otherMissingLetters & (otherMissingLetters - 1)) === 0;
  }

  /**
   * Reads terms below the last level of the trie, letter by letter. They share a prefix of `sharedLetters` letters.
   * @param states states after the common prefix
   * @param parentStates states before the last letter of the common prefix
   */
  #readTerms(
    traversal: TrieTraversal,
    sharedLetters: number,
    firstOrdinal: number,
    end: number,
    states: Readonly<MatchStates>,
    parentStates: Readonly<MatchStates>,
  ): void {
    const positionMasks = this.#positionMasks;
    const { units, starts, commonPrefixes } = traversal.dictionary;
    const getPrefixStates = (depth: number): Readonly<MatchStates> => {
      if (depth > sharedLetters) return this.#states[depth] as MatchStates;
      return depth === sharedLetters ? states : parentStates;
    };
    let depth = sharedLetters;
    let isSearchFinished = false;
    for (let text = firstOrdinal; text < end; text += 1) {
      const commonLength = text === firstOrdinal ? sharedLetters : (commonPrefixes[text] as number);
      if (commonLength < depth) {
        depth = commonLength;
        isSearchFinished = false;
      }
      const textStart = starts[text] as number;
      const termLength = (starts[text + 1] as number) - textStart;
      for (; depth < termLength && !isSearchFinished; depth += 1) {
        const letter = units[textStart + depth] as number;
        const letterPositions = positionMasks[letter] as number;
        const swappedPositions =
          letterPositions & ((positionMasks[units[textStart + depth - 1] as number] as number) >>> 1);
        const nextStates = this.#states[depth + 1] as MatchStates;
        isSearchFinished = !advanceStates(
          traversal,
          nextStates,
          getPrefixStates(depth),
          getPrefixStates(depth - 1),
          letterPositions,
          swappedPositions,
          isDigit(letter),
        );
      }
      const { minEdits, editDistance: distanceToWord } = getPrefixStates(depth);
      if (minEdits > 0 && minEdits <= traversal.maxEdits)
        traversal.runs.add(text, text + 1, minEdits, depth === termLength && distanceToWord === minEdits);
    }
  }
}

interface TrieTraversal extends EditLimits {
  readonly dictionary: Dictionary;
  readonly runs: FuzzyRangeList;
}

/**
 * Adds terms whose common prefix of `depth` letters matches the word. Only the first term can be equal to that prefix.
 */
function addTermRange(
  { dictionary: { starts }, runs }: TrieTraversal,
  depth: number,
  firstOrdinal: number,
  end: number,
  { minEdits, editDistance: distanceToWord }: Readonly<MatchStates>,
): void {
  const isFirstTermPrefix = (starts[firstOrdinal + 1] as number) - (starts[firstOrdinal] as number) === depth;
  const longerTermsStart = isFirstTermPrefix && distanceToWord === minEdits ? firstOrdinal + 1 : firstOrdinal;
  runs.add(firstOrdinal, longerTermsStart, minEdits, true);
  runs.add(longerTermsStart, end, minEdits, false);
}
