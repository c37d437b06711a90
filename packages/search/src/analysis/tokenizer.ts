import { growArray } from "../arrays/shared-arrays.ts";
import { viewAsBytes } from "../arrays/utf16.ts";
import { addToSeparatorSet, characterClass, characterClasses } from "./character-classes.ts";
import { footToken, inchToken, isDigit, maxTermLength, splitChunks } from "./chunks.ts";
import { findEmoji } from "./emoji.ts";
import { CodeUnitFolding, contextualUnitMarker, multipleUnitsMarker } from "./folded-units.ts";

/**
 * Splits texts into chunks and tokens without creating a string for each word. The tokens of a chunk are adjacent in
 * `units`, so that the joined term `tshirt` of "t-shirt" is one range:
 *
 *     units       . . . . t s h i r t . s n o w       two chunks: 2 tokens, 1 token
 *     starts      4 5 11
 *     ends        5 10 15
 *     chunkStartTokens  0 2 3
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

  /** Parses a text and replaces the tokens of the previous text. */
  read(text: string): void {
    this.tokenCount = 0;
    this.chunkCount = 0;
    this.numberCount = 0;
    this.emoji = emptyEmoji;
    const end = this.#foldText(text);
    if (end < 0) this.#tokenizeText(text);
    else this.#tokenizeUnits(end);
  }

  /**
   * Folds a text and writes it to `units`.
   * @returns end of the text in `units`, or -1 if the text cannot be folded unit by unit
   */
  #foldText(text: string): number {
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
    // The tokenizer reads a few units after the end, which must not be those of a previous, longer text.
    for (let index = end; index < end + lookaheadUnits; index += 1) units[index] = 0;
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

  #tokenizeUnits(end: number): void {
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
      const characterKind = position === end ? blank : (characterClasses[unit] as number);
      if (characterKind >= letter) {
        if (outputEnd - tokenStart === maxTermLength) continue;
        if (characterKind === digit) hasDigit = true;
        units[outputEnd] = unit;
        outputEnd += 1;
        continue;
      }
      const isSilentMark = characterKind === apostrophe && isSilentApostrophe(units, position);
      const symbolLength =
        outputEnd > tokenStart && !isSilentMark && isUnitSymbol(characterKind)
          ? readInchMarkLength(units, tokenStart, outputEnd, position)
          : 0;
      const joinsTokens =
        symbolLength === 0 && (characterKind >= point || (characterKind === comma && isDecimalComma(units, position)));
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
      if (symbolLength > 0) {
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

  #tokenizeText(text: string): void {
    let end = textStart;
    this.separatorSets[0] = 0;
    this.emoji = findEmoji(text);
    for (const chunk of splitChunks(text)) {
      let chunkFlagBits = chunk[0]?.isAfterBreak === true ? afterSeparatorFlag : 0;
      for (const token of chunk) {
        const start = end;
        this.#ensureCapacity(start + token.text.length);
        end = this.#write(token.text, start);
        this.#addToken(start, end, token.separatorBefore);
        this.separatorSets[this.tokenCount] = token.separatorAfter;
        chunkFlagBits |= (token.isGram ? gramFlag : 0) | (/\p{N}/u.test(token.text) ? digitFlag : 0);
      }
      this.#finishChunk(chunkFlagBits);
    }
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

const { blank, comma, inchMark, prime, point, apostrophe, joiner, letter, digit } = characterClass;

/** Words that replace inch and foot marks. They are stored before the text, because they are longer than the marks. */
const inchAndFootWords = `${inchToken}${footToken}`;
const textStart = inchAndFootWords.length;
/** Maximum number of UTF-16 units that the tokenizer reads after the end of a text. */
const lookaheadUnits = 4;

// These functions test UTF-16 units. The functions of `chunks.ts` make the same tests on strings.

function isDecimalComma(units: Uint16Array, position: number): boolean {
  return isDigit(units[position - 1] as number) && isDigit(units[position + 1] as number);
}

function isSilentApostrophe(units: Uint16Array, position: number): boolean {
  const nextUnit = units[position + 1] as number;
  return (nextUnit === 0x73 || nextUnit === 0x74) && !isLetterOrNumber(units[position + 2] as number);
}

function isUnitSymbol(characterKind: number): boolean {
  return characterKind === apostrophe || characterKind === inchMark || characterKind === prime;
}

/**
 * Returns the length of an inch or foot mark at `position`, or 0 if there is none. `"` and `''` mean inches, and `'`
 * means feet.
 * @param start start of the token before the mark
 * @param end end of that token (exclusive)
 */
function readInchMarkLength(units: Uint16Array, start: number, end: number, position: number): number {
  if (!endsInNumber(units, start, end)) return 0;
  const characterKind = characterClasses[units[position] as number] as number;
  const nextUnit = units[position + 1] as number;
  if (characterKind === inchMark) return isDigit(nextUnit) ? 0 : 1;
  if (characterClasses[nextUnit] === characterKind && !isDigit(units[position + 2] as number)) return 2;
  if (nextUnit === 0x78 && isDigit(units[position + 2] as number)) return 1;
  let digitsEnd = position + 1;
  while (digitsEnd < position + 3 && isDigit(units[digitsEnd] as number)) digitsEnd += 1;
  return isLetterOrNumber(units[digitsEnd] as number) ? 0 : 1;
}

function endsInNumber(units: Uint16Array, start: number, end: number): boolean {
  let digitsStart = end;
  while (digitsStart > start && isDigit(units[digitsStart - 1] as number)) digitsStart -= 1;
  if (digitsStart === end) return false;
  if (digitsStart === start) return true;
  if (units[digitsStart - 1] !== 0x78) return false;
  return digitsStart - 1 === start || isDigit(units[digitsStart - 2] as number);
}

function isLetterOrNumber(unit: number): boolean {
  return (characterClasses[unit] as number) >= letter;
}
