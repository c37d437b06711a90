import { delimiters } from "./character-classes.ts";
import { isDigit } from "./chunks.ts";
import { type DimensionLength, DimensionReader, formatSize, inferUnits, mayPrecedeUnit } from "./dimensions.ts";
import type { NumberCursor } from "./numbers.ts";
import type { TokenStream } from "./token-stream.ts";
import {
  findUnit,
  formatNumber,
  formatQuantity,
  isNumberWord,
  isPackSizePhrase,
  isSizeWord,
  letterX,
  mayBeUnit,
  type Unit,
} from "./units.ts";

/** A term for a quantity, independent of its notation. Its tokens are those from `from` to `to` (exclusive). */
export interface Quantity {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Parses the quantities of a text. Each term on the left represents all notations next to it:
 *
 *     0.625          5/8, ⅝, .625, 0,625              a number with a separator
 *     1500ml         1.5 l, 150 cl, 1500 ML           a number with a unit
 *     4x8            4x8, 4 × 8, 4 by 8               a dimension without units
 *     4x8*           4 ft. x 8 ft., 4x8'              a dimension with units, for queries without units
 *     4ftx8ft        4 ft. x 8 ft., 48 x 96 in        a dimension with units
 *     6pc            6-pack, pack of 6, 6 pcs         a count
 *     #8             #8, No. 8                        an ordinal
 *     @8, @8*        size 8, Gr. 8; Gr. 8/9, Gr. 7-9  a size; one of several sizes
 */
export class QuantityReader {
  /** Quantities of the last parsed text, in ascending order of `from`. */
  quantities: Quantity[] = [];
  #isSorted = true;
  readonly #stream: TokenStream;
  readonly #getWord: (token: number) => string;
  readonly #dimensions: DimensionReader;
  readonly #cursor: NumberCursor;
  readonly #isForQuery: boolean;

  /**
   * @param text stream of the tokens to parse; its contents may change between two calls of `read`
   * @param readWord returns the text of a token, or "" if it is not a unit or another word that is used with numbers
   * @param isQueryText whether the text is a query; dimensions have other terms in queries than in documents
   */
  constructor(text: TokenStream, readWord: (token: number) => string, isQueryText: boolean) {
    this.#stream = text;
    this.#getWord = readWord;
    this.#dimensions = new DimensionReader(text, readWord);
    this.#cursor = this.#dimensions.cursor;
    this.#isForQuery = isQueryText;
  }

  isContinuation(token: number): boolean {
    return this.#cursor.isContinuation(token);
  }

  /** Parses the tokens of the stream and replaces `quantities`. */
  read(): void {
    this.#reset();
    const { numberTokens, numberCount } = this.#stream;
    let nextToken = 0;
    for (let index = 0; index < numberCount; index += 1) {
      const token = numberTokens[index] as number;
      if (token >= nextToken && !this.#isPlainNumber(token)) nextToken = this.#parseQuantity(token);
    }
    if (!this.#isSorted) this.quantities.sort((a, b) => a.from - b.from);
  }

  /** Finds the tokens that continue a number, such as the "5" of "1.5", without parsing quantities. */
  readNumbers(): void {
    this.#reset();
    const cursor = this.#cursor;
    const { numberTokens, numberCount } = this.#stream;
    for (let index = 0; index + 1 < numberCount; index += 1) {
      const token = numberTokens[index] as number;
      if (token <= cursor.token || numberTokens[index + 1] !== token + 1) continue;
      cursor.moveTo(token);
      const [value] = cursor.read().values;
      if (value !== undefined) cursor.parseRangeEnd(value);
    }
  }

  #reset(): void {
    if (this.quantities.length > 0) this.quantities = [];
    this.#isSorted = true;
    this.#cursor.reset();
  }

  /** Fast check: returns true if nothing next to a number, such as "ml" or "#", can make it a quantity. */
  #isPlainNumber(token: number): boolean {
    const { units, starts, ends, separatorSets: separatorBits, tokenCount } = this.#stream;
    if (((separatorBits[token] as number) & signsBeforeNumber) > 0) return false;
    if (token > 0 && this.#getWord(token - 1) !== "") return false;
    const end = ends[token] as number;
    let position = (starts[token] as number) + 1;
    while (position < end && isDigit(units[position] as number)) position += 1;
    if (position < end) return !mayBeUnit(units, position, end);
    if (((separatorBits[token + 1] as number) & signsAfterNumber) > 0) return false;
    if (token + 1 === tokenCount) return true;
    const nextUnit = units[starts[token + 1] as number] as number;
    return !isDigit(nextUnit) && nextUnit !== letterX && this.#getWord(token + 1) === "";
  }

  /** Parses the quantity that begins at a token.  @returns index of the token after the quantity */
  #parseQuantity(firstToken: number): number {
    const cursor = this.#cursor;
    cursor.moveTo(firstToken);
    const size = this.#dimensions.parseLength();
    const [value] = size.number.values;
    if (value === undefined) return size.end;
    if (!size.number.hasPunctuation && this.#addLabeledNumber(value, size)) return firstToken + 1;
    const lengths = [size];
    let nextLength = this.#readNextLength();
    while (nextLength !== undefined) {
      lengths.push(nextLength);
      nextLength = lengths.length < maxDimensionValues ? this.#readNextLength() : undefined;
    }
    if (lengths.length > 1) return this.#addDimension(lengths);
    return size.unit === undefined ? this.#addPlainNumber(size, value) : this.#addMeasurement(size, size.unit);
  }

  /** Parses the next side of a dimension. If no side follows, returns undefined and does not move the cursor. */
  #readNextLength(): DimensionLength | undefined {
    const cursor = this.#cursor;
    const { token, position } = cursor;
    const nextLength = this.#dimensions.skipTimesSign() ? this.#dimensions.parseLength() : undefined;
    if (nextLength !== undefined && nextLength.number.values.length > 0) return nextLength;
    cursor.token = token;
    cursor.position = position;
    return undefined;
  }

