import { hasDigit } from "./analysis.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Level } from "./letter-tree.ts";

/** Letters from which a word may hold one edit, and two. */
export const oneEditFrom = 4;
export const twoEditsFrom = 8;
/** Letters of the longest word that may: one bit each in a number. */
export const longestBent = 28;

/** Terms `low` up to, not including, `high` are `edits` away. */
export interface TypoRun {
  readonly low: number;
  readonly high: number;
  readonly edits: number;
  /** The term itself is that near; else only a beginning of it. */
  readonly isWhole: boolean;
}

/** How many edits a word may hold; words with digits none: another number is another thing. */
export function allowedEdits(word: string): number {
  if (word.length < oneEditFrom || word.length > longestBent || hasDigit(word)) return 0;
  return word.length >= twoEditsFrom ? 2 : 1;
}

/** Letters -> the places of the word that hold it, one bit each; all 0 between two calls. */
const placesOf = new Int32Array(0x10000);
/** By depth, three numbers: the places of the word that can be reached with 0, 1 and 2 edits. */
const reached = new Int32Array((longestBent + 4) * 3);
/** By depth: the fewest edits of any beginning up to there. */
const fewest = new Uint8Array(longestBent + 4);
/** By depth: the fewest edits with which the word is what was read up to there. */
const whole = new Uint8Array(longestBent + 4);
const tooMany = 9;

/** Terms of which some beginning is at 1 to `maxEdits` (at most 2) edits from `word`, by its nearest beginning (an edit inserts,
 *  deletes or replaces a letter, or swaps two neighbours; none makes a digit). Terms that begin with the word are left out.
 *
 *  The letters of the dictionary are walked as a tree, with a nondeterministic automaton whose states are bits: bit n of
 *  `reached[e]` says that n letters of the word can be made of the letters so far with e edits. Where no state is left, nothing
 *  that begins so is near.
 *  @param among terms among which those wanted are known to be, ascending; absent: all */
export function typoRuns(dictionary: Dictionary, word: string, maxEdits: number, among?: Ranges): TypoRun[] {
  const length = word.length;
  for (let place = 0; place < length; place += 1) {
    const letter = word.charCodeAt(place);
    placesOf[letter] = (placesOf[letter] as number) | (1 << place);
  }
  const unfinished = (1 << length) - 1;
  reached[0] = 1;
  reached[1] = 3 & unfinished;
  reached[2] = maxEdits > 1 ? 7 & unfinished : 0;
  fewest[0] = length <= maxEdits ? length : tooMany;
  whole[0] = fewest[0];
  const runs = new Runs(among);
  const [roots] = dictionary.tree.levels;
  for (let node = 0; node < (roots?.letters.length ?? 0); node += 1)
    walk(dictionary, length, maxEdits, 0, node, -1, runs);
  for (let place = 0; place < length; place += 1) placesOf[word.charCodeAt(place)] = 0;
  return runs.found;
}

/** Terms `lows[n]` up to, not including, `highs[n]`. */
export interface Ranges {
  readonly lows: ArrayLike<number>;
  readonly highs: ArrayLike<number>;
}

/** Runs of neighbours, those as near joined. */
class Runs {
  readonly found: { low: number; high: number; edits: number; isWhole: boolean }[] = [];
  readonly #among: Ranges | undefined;
  #next = 0;

  constructor(among: Ranges | undefined) {
    this.#among = among;
  }

