import { gapBits } from "./character-classes.ts";
import { isDigit } from "./chunks.ts";
import { DimensionReader, isUnitGap, type Side } from "./dimensions.ts";
import type { NumberCursor } from "./numbers.ts";
import type { TokenStream } from "./token-stream.ts";
import { isNumberWord, isPackPhrase, letterX, mayBeMeasure, type Unit, unitOf } from "./units.ts";

/** A term for the tokens `from` up to `to` (exclusive) of a text, independent of their notation. */
export interface Quantity {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Parses the quantities of a text. Each term on the left stands for all notations on the right:
 *
 *     0.625          5/8, ⅝, .625, 0,625              a number that is not only digits
 *     1500ml         1.5 l, 150 cl, 1500 ML           a number with a unit, in a unit of its family
 *     4x8            4x8, 4 × 8, 4 by 8               a dimension without units
 *     4x8*           4 ft. x 8 ft., 4x8'              a dimension with units, for queries without them
 *     4ftx8ft        4 ft. x 8 ft., 48 x 96 in        a dimension with units
 *     6pc            6-pack, pack of 6, 6 pcs         a count
 *     #8             #8, No. 8                        an ordinal
 */
export class QuantityReader {
  /** Result of the last `read`, by ascending `from`. */
  found: Quantity[] = [];
  #isSorted = true;
  readonly #text: TokenStream;
  readonly #wordAt: (token: number) => string;
  readonly #sides: DimensionReader;
  readonly #cursor: NumberCursor;
  readonly #isForQuery: boolean;

  /**
   * @param text read again by each `read`
   * @param wordAt returns the text of a token; "" if the word has no meaning next to a number
   * @param isForQuery whether the text is a query: dimensions differ from those of documents
   */
  constructor(text: TokenStream, wordAt: (token: number) => string, isForQuery: boolean) {
    this.#text = text;
    this.#wordAt = wordAt;
    this.#sides = new DimensionReader(text, wordAt);
    this.#cursor = this.#sides.cursor;
    this.#isForQuery = isForQuery;
  }

  /** Returns whether a token continues the number of the token before. */
  isInner(token: number): boolean {
    return this.#cursor.isInner(token);
  }