  /** Adds "#8", "No. 8" or "pack of 6" as a quantity.  @returns whether it was added and no unit follows the number */
  #addLabeledNumber(value: number, { from, end, unit }: DimensionLength): boolean {
    const separators = this.#stream.separatorSets[from] as number;
    const precedingWord = from > 0 && mayPrecedeUnit(separators & ~delimiters.degree) ? this.#getWord(from - 1) : "";
    if (precedingWord === "" && (separators & delimiters.hash) === 0) return false;
    const isNumbered = isNumberWord(precedingWord) && (precedingWord !== "n" || (separators & delimiters.degree) > 0);
    if (isNumbered || (separators & delimiters.hash) > 0) {
      this.#add(`#${value}`, isNumbered ? from - 1 : from, from + 1);
      return unit === undefined;
    }
    if (this.#isForQuery && unit === undefined && findUnit(precedingWord)?.symbol === "pc")
      this.#add(formatQuantity(value, pieceUnit), from - 1, from + 1);
    if (precedingWord === "" || from < 2 || end > from + 1 || !isPackSizePhrase(this.#getWord(from - 2), precedingWord))
      return false;
    this.#add(formatQuantity(value, pieceUnit), from - 2, from + 1);
    return unit === undefined;
  }

  /**
   * Adds a number without a unit, or a range such as "10-12 mm" with a unit after its upper end.
   * @returns index of the token after the quantity
   */
  #addPlainNumber(size: DimensionLength, value: number): number {
    const isSize = this.#isAfterSizeWord(size.from);
    this.#addNumber(size);
    const end = size.number.values.length === 1 ? this.#cursor.parseRangeEnd(value) : undefined;
    if (end === undefined) return isSize ? this.#addSizes(size, value) : size.end;
    const range = (end.values[0] as number) - value;
    const step = this.#isForQuery || range > maxSizeRange ? range : 1;
    for (let next = 0; isSize && next <= range; next += step)
      this.#addSize(size.from, this.#cursor.token + 1, value + next, true);
    const token = this.#cursor.token;
    const unit = this.#dimensions.parseUnit(end);
    const to = unit === undefined ? token + 1 : this.#cursor.token + 1;
    this.#addNumber({ number: end, unit, from: size.end, end: token + 1 });
    if (unit === undefined) return to;
    // In a query, each end stands for its own words only, so that "5-10 kg" does not match "10-12 kg".
    this.#add(formatQuantity(value, unit), size.from, this.#isForQuery ? size.end : to);
    for (const last of end.values) this.#add(formatQuantity(last, unit), this.#isForQuery ? size.end : size.from, to);
    return to;
  }

  /** Returns whether a word such as "size" precedes a number. In "500 gr 4", it is the unit of another number. */
  #isAfterSizeWord(token: number): boolean {
    const separators = this.#stream.separatorSets[token] as number;
    const isLabel = token > 0 && mayPrecedeUnit(separators) && (this.quantities.at(-1)?.to ?? 0) < token;
    return isLabel && isSizeWord(this.#getWord(token - 1), (separators & delimiters.point) > 0);
  }

  #addSize(from: number, to: number, value: number, isShared: boolean): void {
    for (const mark of this.#isForQuery ? ["", "*"] : [isShared ? "*" : ""])
      this.#add(`@${formatNumber(value)}${mark}`, from - 1, to);
  }

  #addSizes({ from, end }: DimensionLength, value: number): number {
    const cursor = this.#cursor;
    // After "Gr.", 3/4 is two sizes and not a fraction.
    const isFraction = end === from + 2 && this.#stream.separatorSets[from + 1] === delimiters.slash;
    const isDouble = cursor.isAtEndOfToken && cursor.separatorAfter === delimiters.slash && cursor.isBeforeNumber;
    if (!isFraction && !isDouble) {
      this.#addSize(from, end, value, false);
      return end;
    }
    const secondToken = isFraction ? from + 1 : end;
    cursor.moveTo(secondToken);
    const { values } = cursor.read();
    this.#addSize(from, secondToken, isFraction ? Math.round(value * Number(values[0])) : value, true);
    for (const secondValue of values) this.#addSize(from, cursor.token + 1, secondValue, true);
    return cursor.token + 1;
  }

