import { gapBits } from "./character-classes.ts";
import { isDigit } from "./chunks.ts";
import { NumberCursor, type WrittenNumber } from "./numbers.ts";
import type { TokenStream } from "./token-stream.ts";
import { isTimesWord, letterX, mayBeginUnit, mayBeMeasure, type Unit, unitOf } from "./units.ts";

/** A side of a dimension, or any number. */
export interface Side {
  readonly number: WrittenNumber;
  readonly unit: Unit | undefined;
  readonly from: number;
  readonly to: number;
}

/** Parses numbers with units, and the separators between the sides of a dimension. */
export class DimensionReader {
  readonly cursor: NumberCursor;
  readonly #text: TokenStream;
  readonly #wordAt: (token: number) => string;

  /** See `QuantityReader`. */
  constructor(text: TokenStream, wordAt: (token: number) => string) {
    this.cursor = new NumberCursor(text);
    this.#text = text;
    this.#wordAt = wordAt;
  }

  /** Reads the number at the cursor, and its unit. */
  side(): Side {
    const cursor = this.cursor;
    const from = cursor.token;
    const number = cursor.read();
    const last = cursor.token;
    const unit = number.values.length > 0 ? this.unit(number) : undefined;
    return { number, unit, from, to: unit === undefined ? last + 1 : cursor.token + 1 };
  }

  /** Parses the unit at the cursor and moves behind it; returns undefined and does not move if no unit follows. */
  unit({ isComposed }: WrittenNumber): Unit | undefined {
    const cursor = this.cursor;
    const { units, ends, tokens } = this.#text;
    if (!cursor.isAtEndOfToken) {
      const end = ends[cursor.token] as number;
      if (!mayBeMeasure(units, cursor.at, end)) return undefined;
      let to = cursor.at;
      while (to < end && !isDigit(units[to] as number)) to += 1;
      // "4ftx8ft" is one token: its x is not part of the unit.
      if (to < end && units[to - 1] === letterX) to -= 1;
      else to = end;
      if (to === cursor.at || to - cursor.at > longestUnit) return undefined;
      const text = textBetween(units, cursor.at, to);
      const pair = to === end ? this.#pair(text, cursor.token) : undefined;
      const unit = pair ?? unitOf(text);
      if (unit !== undefined) {
        if (pair !== undefined) cursor.token += 1;
        cursor.at = pair === undefined ? to : (ends[cursor.token] as number);
      }
      return unit;
    }
    const { gap } = cursor;
    if ((gap & gapBits.percent) > 0) return unitOf("percent");
    if ((gap & gapBits.degree) > 0) return unitOf("deg");
    if (!isUnitGap(gap) || cursor.token + 1 >= tokens) return undefined;
    const token = cursor.token + 1;
    const text = this.#wordAt(token);
    if (text === "") return undefined;
    const pair = this.#pair(text, token);
    // "2 in 1" is no length.
    if (pair === undefined && text === "in" && !isComposed && this.#isOne(token + 1)) return undefined;
    const unit = pair ?? unitOf(text);
    if (unit === undefined) return undefined;
    cursor.token = pair === undefined ? token : token + 1;
    cursor.at = ends[cursor.token] as number;
    return unit;
  }

  /** Unit of a word together with the word after its token: "fl oz". */
  #pair(text: string, token: number): Unit | undefined {
    if (token + 1 >= this.#text.tokens || !isUnitGap(this.#text.gaps[token + 1] as number)) return undefined;
    return mayBeginUnit(text) ? unitOf(`${text} ${this.#wordAt(token + 1)}`) : undefined;
  }

  #isOne(token: number): boolean {
    const { units, starts, ends, tokens } = this.#text;
    if (token >= tokens) return false;
    return (ends[token] as number) - (starts[token] as number) === 1 && units[starts[token] as number] === digitOne;
  }

  /** Moves over the separator between two sides of a dimension, to the digit after it. */
  times(): boolean {
    const cursor = this.cursor;
    const { units, starts, ends, gaps, tokens } = this.#text;
    if (!cursor.isAtEndOfToken) {
      // "4x8", or the "4x" of "4x 8".
      if (units[cursor.at] !== letterX) return false;
      cursor.at += 1;
      if (!cursor.isAtEndOfToken) return cursor.isAtDigit;
      if ((cursor.gap & ~gapBits.blank) !== 0 || !cursor.isBeforeNumber) return false;
      cursor.moveTo(cursor.token + 1);
      return true;
    }
    const next = cursor.token + 1;
    if (next >= tokens || !isSideGap(cursor.gap)) return false;
    cursor.moveTo(next);
    if ((gaps[next] as number) & gapBits.times) return cursor.isAtDigit;
    if (units[cursor.at] === letterX && cursor.at + 1 < (ends[next] as number)) {
      cursor.at += 1;
      return cursor.isAtDigit;
    }
    if (next + 1 >= tokens || !isTimesWord(this.#wordAt(next)) || !isSideGap(gaps[next + 1] as number)) return false;
    cursor.moveTo(next + 1);
    return isDigit(units[starts[next + 1] as number] as number);
  }
}

function textBetween(units: ArrayLike<number>, from: number, to: number): string {
  let text = "";
  for (let index = from; index < to; index += 1) text += String.fromCharCode(units[index] as number);
  return text;
}

/** Returns whether the characters between a number and a word allow the word as unit: "8-in", "8 in", or none. */
export function isUnitGap(gap: number): boolean {
  const otherCharacters = gap & ~(gapBits.blank | gapBits.point | gapBits.pointLast);
  return otherCharacters === 0 || gap === gapBits.hyphen;
}

function isSideGap(gap: number): boolean {
  return (gap & ~(gapBits.blank | gapBits.point | gapBits.pointLast | gapBits.times)) === 0;
}

const digitOne = 0x31;
/** Letters of the longest unit. */
const longestUnit = 12;
