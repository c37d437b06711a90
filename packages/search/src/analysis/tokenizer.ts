import { growArray } from "../arrays/shared-arrays.ts";
import { viewAsBytes } from "../arrays/utf16.ts";
import { decodeText } from "../terms/term-table.ts";
import { addToSeparatorSet, characterClass, characterClasses } from "./character-classes.ts";
import { isDigit, maxTermLength } from "./chunks.ts";
import { findEmoji } from "./emoji.ts";
import { foldText } from "./fold.ts";
import { CodeUnitFolding, contextualUnitMarker, multipleUnitsMarker } from "./folded-units.ts";
import {
  findGramsEnd,
  footToken,
  getGramLength,
  inchToken,
  isDecimalComma,
  isSilentApostrophe,
  readInchMarkLength,
} from "./neighbors.ts";

/** A word, or a gram of a script without spaces. The text is in lower case without accents. */
export interface Token {
  readonly text: string;
  readonly isGram: boolean;
  /** Number of the token's chunk. */
  readonly chunk: number;
}

/**
 * Splits texts into chunks, which are parts between spaces or separators, and each chunk into tokens, without creating a
 * string for each word. The tokens of a chunk are adjacent in `units`, so that the joined term `tshirt` of "t-shirt" is
 * one range:
 *
 *     units       . . . . t s h i r t . s n o w       two chunks: 2 tokens, 1 token
 *     starts      4 5 11
 *     ends        5 10 15
 *     chunkStartTokens  0 2 3
 *
 * Chinese, Japanese, Korean and Thai text is split into grams, which are pairs of neighboring characters, so the ranges
 * of these tokens overlap. The last character is also a token of its own, so that a prefix search finds every single
 * character.
 */
export class Tokenizer {
  units = new Uint16Array(1 << 10);
  /** Start of each token in `units`. */
  starts = new Uint32Array(1 << 8);
  ends = new Uint32Array(1 << 8);
  /**
   * Bits for the kinds of characters before each token (see `delimiters`). The last entry describes the characters after
   * the last token.
   */
  separatorSets = new Uint16Array(1 << 8);
  /** Index of the first token of each chunk. The additional last entry is the number of tokens. */
  chunkStartTokens = new Uint32Array(1 << 8);
  chunkFlags = new Uint8Array(1 << 8);
  /** Indices of the tokens that begin with a digit. */
  numberTokens = new Uint32Array(1 << 8);
  tokenCount = 0;
  chunkCount = 0;
  numberCount = 0;
  /** Emoji of the text. They are not tokens, so the words before and after an emoji count as neighbors. */
  emoji: readonly string[] = emptyEmoji;
  readonly #unitFolding = new CodeUnitFolding();
  #unfoldedUnits = new Uint16Array(1 << 10);
  #bytes = viewAsBytes(this.#unfoldedUnits);

  constructor() {
    this.#write(inchAndFootWords, 0);
  }

  /**
   * Parses a text and replaces the tokens of the previous text.
   * @param isQuery whether the text is a query, in which the last character of several is no token of its own
   */
  read(text: string, isQuery = false): void {
    this.tokenCount = 0;
    this.chunkCount = 0;
    this.numberCount = 0;
    this.emoji = emptyEmoji;
    let end = this.#foldUnits(text);
    if (end < 0) {
      this.emoji = findEmoji(text);
      const foldedText = foldText(text);
      this.#ensureCapacity(textStart + foldedText.length);
      end = this.#write(foldedText, textStart);
    }
    // The tokenizer reads a few units after the end, which must not be those of a previous, longer text.
    this.units.fill(0, end, end + lookaheadUnits);
    this.#tokenize(end, isQuery);
  }

