import {
  addToSeparatorSet,
  characterClass,
  characterClasses,
  delimiters,
  unspacedLetters,
} from "./character-classes.ts";
import { foldText } from "./fold.ts";

/**
 * A word, or a gram of a script without spaces, such as Chinese. A gram is a pair of neighboring characters or a single
 * character. The text is in lower case without accents.
 */
export interface Token {
  readonly text: string;
  readonly isGram: boolean;
  /**
   * Whether a comma, bracket, dash or similar separator precedes the token. Never set inside a chunk such as `t-shirt`.
   */
  readonly isAfterBreak?: boolean;
  /** Kinds of characters between the previous token and this one, as bits (see `delimiters`). */
  readonly separatorBefore: number;
  readonly separatorAfter: number;
}

/** The tokens between two spaces or other separators. `NOR.0707-60` is one chunk: ["nor", "0707", "60"]. */
export type Chunk = readonly Token[];

/** Maximum number of UTF-16 units in a term. Longer words are truncated. */
export const maxTermLength = 60;
/** Maximum number of code points in a query. Further characters are ignored. */
export const maxQueryLength = 256;
/** Maximum number of tokens that are also indexed as one joined term, like `tshirt` for `t-shirt`. */
export const maxJoinedTokens = 6;

/** Truncates a query to `maxQueryLength` code points. */
export function truncateQuery(text: string): string {
  if (text.length <= maxQueryLength) return text;
  // A code point has at most two UTF-16 units.
  return Array.from(text.slice(0, maxQueryLength * 2))
    .slice(0, maxQueryLength)
    .join("");
}

/**
 * Splits a text into chunks, which are parts between spaces or separators, and each chunk into tokens. Chinese,
 * Japanese, Korean and Thai text is split into pairs of neighboring characters. The last character is also a token of
 * its own, so that a prefix search finds every single character.
 * @param isQuery whether the text is a query, in which the last character is only a token if there are no pairs
 */
export function splitChunks(text: string, isQuery = false): Chunk[] {
  const foldedText = foldText(text);
  if (/^[a-z0-9 ]*$/.test(foldedText)) return splitPlainChunks(foldedText);
  const result: Mutable<Token>[][] = [];
  let chunk: Mutable<Token>[] = [];
  let word = "";
  let gramCharacters: string[] = [];
  let hasBreakBefore = false;
  let separatorKinds = 0;
  let lastToken: Mutable<Token> | undefined;
  const addToken = (target: Mutable<Token>[], token: string, isGram = false) => {
    lastToken = {
      text: token,
      isGram,
      ...(hasBreakBefore && !isGram && target.length === 0 && { isAfterBreak: true }),
      separatorBefore: separatorKinds,
      separatorAfter: 0,
    };
    target.push(lastToken);
    hasBreakBefore = false;
    separatorKinds = 0;
  };
  const finishWord = () => {
    if (word !== "") addToken(chunk, word.slice(0, maxTermLength));
    word = "";
  };
  const finishGrams = () => {
    if (gramCharacters.length === 0) return;
    const grams: Mutable<Token>[] = [];
    for (const gram of listGrams(gramCharacters, isQuery)) addToken(grams, gram, true);
    result.push(grams);
    gramCharacters = [];
  };
  const finishChunk = () => {
    finishWord();
    if (chunk.length > 0) result.push(chunk);
    chunk = [];
    finishGrams();
  };
  for (let index = 0; index < foldedText.length; index += 1) {
    const characterKind = getCharacterClass(foldedText, index);
    if (characterKind >= characterClass.letter) {
      finishGrams();
      word += foldedText[index];
      continue;
    }
    if (characterKind === characterClass.gram) {
      if (word !== "" || chunk.length > 0) finishChunk();
      const character = String.fromCodePoint(foldedText.codePointAt(index) ?? 0);
      gramCharacters.push(character);
      index += character.length - 1;
      continue;
    }
    const unitSymbol = findQuoteMarkUnit(foldedText, index, word);
    if (unitSymbol !== undefined) {
      finishChunk();
      addToken(chunk, unitSymbol.unit);
      finishChunk();
      index += unitSymbol.length - 1;
      continue;
    }
    if (characterKind >= characterClass.point || isDecimalComma(foldedText, index)) {
      finishGrams();
      if (word !== "" && isSilentApostrophe(foldedText, index)) continue;
      finishWord();
      // A separate "&" or "+" is a conjunction.
      if (chunk.length === 0 && characterKind !== characterClass.joiner) hasBreakBefore = true;
    } else {
      finishChunk();
      if (characterKind !== characterClass.blank) hasBreakBefore = true;
    }
    separatorKinds = addToSeparatorSet(separatorKinds, characterKind);
    if (lastToken !== undefined) lastToken.separatorAfter = separatorKinds;
  }
  finishChunk();
  return result;
}

