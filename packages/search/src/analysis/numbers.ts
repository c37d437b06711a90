import { gapBits } from "./character-classes.ts";
import { isDigit } from "./chunks.ts";
import type { TokenStream } from "./token-stream.ts";

/** A number as a text writes it. */
export interface WrittenNumber {
  /** Possible values: "1.250" is 1250 and 1.25. Empty if it is not a quantity: "0707", "12.05.2024". */
  readonly values: readonly number[];
  /** Whether it is not only digits, so that it is indexed as a term. */
  readonly isComposed: boolean;
}

/** Parses numbers in a stream of tokens. The cursor is at unit `at` of token `token`, or after its last unit. */
export class NumberCursor {
  token = 0;
  at = 0;
  readonly stream: TokenStream;
  /** By token: 1 if it continues the number of the token before. Undefined for most texts. */
  #inner: Uint8Array | undefined;
  /** First token without entries. */
  #innerEnd = 0;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  /** Clears the state of an earlier text. */
  begin(): void {
    this.#inner?.fill(0, 0, this.#innerEnd);
    this.#innerEnd = 0;
    this.token = -1;
  }

  /**
   * Returns whether a token continues the number of the token before, so that the two are never one word: "1.5" is not
   * "15".
   */
  isInner(token: number): boolean {
    return token < this.#innerEnd && this.#inner?.[token] === 1;
  }

  moveTo(token: number): void {
    this.token = token;
    this.at = token < this.stream.tokens ? (this.stream.starts[token] as number) : 0;
  }

  get isAtEndOfToken(): boolean {
    return this.at === this.stream.ends[this.token];
  }

  get isAtDigit(): boolean {
    return !this.isAtEndOfToken && isDigit(this.stream.units[this.at] as number);
  }

  /** Characters after the token. */
  get gap(): number {
    return this.stream.gaps[this.token + 1] as number;
  }

  /** Whether the token after this one begins with a digit. */
  get isBeforeNumber(): boolean {
    const { stream, token } = this;
    return token + 1 < stream.tokens && isDigit(stream.units[stream.starts[token + 1] as number] as number);
  }

  /** Parses the number at the cursor, which is at a digit, and moves behind it. */
  read(): WrittenNumber {
    const first = this.token;
    const start = this.at;
    const before = start === this.stream.starts[first] ? (this.stream.gaps[first] as number) : 0;
    // ".5", but not the end of "v1.5".
    const isBehindPoint = (before & gapBits.pointLast) > 0;
    if (first > 0 && isDecimalGap(before)) return this.#skipped();
    if (!isBehindPoint && !this.#mayGoOn(start)) return this.#plain(start);
    this.at = start;
    const integerPart = this.#digits();
    if (isBehindPoint)
      return { values: integerPart.length > maxDigits ? [] : [Number(`0.${integerPart}`)], isComposed: true };
    if (integerPart === "0" && this.#goesOn(isBlank)) return this.#behindZero(first);
    const groups = [integerPart];
    const separators: number[] = [];
    while (this.#goesOn(isDecimalGap)) {
      separators.push(this.gap);
      this.moveTo(this.token + 1);
      groups.push(this.#digits());
    }
    if (groups.length > 1) {
      const values = valuesOf(groups, separators);
      if (values.length > 0) this.#joinFrom(first);
      return { values, isComposed: true };
    }
    if (!isCounting(integerPart)) return noNumber;
    const fraction = this.#fraction(Number(integerPart)) ?? this.#mixed(Number(integerPart));
    if (fraction === undefined) return { values: [Number(integerPart)], isComposed: false };
    this.#joinFrom(first);
    return { values: [fraction], isComposed: true };
  }

  /** Parses the upper end of a range ("10-12") after its lower end; undefined if there is no range. */
  rangeEnd(from: number): WrittenNumber | undefined {
    if (!this.isAtEndOfToken || (this.gap & ~gapBits.blank) !== gapBits.hyphen || !this.isBeforeNumber)
      return undefined;
    const { token, at } = this;
    this.moveTo(token + 1);
    const end = this.read();
    if (end.values.length === 1 && from < (end.values[0] as number) && (end.values[0] as number) < rangeLimit) {
      this.#joinTo(token + 1, token + 2);
      return end;
    }
    this.token = token;
    this.at = at;
    return undefined;
  }

  #digits(): string {
    const { units, ends } = this.stream;
    const end = ends[this.token] as number;
    let digits = "";
    for (; this.at < end && isDigit(units[this.at] as number); this.at += 1)
      digits += String.fromCharCode(units[this.at] as number);
    return digits;
  }

  /** Handles "0 33l", where a text lost its comma, since a zero count makes no sense. */
  #behindZero(first: number): WrittenNumber {
    this.moveTo(this.token + 1);
    const digits = this.#digits();
    this.#joinFrom(first);
    return digits.length > maxDigits ? noNumber : { values: [Number(`0.${digits}`)], isComposed: true };
  }

  #goesOn(isGap: (gap: number) => boolean): boolean {
    return this.isAtEndOfToken && isGap(this.gap) && this.isBeforeNumber;
  }

