import { hasDigit, isDigit } from "../analysis/chunks.ts";
import type { Dictionary } from "../terms/dictionary.ts";
import { type Level, lettersIn } from "../terms/trie.ts";

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

/** Letters -> the positions of the word that hold it, one bit each; all 0 between two calls. */
const positionsOf = new Int32Array(0x10000);
/** By position: the letters of the word from there on, see `lettersIn`. */
const rests = new Uint32Array(longestFuzzy + 1);
/** By depth, three externalIds: the positions of the word that can be reached with 0, 1 and 2 edits. */
const reached = new Int32Array((longestFuzzy + 4) * 3);
/** By depth: the fewest edits of any beginning up to there, and those with which the word is what was read up to there. */
const fewest = new Uint8Array(longestFuzzy + 4);
const whole = new Uint8Array(longestFuzzy + 4);
const tooMany = 9;

/** Terms of which some beginning is at 1 to `maxEdits` (at most 2) edits from `word`, by its nearest beginning (an edit inserts,
 *  deletes or replaces a letter, or swaps two neighbours; none makes a digit). Terms that begin with the word are left out.
 *
 *  The letters of the dictionary are walked as a tree, with a nondeterministic automaton whose states are bits: bit n of
 *  `reached[e]` says that n letters of the word can be made of the letters so far with e edits. Where no state is left, nothing
 *  that begins so is near.
 *  @param among terms among which those wanted are known to be, ascending; absent: all */
export function fuzzyRuns(dictionary: Dictionary, word: string, maxEdits: number, among?: TermRanges): FuzzyRun[] {
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
  const [roots] = dictionary.trie.top;
  for (let position = 0; position <= length; position += 1) rests[position] = lettersIn(units, position, length);
  const asked = { dictionary, length, maxEdits, runs };
  walk(asked, 0, 0, roots?.letters.length ?? 0, -1);
  for (const letter of units) positionsOf[letter] = 0;
  return runs.found;
}

interface Asked {
  readonly dictionary: Dictionary;
  readonly length: number;
  readonly maxEdits: number;
  readonly runs: FuzzyRunList;
}

/** Looks at the texts of some nodes of the tree, which have the letters above them in common; `reached`, `fewest` and `whole` are those of
 *  these letters.
 *  @param from,to nodes of the level, up to, not including, the last  @param before the letter above them, -1: none */
function walk(asked: Asked, level: number, from: number, to: number, before: number): void {
  const { dictionary, length, maxEdits, runs } = asked;
  const { top } = dictionary.trie;
  const { letters, firstTexts, firstChildren, masks, longest } = top[level] as Level;
  const depth = level + 1;
  const isNear = (fewest[level] as number) <= maxEdits;
  const wanted = wantedNext(level, before, maxEdits);
  // Letters that the word has not lead to the same, and are most.
  let isOtherKnown = false;
  let isOtherAlive = false;
  for (let node = from; node < to; node += 1) {
    const letter = letters[node] as number;
    const here = positionsOf[letter] as number;
    if ((here & wanted) === 0 && wanted !== any) continue;
    if (letter === 0 || isDigit(letter)) {
      // The end, or what no edit reads.
      if (isNear) addRun(dictionary, level, firstTexts[node] as number, firstTexts[node + 1] as number, runs);
      continue;
    }
    if (!runs.isAmong(firstTexts, node)) continue;
    let isAlive: boolean = isOtherAlive;
    if (here === 0 && isOtherKnown) recall(depth);
    else {
      step(depth, letter, before, maxEdits);
      isAlive = settle(depth, length, maxEdits);
      if (here === 0) {
        isOtherKnown = true;
        isOtherAlive = isAlive;
        remember(depth);
      }
    }
    const edits = fewest[depth] as number;
    if (edits === 0) continue;
    if (isAlive && masks.length > 0)
      isAlive = mayEnd(asked, depth, letter, masks[node] as number, longest[node] as number);
    if (isAlive && depth < top.length)
      walk(asked, depth, firstChildren[node] as number, firstChildren[node + 1] as number, letter);
    else if (isAlive) readOn(asked, depth, firstTexts[node] as number, firstTexts[node + 1] as number);
    else if (edits <= maxEdits)
      addRun(dictionary, depth, firstTexts[node] as number, firstTexts[node + 1] as number, runs);
  }
}

/** Whether the word may be reached in texts that have some letters alone, and so many at most: an edit makes up for one that they lack.
 *  @param letter the last one that was read */
function mayEnd({ length, maxEdits }: Asked, depth: number, letter: number, mask: number, longest: number): boolean {
  const at = depth * 3;
  const swappable = (positionsOf[letter] as number) >>> 1;
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    const positions = reached[at + edits] as number;
    if (positions !== 0 && isEnough(length, highest(positions), depth, maxEdits - edits, mask, longest)) return true;
    // The letter may be the first of two that are swapped.
    const swapped = edits < maxEdits ? (reached[at - 3 + edits] as number) & swappable : 0;
    if (swapped !== 0 && isEnough(length, highest(swapped) + 2, depth + 1, maxEdits - edits - 1, mask, longest))
      return true;
  }
  return false;
}

