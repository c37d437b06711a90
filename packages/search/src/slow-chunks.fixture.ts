import { addToSeparatorSet, characterClass, characterClasses, unspacedLetters } from "./analysis/character-classes.ts";
import { isDigit, maxTermLength } from "./analysis/chunks.ts";
import { foldText } from "./analysis/fold.ts";
import { footToken, inchToken } from "./analysis/neighbors.ts";
import type { TokenStream } from "./analysis/token-stream.ts";

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

/**
 * Splits a text into chunks, which are parts between spaces or separators, and each chunk into tokens. Chinese,
 * Japanese, Korean and Thai text is split into pairs of neighboring characters. The last character is also a token of
 * its own, so that a prefix search finds every single character.
 * @param isQuery whether the text is a query, in which the last character is only a token if there are no pairs
 */
export function splitChunks(text: string, isQuery = false): Chunk[] {
  const foldedText = foldText(text);
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

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

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
  return /^['’][st](?![\p{L}\p{M}\p{N}])/u.test(foldedText.slice(index, index + 4));
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

/** Returns tokens as a stream. */
export function createTokenStream(tokens: readonly Token[]): TokenStream {
  const starts: number[] = [];
  const tokenEnds: number[] = [];
  const units: number[] = [];
  const separatorBits: number[] = [];
  const numbers: number[] = [];
  for (const { text, separatorBefore: precedingSeparators } of tokens) {
    if (isDigit(text.charCodeAt(0))) numbers.push(starts.length);
    separatorBits.push(precedingSeparators);
    starts.push(units.length);
    for (let index = 0; index < text.length; index += 1) units.push(text.charCodeAt(index));
    tokenEnds.push(units.length);
  }
  separatorBits.push(tokens.at(-1)?.separatorAfter ?? 0);
  return {
    units,
    starts,
    ends: tokenEnds,
    separatorSets: separatorBits,
    tokenCount: tokens.length,
    numberTokens: numbers,
    numberCount: numbers.length,
  };
}