  /** Parses the current text. */
  read(): void {
    this.#begin();
    const { numbers, numberCount } = this.#text;
    let behind = 0;
    for (let index = 0; index < numberCount; index += 1) {
      const token = numbers[index] as number;
      if (token >= behind && !this.#saysNothing(token)) behind = this.#readAt(token);
    }
    if (!this.#isSorted) this.found.sort((one, other) => one.from - other.from);
  }

  /** Parses only which tokens continue numbers. */
  readNumbers(): void {
    this.#begin();
    const cursor = this.#cursor;
    const { numbers, numberCount } = this.#text;
    for (let index = 0; index + 1 < numberCount; index += 1) {
      const token = numbers[index] as number;
      if (token <= cursor.token || numbers[index + 1] !== token + 1) continue;
      cursor.moveTo(token);
      const [value] = cursor.read().values;
      if (value !== undefined) cursor.rangeEnd(value);
    }
  }

  #begin(): void {
    if (this.found.length > 0) this.found = [];
    this.#isSorted = true;
    this.#cursor.begin();
  }

  /** Fast check that a number is not a quantity: nothing around it has a meaning next to a number. */
  #saysNothing(token: number): boolean {
    const { units, starts, ends, gaps, tokens } = this.#text;
    if (((gaps[token] as number) & quantityMarksBefore) > 0) return false;
    if (token > 0 && this.#wordAt(token - 1) !== "") return false;
    const end = ends[token] as number;
    let at = (starts[token] as number) + 1;
    while (at < end && isDigit(units[at] as number)) at += 1;
    if (at < end) return !mayBeMeasure(units, at, end);
    if (((gaps[token + 1] as number) & quantityMarksAfter) > 0) return false;
    if (token + 1 === tokens) return true;
    const next = units[starts[token + 1] as number] as number;
    return !isDigit(next) && next !== letterX && this.#wordAt(token + 1) === "";
  }

  /** Parses the quantity that starts with the number of a token.  @returns the token after it */
  #readAt(first: number): number {
    const cursor = this.#cursor;
    cursor.moveTo(first);
    const side = this.#sides.side();
    const [value] = side.number.values;
    if (value === undefined) return side.to;
    if (!side.number.isComposed && this.#addLabelled(value, side)) return first + 1;
    let next = this.#nextSide();
    if (next !== undefined) {
      const sides = [side];
      for (; next !== undefined; next = sides.length < maxSides ? this.#nextSide() : undefined) sides.push(next);
      return this.#addDimension(sides);
    }
    return side.unit === undefined ? this.#addPlain(side, value) : this.#addMeasured(side, side.unit);
  }

  /** Parses a further side of a dimension; returns undefined and does not move the cursor if no side follows. */
  #nextSide(): Side | undefined {
    const cursor = this.#cursor;
    const { token, at } = cursor;
    const next = this.#sides.times() ? this.#sides.side() : undefined;
    if (next !== undefined && next.number.values.length > 0) return next;
    cursor.token = token;
    cursor.at = at;
    return undefined;
  }

  /** "#8", "No. 8" and "pack of 6". @returns whether the quantity is complete */
  #addLabelled(value: number, { from, to, unit }: Side): boolean {
    const gap = this.#text.gaps[from] as number;
    const before = from > 0 && isUnitGap(gap & ~gapBits.degree) ? this.#wordAt(from - 1) : "";
    if (before === "" && (gap & gapBits.hash) === 0) return false;
    const isNamed = isNumberWord(before) && (before !== "n" || (gap & gapBits.degree) > 0);
    if (isNamed || (gap & gapBits.hash) > 0) {
      this.#add(`#${value}`, isNamed ? from - 1 : from, from + 1);
      return unit === undefined;
    }
    if (before === "" || from < 2 || to > from + 1 || !isPackPhrase(this.#wordAt(from - 2), before)) return false;
    this.#add(canonical(value, piece), from - 2, from + 1);
    return unit === undefined;
  }

  /** Handles a number without a unit, or a range with the unit after both ends.  @returns the token after it */
  #addPlain(side: Side, value: number): number {
    this.#addNumber(side);
    const end = side.number.values.length === 1 ? this.#cursor.rangeEnd(value) : undefined;
    if (end === undefined) return side.to;
    const token = this.#cursor.token;
    const unit = this.#sides.unit(end);
    const to = unit === undefined ? token + 1 : this.#cursor.token + 1;
    this.#addNumber({ number: end, unit, from: side.to, to: token + 1 });
    if (unit === undefined) return to;
    for (const one of [value, ...end.values]) this.#add(canonical(one, unit), side.from, to);
    return to;
  }

  /** @returns the token behind the quantity */
  #addMeasured(side: Side, unit: Unit): number {
    this.#addNumber(side);
    const behind = this.#addCompound(side, unit);
    if (behind !== undefined) return behind;
    for (const value of side.number.values) this.#add(canonical(value, unit), side.from, side.to);
    return side.to;
  }

  #addNumber({ number, from, to, unit }: Side): void {
    if (!number.isComposed) return;
    // The digits of "2.0" contain more information than its value.
    for (const value of number.values)
      if (!Number.isInteger(value) || value >= 1_000)
        this.#add(textOf(value), from, unit === undefined ? to : this.#endOfNumber(from));
  }

  /** The token behind the number that begins with a token. */
  #endOfNumber(from: number): number {
    let token = from + 1;
    while (token < this.#text.tokens && this.isInner(token)) token += 1;
    return token;
  }

