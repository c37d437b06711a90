import { buildCharacterTable } from "../analysis/character-table.ts";
import { isDigit } from "../analysis/chunks.ts";
import { emojiPattern, isEmoji } from "../analysis/emoji.ts";
import { toLowerCase } from "../analysis/fold.ts";
import type { TokenStream } from "../analysis/token-stream.ts";
import { decodeText } from "../terms/term-table.ts";

/** Splits texts into words in display form: lower case, without `<>"`, and without punctuation at both ends. */
export interface TitleWords {
  /** Number of words in the last split text. */
  readonly count: number;
  readonly units: Uint16Array;
  /** Index of each word's first UTF-16 unit in `units`. */
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  /** Flag of each word: 1 if a comma, bracket, dash or similar precedes it. */
  readonly boundaryFlags: Uint8Array;
  /** Splits a text, replacing the words of the previous one. */
  split(text: string): void;
  /** Returns the words of the split text with "&" and "+" between them, or undefined if it contains neither. */
  spellWithJoiners(): string | undefined;
  /** Returns the index of the first token from `from` to `end` (exclusive) that has the same text as a word, or -1. */
  findToken(word: number, tokens: TokenStream, from: number, end: number): number;
}

/** Maximum number of words in a text. Further words are ignored. */
const maxWords = 24;
const maxTitleUnits = 400;

export function createTitleSplitter(): TitleWords {
  const units = new Uint16Array(maxTitleUnits);
  const starts = new Uint16Array(maxWords);
  const wordEnds = new Uint16Array(maxWords);
  const boundaryFlags = new Uint8Array(maxWords);
  let count = 0;
  let isAfterBreak = true;
  const addWord = (start: number, end: number): void => {
    let trimmedStart = start;
    let trimmedEnd = end;
    while (trimmedStart < trimmedEnd && getCharacterKind(units, trimmedStart) !== letter) trimmedStart += 1;
    while (trimmedStart < trimmedEnd && getCharacterKind(units, trimmedEnd - 1) < accentKind) trimmedEnd -= 1;
    if (trimmedStart === trimmedEnd) {
      isAfterBreak = true;
      return;
    }
    starts[count] = trimmedStart;
    wordEnds[count] = trimmedEnd;
    boundaryFlags[count] = isAfterBreak ? 1 : 0;
    count += 1;
    isAfterBreak = false;
  };
  /** Returns whether the character is between two digits, as in "1,5 l" and "5/8". */
  const isInsideNumber = (index: number): boolean =>
    index > 0 && isDigit(units[index - 1] as number) && isDigit(units[index + 1] as number);
  return {
    get count() {
      return count;
    },
    units,
    starts,
    ends: wordEnds,
    boundaryFlags,
    split(text) {
      count = 0;
      isAfterBreak = true;
      const length = copyCodeUnits(text, units);
      let start = -1;
      for (let index = 0; index <= length && count < maxWords; index += 1) {
        const characterKind = index === length ? blankKind : getCharacterKind(units, index);
        if (characterKind > separatorKind || (characterKind === separatorKind && isInsideNumber(index))) {
          if (start < 0) start = index;
          continue;
        }
        if (start >= 0) addWord(start, index);
        start = -1;
        if (characterKind === separatorKind) isAfterBreak = true;
      }
    },
    spellWithJoiners() {
      let spelledText = "";
      let hasJoiner = false;
      for (let word = 0; word < count; word += 1) {
        const start = starts[word] as number;
        const separator = word === 0 ? "" : decodeText(units, wordEnds[word - 1] as number, start).trim();
        const isJoiner = separator === "&" || separator === "+";
        hasJoiner ||= isJoiner;
        if (word > 0) spelledText += isJoiner ? ` ${separator} ` : " ";
        spelledText += decodeText(units, start, wordEnds[word] as number);
      }
      return hasJoiner ? spelledText : undefined;
    },
    findToken(word, tokens, from, end) {
      const start = starts[word] as number;
      const length = (wordEnds[word] as number) - start;
      for (let token = from; token < end && token < tokens.tokenCount; token += 1) {
        const tokenStart = tokens.starts[token] as number;
        if ((tokens.ends[token] as number) - tokenStart !== length) continue;
        let commonUnitCount = 0;
        while (
          commonUnitCount < length &&
          tokens.units[tokenStart + commonUnitCount] === units[start + commonUnitCount]
        )
          commonUnitCount += 1;
        if (commonUnitCount === length) return token;
      }
      return -1;
    },
  };
}

/** Writes a text to units in lower case and composed form.  @returns number of units */
function copyCodeUnits(text: string, units: Uint16Array): number {
  let length = Math.min(text.length, maxTitleUnits);
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return copyFoldedUnits(text, units);
    units[index] = unit > 0x40 && unit < 0x5b ? unit + 32 : unit;
  }
  // A text that is too long ends at a space, so that its last word is not truncated.
  if (length < text.length) while (length > 0 && units[length - 1] !== 0x20) length -= 1;
  return length;
}

function copyFoldedUnits(text: string, units: Uint16Array): number {
  const lowercaseText = toLowerCase(text.slice(0, maxTitleUnits).toWellFormed().normalize("NFC"));
  const length = Math.min(lowercaseText.length, maxTitleUnits);
  for (let index = 0; index < length; index += 1) units[index] = lowercaseText.charCodeAt(index);
  return length;
}

const blankKind = 1;
const separatorKind = 2;
/** Kind of characters that stay inside a word (`t-shirt`) but are removed at its start and end. */
const punctuationKind = 3;
const accentKind = 4;
const letter = 5;
/** Kind of each UTF-16 unit. */
const characterKinds = buildCharacterTable(
  [
    [/[,;:()[\]{}|/!?•·]/g, separatorKind],
    [/[、。〈-】〔-〛！（），／：；？［］｛｜｝]/g, separatorKind],
    [/[<>"]|\ufe0e|\ufe0f/g, blankKind],
    [emojiPattern, blankKind],
    [/[\p{L}\p{N}]+/gu, letter],
    [/\p{M}+/gu, accentKind],
    [/[\s\p{C}]+/gu, blankKind],
  ],
  punctuationKind,
);

function getCharacterKind(units: Uint16Array, index: number): number {
  const unit = units[index] as number;
  return unit >= 0xd800 && unit < 0xe000 ? classifySurrogate(units, index) : (characterKinds[unit] as number);
}

function classifySurrogate(units: Uint16Array, index: number): number {
  const highSurrogate = (units[index] as number) < 0xdc00 ? index : index - 1;
  return classifyCharacter(String.fromCharCode(units[highSurrogate] ?? 0x20, units[highSurrogate + 1] ?? 0x20));
}

function classifyCharacter(character: string): number {
  if (isEmoji(character)) return blankKind;
  if (/^[\p{L}\p{N}]/u.test(character)) return letter;
  if (/^\p{M}/u.test(character)) return accentKind;
  return /^[\s\p{C}]/u.test(character) ? blankKind : punctuationKind;
}
