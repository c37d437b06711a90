import { hasDigit, isDigit } from "../analysis/chunks.ts";
import type { Dictionary } from "../terms/dictionary.ts";
import { type Level, lettersIn } from "../terms/trie.ts";
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

/** A nondeterministic Levenshtein automaton that is walked along the trie of a dictionary. It owns its scratch, so that a walk
 *  allocates nothing but its result; one walk runs at a time.
 *
 *  A state is a number of letters of the word that can be made of the letters read so far with some number of edits. States are bits: bit n of
 *  `reached[depth * 3 + e]` says that n letters of the word are reached with e edits after `depth` letters of a term. Where no state
 *  is left, no term that begins with these letters is near. */
export class LevenshteinAutomaton {
  /** By letter: the positions of the word that hold it, one bit each; all 0 between two walks. */
  readonly #positionsOf = new Int32Array(0x10000);
  /** By position: the letters of the word from there on, see `lettersIn`. */
  readonly #rests = new Uint32Array(longestFuzzy + 1);
  /** By depth, three numbers: the states with 0, 1 and 2 edits. */
  readonly #reached = new Int32Array(maxDepth * 3);
  /** By depth: the fewest edits of any beginning of the term up to there. */
  readonly #fewest = new Uint8Array(maxDepth);
  /** By depth: the edits with which the whole word is reached there. */
  readonly #whole = new Uint8Array(maxDepth);
  /** By depth, five numbers: where letters lead that the word does not have, as they all lead to the same. */
  readonly #others = new Int32Array(maxDepth * 5);

  /** Terms of which the nearest beginning is 1 to `maxEdits` edits from `word`: an edit inserts, deletes or replaces a letter, or swaps
   *  two neighbours; none reads a digit. Terms that begin with the word itself are left out.
   *  @param maxEdits 1 or 2  @param among ranges that hold all terms that can be found, ascending; absent: any term */
  fuzzyRuns(dictionary: Dictionary, word: string, maxEdits: number, among?: TermRanges): FuzzyRun[] {
    const positionsOf = this.#positionsOf;
    const rests = this.#rests;
    const reached = this.#reached;
    const fewest = this.#fewest;
    const whole = this.#whole;
    const length = word.length;
    const units = Uint16Array.from({ length }, (_, position) => word.charCodeAt(position));
    units.forEach((letter, position) => {
      positionsOf[letter] = (positionsOf[letter] as number) | (1 << position);
    });
    const unfinished = (1 << length) - 1;
    reached[0] = 1;
    reached[1] = 3 & unfinished;
    reached[2] = maxEdits > 1 ? 7 & unfinished : 0;
    fewest[0] = length <= maxEdits ? length : tooMany;
    whole[0] = fewest[0];
    const runs = new FuzzyRunList(among);
    const [roots] = dictionary.trie.levels;
    for (let position = 0; position <= length; position += 1) rests[position] = lettersIn(units, position, length);
    const asked = { dictionary, length, maxEdits, runs };
    this.#walk(asked, 0, 0, roots?.letters.length ?? 0, -1);
    for (const letter of units) positionsOf[letter] = 0;
    return runs.found;
  }

