import { hasDigit, isDigit } from "../analysis/chunks.ts";
import type { Dictionary } from "../terms/dictionary.ts";
import { type Level, letterBit } from "../terms/trie.ts";
import { type FuzzyRun, FuzzyRunList, type TermRanges } from "./fuzzy-runs.ts";

/** Letters from which a word may hold one edit, and two. */
export const oneEditFrom = 4;
export const twoEditsFrom = 8;
/** Letters of the longest word that may: one bit each in a number. */
export const longestFuzzy = 28;

/** How many edits a word may hold; words with digits none: another number is another thing. */
export function allowedEdits(word: string): number {
  if (word.length < oneEditFrom || word.length > longestFuzzy || hasDigit(word)) return 0;
  return word.length >= twoEditsFrom ? 2 : 1;
}

/** Letters of a term after which no state is left, whatever they are, and one more. */
const maxDepth = longestFuzzy + 4;
/** In place of a number of edits: more than are allowed. */
const tooMany = 9;

/** The states after some letters of a term: how many letters of the word can be made of them. */
class States {
  /** Bit n: n letters of the word are reached without edit, with one, with two. */
  none = 0;
  one = 0;
  two = 0;
  /** The fewest edits with which the whole word is reached, after these letters or fewer. */
  fewest = tooMany;
  /** The edits with which the whole word is reached after just these letters. */
  whole = tooMany;
}

/** A nondeterministic Levenshtein automaton that is walked along the trie of a dictionary. It owns its scratch, so that a walk
 *  allocates nothing but its result; one walk runs at a time.
 *
 *  A state is a number of letters of the word that can be made of the letters read so far with some number of edits. Where no state is
 *  left, no term that begins with these letters is near. */
export class LevenshteinAutomaton {
  /** By letter: the positions of the word that hold it, one bit each; all 0 between two walks. */
  readonly #positionsOf = new Int32Array(0x10000);
  /** By position: the letters of the word from there on, see `letterBit`. */
  readonly #rests = new Uint32Array(longestFuzzy + 1);
  /** By depth: the states after a letter that the word has. */
  readonly #states = Array.from({ length: maxDepth }, () => new States());
  /** By depth: the states after letters that the word does not have, as they all lead to the same. */
  readonly #otherStates = Array.from({ length: maxDepth }, () => new States());
  /** Before the first letter, and before that. */
  readonly #first = new States();
  readonly #none: Readonly<States> = new States();

  /** Terms of which the nearest beginning is 1 to `maxEdits` edits from `word`: an edit inserts, deletes or replaces a letter, or swaps
   *  two neighbours; none reads a digit. Terms that begin with the word itself are left out.
   *  @param maxEdits 1 or 2  @param among ranges that hold all terms that can be found, ascending; absent: any term */
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
    first.fewest = length <= maxEdits ? length : tooMany;
    first.whole = first.fewest;
    const [roots] = dictionary.trie.levels;
    const asked = { dictionary, length, maxEdits, runs: new FuzzyRunList(among) };
    this.#walk(asked, 0, 0, roots?.letters.length ?? 0, 0, first, this.#none);
    for (let position = 0; position < length; position += 1) positionsOf[word.charCodeAt(position)] = 0;
    return asked.runs.found;
  }

  /** Walks nodes `from` up to, not including, `to` of a level of the trie, which have the letters above them in common.
   *  @param before the letter above them; 0: none  @param above the states after that letter  @param earlier those before it */
  #walk(
    asked: Asked,
    level: number,
    from: number,
    to: number,
    before: number,
    above: Readonly<States>,
    earlier: Readonly<States>,
  ): void {
    const positionsOf = this.#positionsOf;
    const { dictionary, length, maxEdits, runs } = asked;
    const { levels } = dictionary.trie;
    const { letters, firstTexts, firstChildren, masks, longest } = levels[level] as Level;
    const depth = level + 1;
    const swappable = (positionsOf[before] as number) >>> 1;
    const isNear = above.fewest <= maxEdits;
    const wanted = wantedNext(above, earlier, swappable, maxEdits);
    // Letters that the word does not have are most.
    let isOtherKnown = false;
    let isOtherAlive = false;
    for (let node = from; node < to; node += 1) {
      const letter = letters[node] as number;
      const here = positionsOf[letter] as number;
      if ((here & wanted) === 0 && wanted !== any) continue;
      if (letter === 0 || isDigit(letter)) {
        // The end, or what no edit reads.
        if (isNear) addRun(asked, level, firstTexts[node] as number, firstTexts[node + 1] as number, above);
        continue;
      }
      // Most nodes lack more letters of the word than there may be edits.
      if (masks.length > 0 && !this.#isEnough(length, 0, 0, maxEdits, masks[node] as number, longest[node] as number))
        continue;
      if (!runs.isAmong(firstTexts, node)) continue;
      const states = (here === 0 ? this.#otherStates[depth] : this.#states[depth]) as States;
      let isAlive: boolean = isOtherAlive;
      if (here !== 0 || !isOtherKnown) isAlive = advance(asked, states, above, earlier, here, here & swappable);
      if (here === 0) {
        isOtherKnown = true;
        isOtherAlive = isAlive;
      }
      if (states.fewest === 0) continue;
      if (isAlive && masks.length > 0)
        isAlive = this.#mayEnd(asked, depth, here, masks[node] as number, longest[node] as number, states, above);
      if (isAlive && depth < levels.length) {
        const children = firstChildren[node] as number;
        this.#walk(asked, depth, children, firstChildren[node + 1] as number, letter, states, above);
      } else if (isAlive)
        this.#readOn(asked, depth, firstTexts[node] as number, firstTexts[node + 1] as number, states, above);
      else if (states.fewest <= maxEdits)
        addRun(asked, depth, firstTexts[node] as number, firstTexts[node + 1] as number, states);
    }
  }

  /** Whether the word can be reached in any term below a node: each of its letters that no term there has costs an edit.
   *  @param here the positions of the last letter that was read  @param mask letters of the terms, see `letterBit`
   *  @param longest letters of the longest  @param states those after that letter  @param above those before it */
  #mayEnd(
    { length, maxEdits }: Asked,
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
    // The letter may be the first of two that are swapped.
    const swapped = above.none & (here >>> 1);
    if (swapped !== 0 && this.#isEnough(length, highest(swapped) + 2, depth + 1, maxEdits - 1, mask, longest))
      return true;
    const swappedToo = maxEdits > 1 ? above.one & (here >>> 1) : 0;
    return swappedToo !== 0 && this.#isEnough(length, highest(swappedToo) + 2, depth + 1, 0, mask, longest);
  }

  /** Whether the rest of a word from a position on fits into terms with some letters.
   *  @param depth letters of the terms that were read  @param edits how many are left */
  #isEnough(length: number, position: number, depth: number, edits: number, mask: number, longest: number): boolean {
    if (depth + length - position - edits > longest) return false;
    const lacking = (this.#rests[position] as number) & ~mask;
    if (edits === 0) return lacking === 0;
    const less = lacking & (lacking - 1);
    return edits === 1 ? less === 0 : (less & (less - 1)) === 0;
  }

  /** Reads terms letter by letter that share more letters than the trie is deep.
   *  @param states those after the `shared` letters  @param above those before the last of them */
  #readOn(
    asked: Asked,
    shared: number,
    first: number,
    end: number,
    states: Readonly<States>,
    above: Readonly<States>,
  ): void {
    const positionsOf = this.#positionsOf;
    const { units, starts, commonPrefixes } = asked.dictionary;
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
        isDead = !advance(asked, next, statesAt(depth), statesAt(depth - 1), here, swapped, isDigit(letter));
      }
      const { fewest, whole } = statesAt(depth);
      if (fewest > 0 && fewest <= asked.maxEdits)
        asked.runs.add(text, text + 1, fewest, depth === last && whole === fewest);
    }
  }
}

