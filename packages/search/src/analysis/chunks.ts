import { characterClass, characterClasses, gapBits, gapWith, unspaced } from "./character-classes.ts";
import { fold } from "./fold.ts";

/**
 * The smallest indexed unit of a text: a word or a gram. `text` is folded (see `fold`); a gram is a pair of neighboring
 * characters, or a single one, of a script without spaces.
 */
export interface Token {
  readonly text: string;
  readonly isGram: boolean;
  /** Whether a comma, bracket, dash or similar precedes it; set on the first token of a chunk. */
  readonly isAfterBreak?: boolean;
  /** Characters before and after it; see `gapBits`. */
  readonly before: number;
  readonly after: number;
}

/** A run of characters between two separators, as tokens: `NOR.0707-60` is ["nor", "0707", "60"]. */
export type Chunk = readonly Token[];

/** Maximum UTF-16 units of a term; longer words are truncated. */
export const maxTermLength = 60;
/** Maximum code points of a query; the rest is ignored. */
export const maxQueryLength = 256;
/** Maximum tokens of a chunk that is also indexed as a single term: `t-shirt` as `tshirt`. */
export const maxJoinedTokens = 6;

/** Returns the first `maxQueryLength` code points of a query. */
export function cutQuery(text: string): string {
  if (text.length <= maxQueryLength) return text;
  // A code point has at most two units.
  return Array.from(text.slice(0, maxQueryLength * 2))
    .slice(0, maxQueryLength)
    .join("");
}

/**
 * Splits a text into chunks and tokens. A run of Chinese, Japanese, Korean or Thai is one chunk: a gram for each pair
 * of neighbors, and the last character alone, so that a search for one character is a prefix search.
 * @param forQuery omits the last character alone if there are pairs
 */
export function chunks(text: string, forQuery = false): Chunk[] {
  const folded = fold(text);
  if (/^[a-z0-9 ]*$/.test(folded)) return plainChunks(folded);
  const result: Written<Token>[][] = [];
  let chunk: Written<Token>[] = [];
  let word = "";
  let run: string[] = [];
  let isBreak = false;
  let gap = 0;
  let last: Written<Token> | undefined;
  const add = (to: Written<Token>[], token: string, isGram = false) => {
    last = {
      text: token,
      isGram,
      ...(isBreak && !isGram && to.length === 0 && { isAfterBreak: true }),
      before: gap,
      after: 0,
    };
    to.push(last);
    isBreak = false;
    gap = 0;
  };
  const endWord = () => {
    if (word !== "") add(chunk, word.slice(0, maxTermLength));
    word = "";
  };
  const endRun = () => {
    if (run.length === 0) return;
    const grams: Written<Token>[] = [];
    for (const gram of gramsOf(run, forQuery)) add(grams, gram, true);
    result.push(grams);
    run = [];
  };
  const endChunk = () => {
    endWord();
    if (chunk.length > 0) result.push(chunk);
    chunk = [];
    endRun();
  };
  for (let index = 0; index < folded.length; index += 1) {
    const kind = classOf(folded, index);
    if (kind >= characterClass.letter) {
      endRun();
      word += folded[index];
      continue;
    }
    if (kind === characterClass.gram) {
      if (word !== "" || chunk.length > 0) endChunk();
      const character = String.fromCodePoint(folded.codePointAt(index) ?? 0);
      run.push(character);
      index += character.length - 1;
      continue;
    }
    const mark = markAt(folded, index, word);
    if (mark !== undefined) {
      endChunk();
      add(chunk, mark.unit);
      endChunk();
      index += mark.length - 1;
      continue;
    }
    if (kind >= characterClass.point || isDecimalComma(folded, index)) {
      endRun();
      if (word !== "" && isSilentApostrophe(folded, index)) continue;
      endWord();
      if (chunk.length === 0) isBreak = true;
    } else {
      endChunk();
      if (kind !== characterClass.blank) isBreak = true;
    }
    gap = gapWith(gap, kind);
    if (last !== undefined) last.after = gap;
  }
  endChunk();
  return result;
}