  /** Walks nodes `from` up to, not including, `to` of a level of the trie. They have the letters above them in common, and the
   *  scratch at depth `level` tells of these.
   *  @param before the letter above them; -1: none */
  #walk(asked: Asked, level: number, from: number, to: number, before: number): void {
    const positionsOf = this.#positionsOf;
    const fewest = this.#fewest;
    const { dictionary, length, maxEdits, runs } = asked;
    const { levels } = dictionary.trie;
    const { letters, firstTexts, firstChildren, masks, longest } = levels[level] as Level;
    const depth = level + 1;
    const isNear = (fewest[level] as number) <= maxEdits;
    const wanted = this.#wantedNext(level, before, maxEdits);
    // Letters that the word has not lead to the same, and are most.
    let isOtherKnown = false;
    let isOtherAlive = false;
    for (let node = from; node < to; node += 1) {
      const letter = letters[node] as number;
      const here = positionsOf[letter] as number;
      if ((here & wanted) === 0 && wanted !== any) continue;
      if (letter === 0 || isDigit(letter)) {
        // The end, or what no edit reads.
        if (isNear) this.#addRun(dictionary, level, firstTexts[node] as number, firstTexts[node + 1] as number, runs);
        continue;
      }
      if (!runs.isAmong(firstTexts, node)) continue;
      let isAlive: boolean = isOtherAlive;
      if (here === 0 && isOtherKnown) this.#recall(depth);
      else {
        this.#step(depth, letter, before, maxEdits);
        isAlive = this.#settle(depth, length, maxEdits);
        if (here === 0) {
          isOtherKnown = true;
          isOtherAlive = isAlive;
          this.#remember(depth);
        }
      }
      const edits = fewest[depth] as number;
      if (edits === 0) continue;
      if (isAlive && masks.length > 0)
        isAlive = this.#mayEnd(asked, depth, letter, masks[node] as number, longest[node] as number);
      if (isAlive && depth < levels.length)
        this.#walk(asked, depth, firstChildren[node] as number, firstChildren[node + 1] as number, letter);
      else if (isAlive) this.#readOn(asked, depth, firstTexts[node] as number, firstTexts[node + 1] as number);
      else if (edits <= maxEdits)
        this.#addRun(dictionary, depth, firstTexts[node] as number, firstTexts[node + 1] as number, runs);
    }
  }

  /** Whether the word can be reached in any term below a node: each of its letters that no term there has costs an edit.
   *  @param letter the last one that was read  @param mask letters of the terms, see `lettersIn`  @param longest letters of the longest */
  #mayEnd({ length, maxEdits }: Asked, depth: number, letter: number, mask: number, longest: number): boolean {
    const positionsOf = this.#positionsOf;
    const reached = this.#reached;
    const at = depth * 3;
    const swappable = (positionsOf[letter] as number) >>> 1;
    for (let edits = 0; edits <= maxEdits; edits += 1) {
      const positions = reached[at + edits] as number;
      if (positions !== 0 && this.#isEnough(length, highest(positions), depth, maxEdits - edits, mask, longest))
        return true;
      // The letter may be the first of two that are swapped.
      const swapped = edits < maxEdits ? (reached[at - 3 + edits] as number) & swappable : 0;
      if (swapped !== 0 && this.#isEnough(length, highest(swapped) + 2, depth + 1, maxEdits - edits - 1, mask, longest))
        return true;
    }
    return false;
  }

  /** Whether the rest of a word from a position on fits into terms with some letters.
   *  @param depth letters of the terms that were read  @param edits how many are left */
  #isEnough(length: number, position: number, depth: number, edits: number, mask: number, longest: number): boolean {
    const rests = this.#rests;
    if (depth + length - position - edits > longest) return false;
    const lacking = (rests[position] as number) & ~mask;
    if (edits === 0) return lacking === 0;
    const less = lacking & (lacking - 1);
    return edits === 1 ? less === 0 : (less & (less - 1)) === 0;
  }

  /** Keeps the scratch of a depth for the next letter that the word does not have. */
  #remember(depth: number): void {
    const reached = this.#reached;
    const fewest = this.#fewest;
    const whole = this.#whole;
    const others = this.#others;
    const at = depth * 5;
    for (let edits = 0; edits < 3; edits += 1) others[at + edits] = reached[depth * 3 + edits] as number;
    others[at + 3] = fewest[depth] as number;
    others[at + 4] = whole[depth] as number;
  }

  /** Puts back what `#remember` kept. */
  #recall(depth: number): void {
    const reached = this.#reached;
    const fewest = this.#fewest;
    const whole = this.#whole;
    const others = this.#others;
    const at = depth * 5;
    for (let edits = 0; edits < 3; edits += 1) reached[depth * 3 + edits] = others[at + edits] as number;
    fewest[depth] = others[at + 3] as number;
    whole[depth] = others[at + 4] as number;
  }

  /** The positions of which the next letter must have one, so that any state is left: where no edit is left, most letters lead
   *  nowhere.  @param letter the last one that was read; -1: none  @returns `any`: every letter may do */
  #wantedNext(depth: number, letter: number, maxEdits: number): number {
    const positionsOf = this.#positionsOf;
    const reached = this.#reached;
    const fewest = this.#fewest;
    const at = depth * 3;
    const mayEdit = reached[at] !== 0 || (maxEdits > 1 && reached[at + 1] !== 0);
    if (mayEdit || (fewest[depth] as number) <= maxEdits) return any;
    const swapped = (reached[at - 4 + maxEdits] as number) & ((positionsOf[letter] as number) >>> 1);
    return (reached[at + maxEdits] as number) | swapped;
  }

  /** Adds terms that share their first `depth` letters and are no nearer for what follows. The first of them may end there. */
  #addRun({ starts }: Dictionary, depth: number, first: number, end: number, runs: FuzzyRunList): void {
    const fewest = this.#fewest;
    const whole = this.#whole;
    const edits = fewest[depth] as number;
    const endsHere = (starts[first + 1] as number) - (starts[first] as number) === depth;
    const rest = endsHere && whole[depth] === edits ? first + 1 : first;
    runs.add(first, rest, edits, true);
    runs.add(rest, end, edits, false);
  }

  /** Reads terms letter by letter that share more letters than the trie is deep. */
  #readOn({ dictionary, length, maxEdits, runs }: Asked, shared: number, first: number, end: number): void {
    const fewest = this.#fewest;
    const whole = this.#whole;
    const { units, starts, commonPrefixes } = dictionary;
    let depth = shared;
    let isDeleted = false;
    for (let text = first; text < end; text += 1) {
      const common = text === first ? shared : (commonPrefixes[text] as number);
      if (common < depth) {
        depth = common;
        isDeleted = false;
      }
      const start = starts[text] as number;
      const last = (starts[text + 1] as number) - start;
      while (depth < last && !isDeleted) {
        depth += 1;
        this.#step(depth, units[start + depth - 1] as number, units[start + depth - 2] as number, maxEdits);
        isDeleted = !this.#settle(depth, length, maxEdits);
      }
      const edits = fewest[depth] as number;
      if (edits > 0 && edits <= maxEdits) runs.add(text, text + 1, edits, depth === last && whole[depth] === edits);
    }
  }

  /** Reads one letter. @param before the letter before it; -1: none */
  #step(depth: number, letter: number, before: number, maxEdits: number): void {
    const positionsOf = this.#positionsOf;
    const reached = this.#reached;
    const at = depth * 3;
    const here = positionsOf[letter] as number;
    const none = ((reached[at - 3] as number) & here) << 1;
    reached[at] = none;
    if (isDigit(letter)) {
      // No word with a digit comes here, so a digit is read by no edit.
      reached[at + 1] = 0;
      reached[at + 2] = 0;
      return;
    }
    let one = (((reached[at - 2] as number) & here) << 1) | edited(reached[at - 3] as number, none);
    let two = 0;
    if (maxEdits > 1) two = (((reached[at - 1] as number) & here) << 1) | edited(reached[at - 2] as number, 0);
    if (before >= 0 && depth > 1) {
      const swapped = here & ((positionsOf[before] as number) >>> 1);
      one |= ((reached[at - 6] as number) & swapped) << 2;
      if (maxEdits > 1) two |= ((reached[at - 5] as number) & swapped) << 2;
    }
    if (maxEdits > 1) two |= one << 1;
    reached[at + 1] = one;
    reached[at + 2] = two;
  }

  /** Notes whether the whole word is reached, and drops that state, since further letters would only be further edits; also drops states
   *  with more edits than some beginning has.
   *  @returns whether any state is left */
  #settle(depth: number, length: number, maxEdits: number): boolean {
    const reached = this.#reached;
    const fewest = this.#fewest;
    const whole = this.#whole;
    const at = depth * 3;
    const none = reached[at] as number;
    const one = reached[at + 1] as number;
    const two = maxEdits > 1 ? (reached[at + 2] as number) : 0;
    const before = fewest[depth - 1] as number;
    const done = 1 << length;
    if (before > maxEdits && ((none | one | two) & done) === 0) {
      whole[depth] = tooMany;
      fewest[depth] = tooMany;
      return (none | one | two) !== 0;
    }
    const now = (none & done) !== 0 ? 0 : (one & done) !== 0 ? 1 : (two & done) !== 0 ? 2 : tooMany;
    const least = Math.min(before, now);
    whole[depth] = now;
    fewest[depth] = least;
    reached[at] = none & ~done;
    reached[at + 1] = least < 1 ? 0 : one & ~done;
    reached[at + 2] = least < 2 ? 0 : two & ~done;
    return ((reached[at] as number) | (reached[at + 1] as number) | (reached[at + 2] as number)) !== 0;
  }
}

interface Asked {
  readonly dictionary: Dictionary;
  /** Letters of the word. */
  readonly length: number;
  readonly maxEdits: number;
  readonly runs: FuzzyRunList;
}

/** See `#wantedNext`. */
const any = -1;

/** The highest of some positions: from there, the least of the word is left. */
function highest(positions: number): number {
  return 31 - Math.clz32(positions);
}

/** States with one edit more than those before a letter (it is one too many, or stands for another) or those with it (a letter is
 *  missing). */
function edited(before: number, now: number): number {
  return before | (before << 1) | (now << 1);
}