interface Asked {
  readonly dictionary: Dictionary;
  /** Letters of the word. */
  readonly length: number;
  readonly maxEdits: number;
  readonly runs: FuzzyRunList;
}

/** See `wantedNext`. */
const any = -1;

/** The positions of which the next letter must have one, so that any state is left: where no edit is left, most letters lead
 *  nowhere.  @param swappable the positions before those of the last letter  @returns `any`: every letter may do */
function wantedNext(above: Readonly<States>, earlier: Readonly<States>, swappable: number, maxEdits: number): number {
  const mayEdit = above.none !== 0 || (maxEdits > 1 && above.one !== 0);
  if (mayEdit || above.fewest <= maxEdits) return any;
  return maxEdits > 1 ? above.two | (earlier.one & swappable) : above.one | (earlier.none & swappable);
}

/** The states after one letter more. Of the whole word it is noted that it was reached, and the state is dropped, since further letters would
 *  only be further edits; as are states with more edits than some beginning has.
 *  @param above the states before the letter  @param earlier those before the letter before it
 *  @param here the positions of the letter  @param swapped those with the letter before it behind them
 *  @returns whether any state is left */
function advance(
  { length, maxEdits }: Asked,
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
  // No word with a digit comes here, so a digit is read by no edit.
  if (!isDigit) {
    one = ((above.one & here) << 1) | edited(above.none, none) | ((earlier.none & swapped) << 2);
    if (maxEdits > 1) two = ((above.two & here) << 1) | edited(above.one, one) | ((earlier.one & swapped) << 2);
  }
  const whole = (none & done) !== 0 ? 0 : (one & done) !== 0 ? 1 : (two & done) !== 0 ? 2 : tooMany;
  const fewest = Math.min(above.fewest, whole);
  states.whole = whole;
  states.fewest = fewest;
  states.none = none & ~done;
  states.one = fewest < 1 ? 0 : one & ~done;
  states.two = fewest < 2 ? 0 : two & ~done;
  return (states.none | states.one | states.two) !== 0;
}

/** Adds terms that share their first `depth` letters and are no nearer for what follows. The first of them may end there. */
function addRun(
  { dictionary: { starts }, runs }: Asked,
  depth: number,
  first: number,
  end: number,
  { fewest, whole }: Readonly<States>,
): void {
  const endsHere = (starts[first + 1] as number) - (starts[first] as number) === depth;
  const rest = endsHere && whole === fewest ? first + 1 : first;
  runs.add(first, rest, fewest, true);
  runs.add(rest, end, fewest, false);
}

/** The highest of some positions: from there, the least of the word is left. */
function highest(positions: number): number {
  return 31 - Math.clz32(positions);
}

/** States with one edit more than those before a letter (it is one too many, or stands for another) or those with it (a letter is
 *  missing). */
function edited(before: number, now: number): number {
  return before | (before << 1) | (now << 1);
}