  /**
   * Adds `6'2"` or "5 lb 3 oz" after its first part was parsed.
   * @returns the token after it; undefined if there is no second part
   */
  #addCompound({ number, from }: Side, unit: Unit): number | undefined {
    const smaller = unit.symbol === "ft" ? "inch" : unit.symbol === "lb" ? "oz" : undefined;
    const cursor = this.#cursor;
    if (smaller === undefined || number.isComposed || !cursor.isAtEndOfToken) return undefined;
    if (!cursor.isBeforeNumber || !isUnitGap(cursor.gap)) return undefined;
    cursor.moveTo(cursor.token + 1);
    const other = this.#sides.side();
    const [value] = other.number.values;
    // "8 ft. 2 in. x 4 in." are a length and a dimension.
    if (
      value === undefined ||
      other.unit?.symbol !== smaller ||
      value * other.unit.factor >= unit.factor ||
      this.#sides.times()
    )
      return undefined;
    this.#add(canonical((number.values[0] as number) * unit.factor + value, other.unit), from, other.to);
    return other.to;
  }

  /** @returns the token behind the dimension */
  #addDimension(sides: readonly Side[]): number {
    const from = (sides[0] as Side).from;
    const to = (sides.at(-1) as Side).to;
    const numbers = sides.map(({ number }) => textOf(number.values.at(-1) as number));
    const units = unitsOfSides(sides);
    const hasUnits = units.some((unit) => unit !== undefined);
    const plain = numbers.join("x");
    this.#add(hasUnits && !this.#isForQuery ? `${plain}*` : plain, from, to);
    // A query "2x4" also means "2 in. x 4 in. x 8 ft.".
    if (sides.length > 2 && !this.#isForQuery)
      this.#add(`${numbers[0]}x${numbers[1]}${hasUnits ? "*" : ""}`, from, (sides[1] as Side).to);
    if (!hasUnits && this.#isForQuery) this.#add(`${plain}*`, from, to);
    if (hasUnits) {
      this.#add(sides.map((side, index) => sideText(side, units[index])).join("x"), from, to);
    }
    sides.forEach((side, index) => {
      this.#addNumber(side);
      const unit = units[index];
      if (unit === undefined) return;
      for (const value of side.number.values) this.#add(canonical(value, unit), side.from, side.to);
    });
    const [first, second] = sides as readonly [Side, Side];
    const isPack = sides.length === 2 && first.unit === undefined && second.unit?.family.isOfSides === false;
    if (isPack && !first.number.isComposed)
      this.#add(canonical(first.number.values[0] as number, piece), first.from, first.to);
    return to;
  }

  #add(term: string, from: number, to: number): void {
    // Every product is one piece.
    if (term === "1pc") return;
    const { found } = this;
    if (found.length > 0 && (found[found.length - 1] as Quantity).from > from) this.#isSorted = false;
    found.push({ term, from, to });
  }
}

/** Units of sides: a side without a unit has that of the next side with one, or of the only side before. */
function unitsOfSides(sides: readonly Side[]): (Unit | undefined)[] {
  const units = sides.map(({ unit }) => unit);
  const written = units.filter((unit) => unit !== undefined);
  if (written.length === 0 || written.length === units.length) return units;
  const areSides = written.every((unit) => unit.family.isOfSides);
  if (!areSides) return units;
  const isOne = new Set(written).size === 1;
  return units.map(
    (unit, side) => unit ?? units.slice(side).find((other) => other !== undefined) ?? (isOne ? written[0] : undefined),
  );
}

function sideText({ number }: Side, unit: Unit | undefined): string {
  const value = number.values.at(-1) as number;
  return unit === undefined ? textOf(value) : canonical(value, unit);
}

/** Formats a quantity in the largest unit of its family with an integer value, else in the smallest. */
function canonical(value: number, { family, factor }: Unit): string {
  const amount = Math.round(value * factor * 1000) / 1000;
  for (let index = family.indexed.length - 1; index > 0; index -= 1) {
    const { symbol, factor: size } = family.indexed[index] as Unit;
    if (amount >= size && amount % size === 0) return `${amount / size}${symbol}`;
  }
  return `${amount}${family.indexed[0]?.symbol}`;
}

/** A number as a term. */
function textOf(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}

const piece = unitOf("pc") as Unit;
/** Characters before or after a number that make a quantity possible. */
const quantityMarksBefore = gapBits.hash | gapBits.pointLast;
const quantityMarksAfter = gapBits.degree | gapBits.percent;

/** Maximum sides of a dimension. */
const maxSides = 4;