function highest(positions: number): number {
  return 31 - Math.clz32(positions);
}

/** Whether texts have what is left of a word from a position on, but for some edits. @param depth letters of the texts that were read */
function isEnough(
  length: number,
  position: number,
  depth: number,
  edits: number,
  mask: number,
  longest: number,
): boolean {
  if (depth + length - position - edits > longest) return false;
  const lacking = (rests[position] as number) & ~mask;
  if (edits === 0) return lacking === 0;
  const less = lacking & (lacking - 1);
  return edits === 1 ? less === 0 : (less & (less - 1)) === 0;
}

const others = new Int32Array((longestFuzzy + 4) * 5);

function remember(depth: number): void {
  const at = depth * 5;
  for (let edits = 0; edits < 3; edits += 1) others[at + edits] = reached[depth * 3 + edits] as number;
  others[at + 3] = fewest[depth] as number;
  others[at + 4] = whole[depth] as number;
}

function recall(depth: number): void {
  const at = depth * 5;
  for (let edits = 0; edits < 3; edits += 1) reached[depth * 3 + edits] = others[at + edits] as number;
  fewest[depth] = others[at + 3] as number;
  whole[depth] = others[at + 4] as number;
}

const any = -1;

/** The positions of the word one of which the next letter must have, so that any state is left: where no edit is left, most letters lead
 *  nowhere. @param letter the last one that was read, -1: none */
function wantedNext(depth: number, letter: number, maxEdits: number): number {
  const at = depth * 3;
  const mayEdit = reached[at] !== 0 || (maxEdits > 1 && reached[at + 1] !== 0);
  if (mayEdit || (fewest[depth] as number) <= maxEdits) return any;
  const swapped = (reached[at - 4 + maxEdits] as number) & ((positionsOf[letter] as number) >>> 1);
  return (reached[at + maxEdits] as number) | swapped;
}

/** Texts that boost their first `depth` letters and are no nearer for what follows: the first of them may have no more. */
function addRun({ starts }: Dictionary, depth: number, first: number, end: number, runs: FuzzyRunList): void {
  const edits = fewest[depth] as number;
  const endsHere = (starts[first + 1] as number) - (starts[first] as number) === depth;
  const rest = endsHere && whole[depth] === edits ? first + 1 : first;
  runs.add(first, rest, edits, true);
  runs.add(rest, end, edits, false);
}

/** The same text by text, for those that boost more letters than the tree has. */
function readOn({ dictionary, length, maxEdits, runs }: Asked, shared: number, first: number, end: number): void {
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
      step(depth, units[start + depth - 1] as number, units[start + depth - 2] as number, maxEdits);
      isDeleted = !settle(depth, length, maxEdits);
    }
    const edits = fewest[depth] as number;
    if (edits > 0 && edits <= maxEdits) runs.add(text, text + 1, edits, depth === last && whole[depth] === edits);
  }
}

function step(depth: number, letter: number, before: number, maxEdits: number): void {
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

/** One edit more than what was reached before this letter (the letter is one too many, or stands for another), or than what is
 *  reached with it (a letter is missing). */
function edited(before: number, now: number): number {
  return before | (before << 1) | (now << 1);
}

/** Notes whether the whole word is reached, and forgets that state: letters more would only be edits more. So would be what is left
 *  with more edits than a beginning has.
 *  @returns whether any state is left */
function settle(depth: number, length: number, maxEdits: number): boolean {
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
/** Terms `low` up to, not including, `high` are `edits` away. */
export interface FuzzyRun {
  readonly low: number;
  readonly high: number;
  readonly edits: number;
  /** The term itself is that near; else only a beginning of it. */
  readonly isWhole: boolean;
}

/** Terms `lows[n]` up to, not including, `highs[n]`. */
export interface TermRanges {
  readonly lows: ArrayLike<number>;
  readonly highs: ArrayLike<number>;
}

/** FuzzyRunList of neighbours, those as near joined. */
class FuzzyRunList {
  readonly found: { low: number; high: number; edits: number; isWhole: boolean }[] = [];
  readonly #among: TermRanges | undefined;
  #next = 0;

  constructor(among: TermRanges | undefined) {
    this.#among = among;
  }

  /** Whether any text of a node is looked for; asked of nodes in the order of their texts. */
  isAmong(firstTexts: Uint32Array, node: number): boolean {
    if (this.#among === undefined) return true;
    const low = firstTexts[node] as number;
    const high = firstTexts[node + 1] as number;
    const { lows, highs } = this.#among;
    while (this.#next < lows.length && (highs[this.#next] as number) <= low) this.#next += 1;
    return this.#next < lows.length && (lows[this.#next] as number) < high;
  }

  add(low: number, high: number, edits: number, isWhole: boolean): void {
    if (low === high) return;
    const last = this.found.at(-1);
    if (last !== undefined && last.high === low && last.edits === edits && last.isWhole === isWhole) last.high = high;
    else this.found.push({ low, high, edits, isWhole });
  }
}