/** Fast path for most queries: splits a text of letters a to z, digits and spaces. Each word is a chunk. */
function splitPlainChunks(foldedText: string): Chunk[] {
  const result: Chunk[] = [];
  for (let position = 0; position < foldedText.length; ) {
    const start = position;
    while (position < foldedText.length && foldedText.charCodeAt(position) !== spaceCodeUnit) position += 1;
    if (position > start) {
      const text = foldedText.slice(start, Math.min(position, start + maxTermLength));
      const precedingSeparators = start > 0 ? delimiters.blank : 0;
      result.push([
        {
          text,
          isGram: false,
          separatorBefore: precedingSeparators,
          separatorAfter: position < foldedText.length ? delimiters.blank : 0,
        },
      ]);
    }
    position += 1;
  }
  return result;
}

const spaceCodeUnit = 32;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text);
}

function listGrams(characters: readonly string[], isQuery: boolean): string[] {
  const grams: string[] = [];
  for (let index = 0; index + 1 < characters.length; index += 1)
    grams.push(`${characters[index]}${characters[index + 1]}`);
  if (characters.length > 0 && (!isQuery || characters.length === 1)) grams.push(characters.at(-1) as string);
  return grams;
}

function getCharacterClass(foldedText: string, index: number): number {
  const unit = foldedText.charCodeAt(index);
  if (unit < 0xd800 || unit >= 0xe000) return characterClasses[unit] as number;
  // Most characters outside the Basic Multilingual Plane are emoji, which end a word.
  const character = String.fromCodePoint(foldedText.codePointAt(index) ?? 0);
  const isGram = character.length === 2 && character.search(unspacedLetters) === 0;
  return isGram ? characterClass.gram : characterClass.other;
}

/** Returns whether a comma is part of a number ("1,5 l", "1,000") and not a separator. */
function isDecimalComma(foldedText: string, index: number): boolean {
  return /^[0-9],[0-9]/.test(foldedText.slice(index - 1, index + 2));
}

/** Returns whether the letter after an apostrophe belongs to the word before the apostrophe (`men's`, `don't`). */
function isSilentApostrophe(foldedText: string, index: number): boolean {
  return /^['’][st](?![\p{L}\p{N}])/u.test(foldedText.slice(index, index + 3));
}

/**
 * Returns the unit of a quotation mark after a number. `27"` and `27''` are inches. `6'` is feet, and so is the first
 * mark of `6'2"` and `4'x8'`.
 * @param word text between the last separator and the mark
 */
function findQuoteMarkUnit(
  foldedText: string,
  index: number,
  word: string,
): { unit: string; length: number } | undefined {
  if (!/(?:^x?|[0-9]x)[0-9]+$/.test(word)) return undefined;
  const nextCharacters = foldedText.slice(index, index + 5);
  const inchSign = /^(?:["”]|['’]{2}|′′)(?![0-9])/.exec(nextCharacters)?.[0];
  if (inchSign !== undefined) return { unit: inchToken, length: inchSign.length };
  if (!/^['’′]/.test(nextCharacters) || isSilentApostrophe(foldedText, index)) return undefined;
  return /^.(?:x[0-9]|[0-9]{0,2}(?:[^\p{L}\p{M}\p{N}]|$))/u.test(nextCharacters)
    ? { unit: footToken, length: 1 }
    : undefined;
}

/** Words that replace the inch and foot marks after a number. */
export const inchToken = "inch";
export const footToken = "ft";

/** Returns whether a UTF-16 unit is a digit from 0 to 9. */
export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