  /** Whether any of some texts is looked for; asked of texts in their order. */
  isAmong(low: number, high: number): boolean {
    if (this.#among === undefined) return true;
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

/** Looks at the texts of a node of the tree; `reached` and `fewest` are those of the letters above it.
 *  @param before the letter above it, -1: none */
function walk(
  dictionary: Dictionary,
  length: number,
  maxEdits: number,
  level: number,
  node: number,
  before: number,
  runs: Runs,
): void {
  const { levels } = dictionary.tree;
  const { letters, firstTexts, firstChildren } = levels[level] as Level;
  if (!runs.isAmong(firstTexts[node] as number, firstTexts[node + 1] as number)) return;
  const letter = letters[node] as number;
  const depth = letter === 0 ? level : level + 1;
  if (letter !== 0) step(depth, letter, before, maxEdits);
  const isAlive = letter !== 0 && settle(depth, length, maxEdits);
  const edits = fewest[depth] as number;
  if (edits === 0) return;
  if (!isAlive) {
    if (edits <= maxEdits) addRun(dictionary, depth, firstTexts[node] as number, firstTexts[node + 1] as number, runs);
    return;
  }
  if (level + 1 === levels.length) {
    readOn(dictionary, length, maxEdits, depth, firstTexts[node] as number, firstTexts[node + 1] as number, runs);
    return;
  }
  const children = levels[level + 1] as Level;
  const lastChild = firstChildren[node + 1] as number;
  const wanted = wantedNext(depth, letter, maxEdits);
  for (let child = firstChildren[node] as number; child < lastChild; child += 1)
    if (((placesOf[children.letters[child] as number] as number) & wanted) !== 0 || wanted === any)
      walk(dictionary, length, maxEdits, level + 1, child, letter, runs);
}

/** In place of places of the word: those of any letter. */
const any = -1;

/** The places of the word one of which the next letter must have, so that any state is left: where no edit is left, most letters lead
 *  nowhere. @param letter the last one that was read */
function wantedNext(depth: number, letter: number, maxEdits: number): number {
  const at = depth * 3;
  const mayEdit = reached[at] !== 0 || (maxEdits > 1 && reached[at + 1] !== 0);
  if (mayEdit || (fewest[depth] as number) <= maxEdits) return any;
  const swapped = (reached[at - 4 + maxEdits] as number) & ((placesOf[letter] as number) >>> 1);
  return (reached[at + maxEdits] as number) | swapped;
}

/** Texts that share their first `depth` letters and are no nearer for what follows: the first of them may have no more. */
function addRun({ starts }: Dictionary, depth: number, first: number, end: number, runs: Runs): void {
  const edits = fewest[depth] as number;
  const endsHere = (starts[first + 1] as number) - (starts[first] as number) === depth;
  const rest = endsHere && whole[depth] === edits ? first + 1 : first;
  runs.add(first, rest, edits, true);
  runs.add(rest, end, edits, false);
}

/** The same text by text, for those that share more letters than the tree has. */
function readOn(
  { units, starts, overlaps }: Dictionary,
  length: number,
  maxEdits: number,
  shared: number,
  first: number,
  end: number,
  runs: Runs,
): void {
  let depth = shared;
  let isDead = false;
  for (let text = first; text < end; text += 1) {
    const common = text === first ? shared : (overlaps[text] as number);
    if (common < depth) {
      depth = common;
      isDead = false;
    }
    const start = starts[text] as number;
    const last = (starts[text + 1] as number) - start;
    while (depth < last && !isDead) {
      depth += 1;
      step(depth, units[start + depth - 1] as number, units[start + depth - 2] as number, maxEdits);
      isDead = !settle(depth, length, maxEdits);
    }
    const edits = fewest[depth] as number;
    if (edits > 0 && edits <= maxEdits) runs.add(text, text + 1, edits, depth === last && whole[depth] === edits);
  }
}

/** Reads one letter more. */
function step(depth: number, letter: number, before: number, maxEdits: number): void {
  const at = depth * 3;
  const here = placesOf[letter] as number;
  const none = ((reached[at - 3] as number) & here) << 1;
  reached[at] = none;
  if (letter >= 48 && letter <= 57) {
    // No word with a digit comes here, so a digit is read by no edit.
    reached[at + 1] = 0;
    reached[at + 2] = 0;
    return;
  }
  let one = (((reached[at - 2] as number) & here) << 1) | edited(reached[at - 3] as number, none);
  let two = 0;
  if (maxEdits > 1) two = (((reached[at - 1] as number) & here) << 1) | edited(reached[at - 2] as number, 0);
  if (before >= 0 && depth > 1) {
    const swapped = here & ((placesOf[before] as number) >>> 1);
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