  /** Adds a number with a unit.  @returns index of the token after the quantity */
  #addMeasurement(size: DimensionLength, unit: Unit): number {
    this.#addNumber(size);
    const nextToken = this.#addCompound(size, unit);
    if (nextToken !== undefined) return nextToken;
    for (const value of size.number.values) this.#add(formatQuantity(value, unit), size.from, size.end);
    return size.end;
  }

  #addNumber({ number, from, end, unit }: DimensionLength): void {
    if (!number.hasPunctuation) return;
    // The value of "2.0" gets no term "2", because its two tokens "2" and "0" are more specific.
    for (const value of number.values)
      if (!Number.isInteger(value) || value >= 1_000)
        this.#add(formatNumber(value), from, unit === undefined ? end : this.#dimensions.findNumberEnd(from));
  }

  /**
   * Adds a quantity of two units, such as `6'2"` or "5 lb 3 oz", after its first part was parsed.
   * @returns index of the token after the quantity; undefined if there is no second part
   */
  #addCompound({ number, from }: DimensionLength, unit: Unit): number | undefined {
    const smallerSymbol = unit.symbol === "ft" ? "inch" : unit.symbol === "lb" ? "oz" : undefined;
    const cursor = this.#cursor;
    if (smallerSymbol === undefined || number.hasPunctuation || !cursor.isAtEndOfToken) return undefined;
    if (!cursor.isBeforeNumber || !mayPrecedeUnit(cursor.separatorAfter)) return undefined;
    cursor.moveTo(cursor.token + 1);
    const smallerLength = this.#dimensions.parseLength();
    const [value] = smallerLength.number.values;
    // In "8 ft. 2 in. x 4 in.", the 2 inches belong to the dimension, not to the 8 feet.
    if (
      value === undefined ||
      smallerLength.unit?.symbol !== smallerSymbol ||
      value * smallerLength.unit.factor >= unit.factor ||
      this.#dimensions.skipTimesSign()
    )
      return undefined;
    this.#add(
      formatQuantity((number.values[0] as number) * unit.factor + value, smallerLength.unit),
      from,
      smallerLength.end,
    );
    return smallerLength.end;
  }

  /** Adds the terms of a dimension such as "4 x 8 ft".  @returns index of the token after the dimension */
  #addDimension(sizes: readonly DimensionLength[]): number {
    const from = (sizes[0] as DimensionLength).from;
    const to = (sizes.at(-1) as DimensionLength).end;
    const numbers = sizes.map(({ number }) => formatNumber(number.values.at(-1) as number));
    const units = inferUnits(sizes);
    const hasUnits = units.some((unit) => unit !== undefined);
    const sizeTerm = numbers.join("x");
    this.#add(hasUnits && !this.#isForQuery ? `${sizeTerm}*` : sizeTerm, from, to);
    // The query "2x4" also finds "2 in. x 4 in. x 8 ft.".
    if (sizes.length > 2 && !this.#isForQuery)
      this.#add(`${numbers[0]}x${numbers[1]}${hasUnits ? "*" : ""}`, from, (sizes[1] as DimensionLength).end);
    if (!hasUnits && this.#isForQuery) this.#add(`${sizeTerm}*`, from, to);
    if (hasUnits) this.#add(sizes.map((size, index) => formatSize(size, units[index])).join("x"), from, to);
    sizes.forEach((size, index) => {
      this.#addNumber(size);
      const unit = units[index];
      if (unit === undefined) return;
      for (const value of size.number.values) this.#add(formatQuantity(value, unit), size.from, size.end);
    });
    const [firstSize, secondSize] = sizes as readonly [DimensionLength, DimensionLength];
    const hasPackCount =
      sizes.length === 2 && firstSize.unit === undefined && secondSize.unit?.family.sharesDimensionUnit === false;
    if (hasPackCount && !firstSize.number.hasPunctuation)
      this.#add(formatQuantity(firstSize.number.values[0] as number, pieceUnit), firstSize.from, firstSize.end);
    return to;
  }

  #add(term: string, from: number, to: number): void {
    // Every product is one piece, so this term would not distinguish products.
    if (term === "1pc") return;
    const { quantities } = this;
    if (quantities.length > 0 && (quantities[quantities.length - 1] as Quantity).from > from) this.#isSorted = false;
    quantities.push({ term, from, to });
  }
}

const pieceUnit = findUnit("pc") as Unit;
/** Bits of the characters before a number that may make it a quantity, as in "#8" and ".5". */
const signsBeforeNumber = delimiters.hash | delimiters.pointLast;
const signsAfterNumber = delimiters.degree | delimiters.percent;
/** Maximum difference of the ends of a range of sizes, such as "39-42", of which all sizes are indexed. */
const maxSizeRange = 12;
/** Maximum number of sides in a dimension. */
const maxDimensionValues = 4;
