import { decodeText } from "../terms/term-table.ts";
import { delimiters } from "./character-classes.ts";
import { isDigit } from "./chunks.ts";
import { NumberCursor, type ParsedNumber } from "./numbers.ts";
import type { TokenStream } from "./token-stream.ts";
import {
  findUnit,
  formatNumber,
  formatQuantity,
  isTimesSign,
  letterX,
  mayBeUnit,
  mayStartUnit,
  type Unit,
} from "./units.ts";

/** One side of a dimension such as "4 ft x 8 ft", or a single number. */
export interface DimensionLength {
  readonly number: ParsedNumber;
  readonly unit: Unit | undefined;
  readonly from: number;
  readonly end: number;
}

/** Parses numbers with units, and dimensions such as "4 x 8 ft". */
export class DimensionReader {
  readonly cursor: NumberCursor;
  readonly #stream: TokenStream;
  readonly #getWordText: (token: number) => string;

  /**
   * @param readWord returns the text of a token, or "" if it is not a unit or another word that is used with numbers
   */
  constructor(text: TokenStream, readWord: (token: number) => string) {
    this.cursor = new NumberCursor(text);
    this.#stream = text;
    this.#getWordText = readWord;
  }

  /** Parses the number at the cursor and its unit. */
  parseLength(): DimensionLength {
    const cursor = this.cursor;
    const from = cursor.token;
    const number = cursor.read();
    const lastToken = cursor.token;
    const unit = number.values.length > 0 ? this.parseUnit(number) : undefined;
    return { number, unit, from, end: unit === undefined ? lastToken + 1 : cursor.token + 1 };
  }

