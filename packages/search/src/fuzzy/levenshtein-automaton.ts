import { hasDigit, isDigit } from "../analysis/chunks.ts";
import type { Dictionary } from "../terms/dictionary.ts";
import { letterBit, type TrieLevel } from "../terms/trie.ts";
import { type FuzzyRun, FuzzyRunList, type TermRanges } from "./fuzzy-matches.ts";

/** Minimum number of letters in a word that allows one edit. */
export const oneEditFrom = 4;
export const twoEditsFrom = 8;
/** Maximum number of letters in a word that allows edits, because each letter takes one bit of a number. */
export const longestFuzzy = 28;

/**
 * Returns the number of edits that a word allows; 0 for words with digits, because another number has another meaning.
 */
export function allowedEdits(word: string): number {
  if (word.length < oneEditFrom || word.length > longestFuzzy || hasDigit(word)) return 0;
  return word.length >= twoEditsFrom ? 2 : 1;
}

/** Number of letters of a term after which no state remains, plus one. */
const maxDepth = longestFuzzy + 4;
/** Number of edits that marks an unreachable word. */
const tooMany = 9;

/** States after some letters of a term. A state is a reached number of letters of the word. */
class States {
  /** Bit n is set if n letters of the word are reached without edits. */
  none = 0;
  one = 0;
  two = 0;
  /** Minimum number of edits that reach the entire word after these letters or fewer. */
  minEdits = tooMany;
  /** Number of edits that reach the entire word after exactly these letters. */
  exactEdits = tooMany;
}

/**
 * A nondeterministic Levenshtein automaton that traverses the trie of a dictionary. It owns its scratch memory, so that
 * a traversal allocates only its result. Traversals must not overlap.
 *
 * A state is a number of letters of the word that the letters read so far reach with some number of edits. If no state
 * remains, no term with this prefix matches.
 */
export class LevenshteinAutomaton {
  /** Bit mask of the positions of each letter in the word. All masks are 0 between two traversals. */
  readonly #positionsOf = new Int32Array(0x10000);
  /** Mask of the letters of the word from each position (see `letterBit`). */
  readonly #rests = new Uint32Array(longestFuzzy + 1);
  /** States by depth, after a letter of the word. */
  readonly #states = Array.from({ length: maxDepth }, () => new States());
  /** States by depth, after a letter that is not in the word. All such letters lead to the same states. */
  readonly #otherStates = Array.from({ length: maxDepth }, () => new States());
  /** States before the first letter. */
  readonly #first = new States();
  readonly #none: Readonly<States> = new States();

  /**
   * Finds terms with a prefix at 1 to `maxEdits` edits from `word`. An edit inserts, deletes or replaces a letter, or
   * swaps two neighbors. No edit reads a digit. Terms with the word itself as prefix are omitted.
   * @param maxEdits 1 or 2
   * @param candidateRanges ascending ranges that contain all possible terms; default: all terms
   */
  fuzzyRuns(dictionary: Dictionary, word: string, maxEdits: number, among?: TermRanges): FuzzyRun[] {
    const positionsOf = this.#positionsOf;
    const rests = this.#rests;
    const length = word.length;
    rests[length] = 0;
    for (let position = length - 1; position >= 0; position -= 1) {
      const letter = word.charCodeAt(position);
      positionsOf[letter] = (positionsOf[letter] as number) | (1 << position);
      rests[position] = (rests[position + 1] as number) | letterBit(letter);
    }
    const unfinished = (1 << length) - 1;
    const first = this.#first;
    first.none = 1;
    first.one = 3 & unfinished;
    first.two = maxEdits > 1 ? 7 & unfinished : 0;
    first.minEdits = length <= maxEdits ? length : tooMany;
    first.exactEdits = first.minEdits;
    const [roots] = dictionary.trie.levels;
    const walk = { dictionary, length, maxEdits, runs: new FuzzyRunList(among) };
    this.#walk(walk, 0, 0, roots?.letters.length ?? 0, 0, first, this.#none);
    for (let position = 0; position < length; position += 1) positionsOf[word.charCodeAt(position)] = 0;
    return walk.runs.found;
  }