  /** Moves behind the digits.  @returns whether the number may continue in the next token, which is rare */
  #mayGoOn(start: number): boolean {
    this.#skipDigits();
    if (!this.isAtEndOfToken || !this.isBeforeNumber) return false;
    const { gap } = this;
    if (!isMixedGap(gap)) return isDecimalGap(gap) || isSlash(gap);
    return isSlash(this.stream.gaps[this.token + 2] as number) || (isBlank(gap) && this.#isZero(start));
  }

  #isZero(start: number): boolean {
    return this.stream.units[start] === digitZero && this.at === start + 1;
  }

  #skipDigits(): void {
    const { units, ends } = this.stream;
    const end = ends[this.token] as number;
    while (this.at < end && isDigit(units[this.at] as number)) this.at += 1;
  }

  #skipped(): WrittenNumber {
    this.#skipDigits();
    return noNumber;
  }

  /** The number of the digits from `start` to the cursor. */
  #plain(start: number): WrittenNumber {
    const { units } = this.stream;
    if (this.at - start > maxDigits || (units[start] === digitZero && this.at - start > 1)) return noNumber;
    let value = 0;
    for (let at = start; at < this.at; at += 1) value = value * 10 + (units[at] as number) - digitZero;
    return { values: [value], isComposed: false };
  }

  #joinFrom(first: number): void {
    this.#joinTo(first + 1, this.token + 1);
  }

  /** Records that tokens `from` up to `to` (exclusive) continue a number. */
  #joinTo(from: number, to: number): void {
    let inner = this.#inner;
    if (inner === undefined || to > inner.length) {
      const wider = new Uint8Array(this.stream.tokens * 2);
      if (inner !== undefined) wider.set(inner);
      inner = wider;
      this.#inner = inner;
    }
    inner.fill(1, from, to);
    this.#innerEnd = Math.max(this.#innerEnd, to);
  }

  /** Reads "/8" behind 5. */
  #fraction(numerator: number): number | undefined {
    if (!this.#goesOn(isSlash)) return undefined;
    const { token, at } = this;
    this.moveTo(token + 1);
    const denominator = Number(this.#digits());
    const goesOn = this.#goesOn(isSlash) || this.#goesOn(isDecimalGap);
    if (!goesOn && numerator > 0 && numerator < denominator && denominators.has(denominator))
      if (isReduced(numerator, denominator)) return numerator / denominator;
    this.token = token;
    this.at = at;
    return undefined;
  }

  /** Reads "-1/2" or " 1/2" behind 1. */
  #mixed(integerPart: number): number | undefined {
    if (!this.#goesOn(isMixedGap)) return undefined;
    const { token, at } = this;
    this.moveTo(token + 1);
    const fraction = this.#fraction(Number(this.#digits()));
    if (fraction !== undefined) return integerPart + fraction;
    this.token = token;
    this.at = at;
    return undefined;
  }
}

const digitZero = 0x30;
const noNumber: Readonly<WrittenNumber> = { values: [], isComposed: false };

function isDecimalGap(gap: number): boolean {
  return gap === (gapBits.point | gapBits.pointLast) || gap === gapBits.comma || gap === gapBits.apostrophe;
}

function isBlank(gap: number): boolean {
  return gap === gapBits.blank;
}

function isSlash(gap: number): boolean {
  return gap === gapBits.slash;
}

function isMixedGap(gap: number): boolean {
  return gap === gapBits.blank || gap === gapBits.hyphen;
}

/** Denominators that goods are measured in. */
const denominators: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 8, 10, 16, 32, 64]);
/** Maximum digits of a quantity. */
const maxDigits = 7;
/** Ends of ranges are below. */
const rangeLimit = 10_000;

/** Whether digits count something: "0707" is a code, "4006381333931" a barcode. */
function isCounting(digits: string): boolean {
  return digits.length <= maxDigits && (digits.length === 1 || !digits.startsWith("0"));
}

function isReduced(numerator: number, denominator: number): boolean {
  for (let divisor = 2; divisor <= numerator; divisor += 1)
    if (numerator % divisor === 0 && denominator % divisor === 0) return false;
  return true;
}

/**
 * Possible values of digit groups between points, commas or apostrophes. Three digits after a single separator are
 * thousands or a fraction: languages differ, and catalogs mix them.
 */
function valuesOf(groups: readonly string[], separators: readonly number[]): number[] {
  const [integerPart = "", ...others] = groups;
  const last = others.at(-1) ?? "";
  const joined = groups.join("");
  if (!isCounting(integerPart) || joined.length > maxDigits + 3) return [];
  if (groups.length === 2 && last.length !== 3)
    return separators[0] === gapBits.apostrophe ? [] : [Number(`${integerPart}.${last}`)];
  const before = separators.slice(0, -1);
  const areThousands = (some: readonly string[]) =>
    integerPart.length <= 3 && integerPart !== "0" && some.every((group) => group.length === 3);
  const isLastAnother = before.length > 0 && before.every((one) => one !== separators.at(-1));
  const values: number[] = [];
  if (areThousands(others) && new Set(separators).size === 1) values.push(Number(joined));
  const isFraction = separators.at(-1) !== gapBits.apostrophe && !(last === "000" && integerPart !== "0");
  if (isFraction && (before.length === 0 || (isLastAnother && areThousands(others.slice(0, -1)))))
    values.push(Number(`${groups.slice(0, -1).join("")}.${last}`));
  return values;
}