  /** Returns the index of the token after a number.  @param from index of the number's first token */
  findNumberEnd(from: number): number {
    let token = from + 1;
    while (token < this.#stream.tokenCount && this.cursor.isContinuation(token)) token += 1;
    return token;
  }

  /**
   * Parses the unit at the cursor and moves the cursor after it. If no unit follows, returns undefined and does not
   * move the cursor.
   */
  parseUnit({ hasPunctuation: isComposed }: ParsedNumber): Unit | undefined {
    const cursor = this.cursor;
    const { units, ends, tokenCount } = this.#stream;
    if (!cursor.isAtEndOfToken) {
      const end = ends[cursor.token] as number;
      if (!mayBeUnit(units, cursor.position, end)) return undefined;
      let unitEnd = cursor.position;
      while (unitEnd < end && !isDigit(units[unitEnd] as number)) unitEnd += 1;
      // In "4ftx8ft", the first x separates the sides and is not part of the unit.
      if (unitEnd < end && units[unitEnd - 1] === letterX) unitEnd -= 1;
      else unitEnd = end;
      if (unitEnd === cursor.position || unitEnd - cursor.position > maxUnitLetters) return undefined;
      const text = decodeText(units, cursor.position, unitEnd);
      const twoWordUnit = unitEnd === end ? this.#parseTwoWordUnit(text, cursor.token) : undefined;
      const unit = twoWordUnit ?? findUnit(text);
      if (unit !== undefined) {
        if (twoWordUnit !== undefined) cursor.token += 1;
        cursor.position = twoWordUnit === undefined ? unitEnd : (ends[cursor.token] as number);
      }
      return unit;
    }
    const { separatorAfter: nextSeparators } = cursor;
    if ((nextSeparators & delimiters.percent) > 0) return findUnit("percent");
    if ((nextSeparators & delimiters.degree) > 0) return findUnit("deg");
    if (!mayPrecedeUnit(nextSeparators) || cursor.token + 1 >= tokenCount) return undefined;
    const token = cursor.token + 1;
    const text = this.#getWordText(token);
    if (text === "") return undefined;
    const twoWordUnit = this.#parseTwoWordUnit(text, token);
    // In "2 in 1", the word "in" does not mean inches.
    if (twoWordUnit === undefined && text === "in" && !isComposed && this.#isDigitOne(token + 1)) return undefined;
    const unit = twoWordUnit ?? findUnit(text);
    if (unit === undefined) return undefined;
    cursor.token = twoWordUnit === undefined ? token : token + 1;
    cursor.position = ends[cursor.token] as number;
    return unit;
  }

  /** Returns the unit of two words, such as "fl oz".  @param text first word  @param token index of the first word */
  #parseTwoWordUnit(text: string, token: number): Unit | undefined {
    if (token + 1 >= this.#stream.tokenCount || !mayPrecedeUnit(this.#stream.separatorSets[token + 1] as number))
      return undefined;
    return mayStartUnit(text) ? findUnit(`${text} ${this.#getWordText(token + 1)}`) : undefined;
  }

  #isDigitOne(token: number): boolean {
    const { units, starts, ends, tokenCount } = this.#stream;
    if (token >= tokenCount) return false;
    return (ends[token] as number) - (starts[token] as number) === 1 && units[starts[token] as number] === digitOneCode;
  }

  /**
   * Moves the cursor over the separator between two sides of a dimension, such as the x in "4 x 8". Returns whether
   * there is a separator.
   */
  skipTimesSign(): boolean {
    const cursor = this.cursor;
    const { units, starts, ends, separatorSets: separatorBits, tokenCount } = this.#stream;
    if (!cursor.isAtEndOfToken) {
      // In "4x8" and "4x 8", the x is in the same token as the 4.
      if (units[cursor.position] !== letterX) return false;
      cursor.position += 1;
      if (!cursor.isAtEndOfToken) return cursor.isAtDigit;
      if ((cursor.separatorAfter & ~delimiters.blank) !== 0 || !cursor.isBeforeNumber) return false;
      cursor.moveTo(cursor.token + 1);
      return true;
    }
    const nextToken = cursor.token + 1;
    if (nextToken >= tokenCount || !isDimensionSeparator(cursor.separatorAfter)) return false;
    cursor.moveTo(nextToken);
    if ((separatorBits[nextToken] as number) & delimiters.times) return cursor.isAtDigit;
    if (units[cursor.position] === letterX && cursor.position + 1 < (ends[nextToken] as number)) {
      cursor.position += 1;
      return cursor.isAtDigit;
    }
    if (
      nextToken + 1 >= tokenCount ||
      !isTimesSign(this.#getWordText(nextToken)) ||
      !isDimensionSeparator(separatorBits[nextToken + 1] as number)
    )
      return false;
    cursor.moveTo(nextToken + 1);
    return isDigit(units[starts[nextToken + 1] as number] as number);
  }
}

/**
 * Returns the unit of each side of a dimension. A side without a unit gets the unit of the next side that has one. A
 * side after the last unit gets that unit only if the dimension has no other unit.
 */
export function inferUnits(sizes: readonly DimensionLength[]): (Unit | undefined)[] {
  const units = sizes.map(({ unit }) => unit);
  const explicitUnits = units.filter((unit) => unit !== undefined);
  if (explicitUnits.length === 0 || explicitUnits.length === units.length) return units;
  const canShareUnit = explicitUnits.every((unit) => unit.family.sharesDimensionUnit);
  if (!canShareUnit) return units;
  const isSameUnit = new Set(explicitUnits).size === 1;
  return units.map(
    (unit, lengthIndex) =>
      unit ??
      units.slice(lengthIndex).find((otherUnit) => otherUnit !== undefined) ??
      (isSameUnit ? explicitUnits[0] : undefined),
  );
}

export function formatSize({ number }: DimensionLength, unit: Unit | undefined): string {
  const value = number.values.at(-1) as number;
  return unit === undefined ? formatNumber(value) : formatQuantity(value, unit);
}

/** Returns whether a word may be a unit after a number and the characters in `gap`, as in "8-in" and "8 in". */
export function mayPrecedeUnit(separatorKinds: number): boolean {
  const otherCharacters = separatorKinds & ~(delimiters.blank | delimiters.point | delimiters.pointLast);
  return otherCharacters === 0 || separatorKinds === delimiters.hyphen;
}

function isDimensionSeparator(separatorKinds: number): boolean {
  return (separatorKinds & ~(delimiters.blank | delimiters.point | delimiters.pointLast | delimiters.times)) === 0;
}

const digitOneCode = 0x31;
/** Maximum number of letters in the name of a unit. */
const maxUnitLetters = 12;