/** Fast path for a text of letters a to z, digits and spaces, as most queries are: each word is a chunk. */
function plainChunks(folded: string): Chunk[] {
  const result: Chunk[] = [];
  for (let at = 0; at < folded.length; ) {
    const start = at;
    while (at < folded.length && folded.charCodeAt(at) !== blankUnit) at += 1;
    if (at > start) {
      const text = folded.slice(start, Math.min(at, start + maxTermLength));
      const before = start > 0 ? gapBits.blank : 0;
      result.push([{ text, isGram: false, before, after: at < folded.length ? gapBits.blank : 0 }]);
    }
    at += 1;
  }
  return result;
}

const blankUnit = 32;

type Written<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/**
 * Returns the terms by which a chunk of several tokens is indexed as one: all its tokens (`tshirt`); if it has a digit,
 * also from each token to the end (`070760`).
 * @param from index of the first token at which they may start: "1.5" is not "15"
 * @returns terms with the index of their first token
 */
export function joinedForms(chunk: Chunk, from = 0): { readonly text: string; readonly at: number }[] {
  if (chunk.length < 2 || chunk.length > maxJoinedTokens || chunk[0]?.isGram) return [];
  const texts = chunk.map((token) => token.text);
  const last = texts.some(hasDigit) ? texts.length - 2 : 0;
  const starts = Array.from({ length: last + 1 }, (_, at) => at).slice(from);
  return starts.map((at) => ({ text: texts.slice(at).join("").slice(0, maxTermLength), at }));
}

export function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text);
}

function gramsOf(run: readonly string[], forQuery: boolean): string[] {
  const grams: string[] = [];
  for (let index = 0; index + 1 < run.length; index += 1) grams.push(`${run[index]}${run[index + 1]}`);
  if (run.length > 0 && (!forQuery || run.length === 1)) grams.push(run.at(-1) as string);
  return grams;
}

function classOf(folded: string, index: number): number {
  const unit = folded.charCodeAt(index);
  if (unit < 0xd800 || unit >= 0xe000) return characterClasses[unit] as number;
  // Letters outside the basic plane are rare, emoji are not: both end a word there.
  const character = String.fromCodePoint(folded.codePointAt(index) ?? 0);
  const isGram = character.length === 2 && character.search(unspaced) === 0;
  return isGram ? characterClass.gram : characterClass.other;
}

/** Returns whether a comma is part of a number ("1,5 l", "1,000") instead of a separator. */
function isDecimalComma(folded: string, index: number): boolean {
  return /^[0-9],[0-9]/.test(folded.slice(index - 1, index + 2));
}

/** Whether the letter after an apostrophe belongs to the word before it (`men's`, `don't`). */
function isSilentApostrophe(folded: string, index: number): boolean {
  return /^['’][st](?![\p{L}\p{N}])/u.test(folded.slice(index, index + 3));
}

/**
 * Returns the unit of a mark after a number: `27"` and `27''` are inches; `6'` is feet, as is the first mark of `6'2"`
 * and `4'x8'`.
 * @param word the text between the last separator and the mark
 */
function markAt(folded: string, index: number, word: string): { unit: string; length: number } | undefined {
  if (!/(?:^x?|[0-9]x)[0-9]+$/.test(word)) return undefined;
  const rest = folded.slice(index, index + 5);
  const inches = /^(?:["”]|['’]{2}|′′)(?![0-9])/.exec(rest)?.[0];
  if (inches !== undefined) return { unit: inchToken, length: inches.length };
  if (!/^['’′]/.test(rest) || isSilentApostrophe(folded, index)) return undefined;
  return /^.(?:x[0-9]|[0-9]{0,2}(?:[^\p{L}\p{M}\p{N}]|$))/u.test(rest) ? { unit: footToken, length: 1 } : undefined;
}

/** Tokens for the marks after a number. */
export const inchToken = "inch";
export const footToken = "ft";

/** @param unit UTF-16 unit of a folded text */
export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