  /**
   * Visits nodes `from` to `to` (exclusive) of a level of the trie, which have the same parent.
   * @param parentLetter letter of the parent, or 0
   * @param parentStates states after that letter
   * @param earlierStates states before that letter
   */
  #walk(
    walk: Walk,
    level: number,
    from: number,
    to: number,
    before: number,
    above: Readonly<States>,
    earlier: Readonly<States>,
  ): void {
    const positionsOf = this.#positionsOf;
    const { dictionary, length, maxEdits, runs } = walk;
    const { levels } = dictionary.trie;
    const { letters, firstTexts, firstChildren, masks, longest } = levels[level] as TrieLevel;
    const depth = level + 1;
    const swappable = (positionsOf[before] as number) >>> 1;
    const isNear = above.minEdits <= maxEdits;
    const required = positionsFor(above, earlier, swappable, maxEdits);
    // Most letters are not in the word.
    let isOtherKnown = false;
    let isOtherAlive = false;
    for (let node = from; node < to; node += 1) {
      const letter = letters[node] as number;
      const here = positionsOf[letter] as number;
      if ((here & required) === 0 && required !== any) continue;
      if (letter === 0 || isDigit(letter)) {
        // The term ends here, or the character is one that edits cannot read.
        if (isNear) addRun(walk, level, firstTexts[node] as number, firstTexts[node + 1] as number, above);
        continue;
      }
      // Fast path: most nodes lack more letters of the word than edits are allowed.
      if (masks.length > 0 && !this.#isEnough(length, 0, 0, maxEdits, masks[node] as number, longest[node] as number))
        continue;
      if (!runs.isAmong(firstTexts, node)) continue;
      const states = (here === 0 ? this.#otherStates[depth] : this.#states[depth]) as States;
      let isAlive: boolean = isOtherAlive;
      if (here !== 0 || !isOtherKnown) isAlive = advance(walk, states, above, earlier, here, here & swappable);
      if (here === 0) {
        isOtherKnown = true;
        isOtherAlive = isAlive;
      }
      if (states.minEdits === 0) continue;
      if (isAlive && masks.length > 0)
        isAlive = this.#mayEnd(walk, depth, here, masks[node] as number, longest[node] as number, states, above);
      if (isAlive && depth < levels.length) {
        const children = firstChildren[node] as number;
        this.#walk(walk, depth, children, firstChildren[node + 1] as number, letter, states, above);
      } else if (isAlive)
        this.#readOn(walk, depth, firstTexts[node] as number, firstTexts[node + 1] as number, states, above);
      else if (states.minEdits <= maxEdits)
        addRun(walk, depth, firstTexts[node] as number, firstTexts[node + 1] as number, states);
    }
  }

  /**
   * Returns whether the word can be reached below a node. Each letter of the word that no term below has costs an edit.
   * @param letterPositions positions of the last letter
   * @param mask letters of the terms (see `letterBit`)
   * @param longest length of the longest term
   * @param parentStates states before the last letter
   */
  #mayEnd(
    { length, maxEdits }: Walk,
    depth: number,
    here: number,
    mask: number,
    longest: number,
    states: Readonly<States>,
    above: Readonly<States>,
  ): boolean {
    const { none, one, two } = states;
    if (none !== 0 && this.#isEnough(length, highest(none), depth, maxEdits, mask, longest)) return true;
    if (one !== 0 && this.#isEnough(length, highest(one), depth, maxEdits - 1, mask, longest)) return true;
    if (two !== 0 && this.#isEnough(length, highest(two), depth, maxEdits - 2, mask, longest)) return true;
    // The letter may be the first of two swapped letters.
    const swapped = above.none & (here >>> 1);
    if (swapped !== 0 && this.#isEnough(length, highest(swapped) + 2, depth + 1, maxEdits - 1, mask, longest))
      return true;
    const swappedToo = maxEdits > 1 ? above.one & (here >>> 1) : 0;
    return swappedToo !== 0 && this.#isEnough(length, highest(swappedToo) + 2, depth + 1, 0, mask, longest);
  }

  /**
   * Returns whether the rest of a word from a position fits into terms with some letters.
   * @param depth number of letters read
   * @param edits remaining edits
   */
  #isEnough(length: number, position: number, depth: number, edits: number, mask: number, longest: number): boolean {
    if (depth + length - position - edits > longest) return false;
    const lacking = (this.#rests[position] as number) & ~mask;
    if (edits === 0) return lacking === 0;
    const less = lacking & (lacking - 1);
    return edits === 1 ? less === 0 : (less & (less - 1)) === 0;
  }

  /**
   * Reads terms with more common letters than the trie has levels, letter by letter.
   * @param states states after the common letters
   * @param parentStates states before the last common letter
   */
  #readOn(
    walk: Walk,
    shared: number,
    first: number,
    end: number,
    states: Readonly<States>,
    above: Readonly<States>,
  ): void {
    const positionsOf = this.#positionsOf;
    const { units, starts, commonPrefixes } = walk.dictionary;
    const statesAt = (depth: number): Readonly<States> => {
      if (depth > shared) return this.#states[depth] as States;
      return depth === shared ? states : above;
    };
    let depth = shared;
    let isDead = false;
    for (let text = first; text < end; text += 1) {
      const common = text === first ? shared : (commonPrefixes[text] as number);
      if (common < depth) {
        depth = common;
        isDead = false;
      }
      const start = starts[text] as number;
      const last = (starts[text + 1] as number) - start;
      for (; depth < last && !isDead; depth += 1) {
        const letter = units[start + depth] as number;
        const here = positionsOf[letter] as number;
        const swapped = here & ((positionsOf[units[start + depth - 1] as number] as number) >>> 1);
        const next = this.#states[depth + 1] as States;
        isDead = !advance(walk, next, statesAt(depth), statesAt(depth - 1), here, swapped, isDigit(letter));
      }
      const { minEdits, exactEdits } = statesAt(depth);
      if (minEdits > 0 && minEdits <= walk.maxEdits)
        walk.runs.add(text, text + 1, minEdits, depth === last && exactEdits === minEdits);
    }
  }
}

interface Walk {
  readonly dictionary: Dictionary;
  /** Number of letters of the word. */
  readonly length: number;
  readonly maxEdits: number;
  readonly runs: FuzzyRunList;
}

/** Result of `findRequiredPositions` if any letter is possible. */
const any = -1;

/**
 * Returns the positions that the next letter must match for any state to remain. If no edits remain, most letters match
 * none.
 * @param swapPositions positions before those of the last letter
 */
function positionsFor(above: Readonly<States>, earlier: Readonly<States>, swappable: number, maxEdits: number): number {
  const mayEdit = above.none !== 0 || (maxEdits > 1 && above.one !== 0);
  if (mayEdit || above.minEdits <= maxEdits) return any;
  return maxEdits > 1 ? above.two | (earlier.one & swappable) : above.one | (earlier.none & swappable);
}

/**
 * Computes the states after one more letter. A state that reaches the entire word is recorded and dropped, because
 * further letters are further edits. States with more edits than a prefix needs are dropped too.
 * @param parentStates states before the letter
 * @param earlierStates states before the previous letter
 * @param letterPositions positions of the letter
 * @param swappedPositions positions where the previous letter follows the letter
 * @returns whether any state remains
 */
function advance(
  { length, maxEdits }: Walk,
  states: States,
  above: Readonly<States>,
  earlier: Readonly<States>,
  here: number,
  swapped: number,
  isDigit = false,
): boolean {
  const done = 1 << length;
  const none = (above.none & here) << 1;
  let one = 0;
  let two = 0;
  // A word with a digit allows no edits, so no edit reads a digit.
  if (!isDigit) {
    one = ((above.one & here) << 1) | addEdit(above.none, none) | ((earlier.none & swapped) << 2);
    if (maxEdits > 1) two = ((above.two & here) << 1) | addEdit(above.one, one) | ((earlier.one & swapped) << 2);
  }
  const exactEdits = (none & done) !== 0 ? 0 : (one & done) !== 0 ? 1 : (two & done) !== 0 ? 2 : tooMany;
  const minEdits = Math.min(above.minEdits, exactEdits);
  states.exactEdits = exactEdits;
  states.minEdits = minEdits;
  states.none = none & ~done;
  states.one = minEdits < 1 ? 0 : one & ~done;
  states.two = minEdits < 2 ? 0 : two & ~done;
  return (states.none | states.one | states.two) !== 0;
}

/**
 * Adds terms that share `depth` letters and have no smaller distance by their further letters. The first may end there.
 */
function addRun(
  { dictionary: { starts }, runs }: Walk,
  depth: number,
  first: number,
  end: number,
  { minEdits, exactEdits }: Readonly<States>,
): void {
  const endsHere = (starts[first + 1] as number) - (starts[first] as number) === depth;
  const rest = endsHere && exactEdits === minEdits ? first + 1 : first;
  runs.add(first, rest, minEdits, true);
  runs.add(rest, end, minEdits, false);
}

/** Returns the highest position, from which the rest of the word is shortest. */
function highest(positions: number): number {
  return 31 - Math.clz32(positions);
}

/** Returns the states with one additional edit: an insertion or replacement before a letter, or a deletion after it. */
function addEdit(before: number, now: number): number {
  return before | (before << 1) | (now << 1);
}