  /** Parses a text and returns its tokens (see `read`). */
  listTokens(text: string, isQuery = false): Token[] {
    this.read(text, isQuery);
    const tokens: Token[] = [];
    for (let chunk = 0; chunk < this.chunkCount; chunk += 1) {
      const isGram = ((this.chunkFlags[chunk] as number) & gramFlag) > 0;
      const end = this.chunkStartTokens[chunk + 1] as number;
      for (let token = this.chunkStartTokens[chunk] as number; token < end; token += 1)
        tokens.push({
          text: decodeText(this.units, this.starts[token] as number, this.ends[token] as number),
          isGram,
          chunk,
        });
    }
    return tokens;
  }

  /**
   * Folds a text unit by unit and writes it to `units`.
   * @returns end of the text in `units`, or -1 if the text cannot be folded unit by unit
   */
  #foldUnits(text: string): number {
    const { length } = text;
    this.#ensureCapacity(textStart + length);
    this.#copy(text);
    const rawCodeUnits = this.#unfoldedUnits;
    const table = this.#unitFolding.foldedUnits;
    let units = this.units;
    let end = textStart;
    for (let index = 0; index < length; index += 1) {
      const unit = rawCodeUnits[index] as number;
      const foldedUnit = table[unit] as number;
      if (foldedUnit > multipleUnitsMarker) {
        units[end] = foldedUnit;
        end += 1;
      } else if (foldedUnit === contextualUnitMarker) return -1;
      else {
        const foldedText = this.#unitFolding.getFoldedText(unit);
        if (foldedText === undefined) return -1;
        this.#ensureCapacity(end + foldedText.length + length - index);
        units = this.units;
        end = this.#write(foldedText, end);
      }
    }
    return end;
  }

  #copy(text: string): void {
    const { length } = text;
    if (length > this.#unfoldedUnits.length) {
      this.#unfoldedUnits = new Uint16Array(length * 2);
      this.#bytes = viewAsBytes(this.#unfoldedUnits);
    }
    // `Buffer.write` is faster for long texts, and a loop is faster for short texts.
    const bytes = length > shortTextLength ? this.#bytes : undefined;
    if (bytes !== undefined) bytes.write(text, 0, "utf16le");
    else for (let index = 0; index < length; index += 1) this.#unfoldedUnits[index] = text.charCodeAt(index);
  }

  #tokenize(end: number, isQuery: boolean): void {
    const { units } = this;
    let isAfterSeparator = false;
    let hasDigit = false;
    let separatorKinds = 0;
    let chunkStart = textStart;
    // Removes the characters between joined tokens in place. The write position is never after the read position.
    let outputEnd = chunkStart;
    let tokenStart = chunkStart;
    for (let position = chunkStart; position <= end; position += 1) {
      const unit = units[position] as number;
      let characterKind = position === end ? blank : (characterClasses[unit] as number);
      if (characterKind >= letter) {
        if (outputEnd - tokenStart === maxTermLength) continue;
        if (characterKind === digit) hasDigit = true;
        units[outputEnd] = unit;
        outputEnd += 1;
        continue;
      }
      const gramsEnd = characterKind === gram ? findGramsEnd(units, position, end) : position;
      if (characterKind === gram && gramsEnd === position) characterKind = other;
      const isSilentMark = characterKind === apostrophe && isSilentApostrophe(units, position);
      const symbolLength =
        outputEnd > tokenStart && !isSilentMark ? readInchMarkLength(units, tokenStart, outputEnd, position) : 0;
      const joinsTokens =
        symbolLength === 0 &&
        ((characterKind >= point && characterKind < gram) ||
          (characterKind === comma && isDecimalComma(units, position)));
      if (outputEnd > tokenStart && !(joinsTokens && isSilentMark)) {
        this.#addToken(tokenStart, outputEnd, separatorKinds);
        separatorKinds = 0;
        tokenStart = outputEnd;
      } else if (outputEnd > tokenStart) continue;
      if (joinsTokens) {
        if (outputEnd === chunkStart && characterKind !== joiner) isAfterSeparator = true;
        separatorKinds = addToSeparatorSet(separatorKinds, characterKind);
        continue;
      }
      if (outputEnd > chunkStart) {
        this.#finishChunk((hasDigit ? digitFlag : 0) | (isAfterSeparator ? afterSeparatorFlag : 0));
        isAfterSeparator = false;
        hasDigit = false;
      }
      if (gramsEnd > position) {
        this.#addGrams(position, gramsEnd, separatorKinds, isQuery);
        separatorKinds = 0;
        isAfterSeparator = false;
        position = gramsEnd - 1;
      } else if (symbolLength > 0) {
        const isInchSymbol = symbolLength > 1 || characterKind === inchMark;
        this.#addToken(
          isInchSymbol ? 0 : inchToken.length,
          isInchSymbol ? inchToken.length : inchAndFootWords.length,
          0,
        );
        this.#finishChunk(0);
        position += symbolLength - 1;
      } else {
        if (characterKind !== blank) isAfterSeparator = true;
        if (position < end) separatorKinds = addToSeparatorSet(separatorKinds, characterKind);
      }
      chunkStart = position + 1;
      outputEnd = chunkStart;
      tokenStart = chunkStart;
    }
    this.separatorSets[this.tokenCount] = separatorKinds;
  }

  /** Adds the pairs of neighbors of a run of characters without spaces as a chunk. */
  #addGrams(from: number, end: number, separatorKinds: number, isQuery: boolean): void {
    const { units } = this;
    let start = from;
    let next = start + getGramLength(units, start, end);
    for (; next < end; next += getGramLength(units, next, end)) {
      this.#addToken(start, next + getGramLength(units, next, end), start === from ? separatorKinds : 0);
      start = next;
    }
    if (!isQuery || start === from) this.#addToken(start, end, start === from ? separatorKinds : 0);
    this.#finishChunk(gramFlag);
  }

  #addToken(start: number, end: number, separatorKinds: number): void {
    if (this.tokenCount + 1 === this.ends.length) {
      this.starts = growArray(this.starts);
      this.ends = growArray(this.ends);
      this.separatorSets = growArray(this.separatorSets);
      this.numberTokens = growArray(this.numberTokens);
    }
    this.starts[this.tokenCount] = start;
    this.ends[this.tokenCount] = end;
    this.separatorSets[this.tokenCount] = separatorKinds;
    if (isDigit(this.units[start] as number)) {
      this.numberTokens[this.numberCount] = this.tokenCount;
      this.numberCount += 1;
    }
    this.tokenCount += 1;
  }

  #finishChunk(chunkFlagBits: number): void {
    if (this.chunkCount + 1 === this.chunkStartTokens.length) {
      this.chunkStartTokens = growArray(this.chunkStartTokens);
      this.chunkFlags = growArray(this.chunkFlags);
    }
    this.chunkFlags[this.chunkCount] = chunkFlagBits;
    this.chunkCount += 1;
    this.chunkStartTokens[this.chunkCount] = this.tokenCount;
  }

  /** Writes a text to `units`.  @returns end of the text in `units` */
  #write(text: string, position: number): number {
    for (let index = 0; index < text.length; index += 1) this.units[position + index] = text.charCodeAt(index);
    return position + text.length;
  }

  #ensureCapacity(end: number): void {
    while (end + lookaheadUnits > this.units.length) this.units = growArray(this.units);
  }
}

const shortTextLength = 16;
const emptyEmoji: readonly string[] = Object.freeze([]);

/** Chunk flag: the tokens are pairs of characters of a script without spaces. They are not joined to one term. */
export const gramFlag = 1;
export const digitFlag = 2;
/** Chunk flag: a comma, bracket, dash or similar separator precedes the chunk. */
export const afterSeparatorFlag = 4;

const { blank, other, comma, inchMark, point, apostrophe, joiner, gram, letter, digit } = characterClass;

/** Words that replace inch and foot marks. They are stored before the text, because they are longer than the marks. */
const inchAndFootWords = `${inchToken}${footToken}`;
const textStart = inchAndFootWords.length;
/** Maximum number of UTF-16 units that the tokenizer reads after the end of a text. */
const lookaheadUnits = 4;
