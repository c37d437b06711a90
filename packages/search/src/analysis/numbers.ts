import { delimiters, isBlank, isDigitSeparator, isFractionSeparator, isHyphen, isSlash } from "./character-classes.ts";
import { isDigit } from "./chunks.ts";
import type { TokenStream } from "./token-stream.ts";

/** A number as written in a text. */
export interface ParsedNumber {
  /**
   * Possible values of the number: "1.250" is 1250 or 1.25. Empty for numbers that are not quantities, such as "0707"
   * and "12.05.2024".
   */
  readonly values: readonly number[];
  /** Whether the number contains characters other than digits, as in "1.5" and "5/8". */
  readonly hasPunctuation: boolean;
}

/**
 * Parses numbers in a stream of tokens. The cursor has the index of a token and a position in the UTF-16 units of the
 * tokens.
 */
export class NumberCursor {
  token = 0;
  position = 0;
  readonly stream: TokenStream;
  /**
   * 1 for each token that continues the number of the previous token, as the "5" of "1.5" does. Created for the first
   * such token.
   */
  #continuationFlags: Uint8Array | undefined;
  /** Index after the last token that is marked as a continuation of a number, such as the "5" of "1.5". */
  #bitsEnd = 0;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  /** Clears the state of the previous text. */
  reset(): void {
    this.#continuationFlags?.fill(0, 0, this.#bitsEnd);
    this.#bitsEnd = 0;
    this.token = -1;
  }

  /**
   * Returns whether a token continues the number of the previous token, as the "5" of "1.5" does. Such tokens are not
   * joined to "15".
   */
  isContinuation(token: number): boolean {
    return token < this.#bitsEnd && this.#continuationFlags?.[token] === 1;
  }

  moveTo(token: number): void {
    this.token = token;
    this.position = token < this.stream.tokenCount ? (this.stream.starts[token] as number) : 0;
  }

  get isAtEndOfToken(): boolean {
    return this.position === this.stream.ends[this.token];
  }

  get isAtDigit(): boolean {
    return !this.isAtEndOfToken && isDigit(this.stream.units[this.position] as number);
  }

  /** Bits for the kinds of characters after the token (see `delimiters`). */
  get separatorAfter(): number {
    return this.stream.separatorSets[this.token + 1] as number;
  }

  /** Whether the next token begins with a digit. */
  get isBeforeNumber(): boolean {
    const { stream, token } = this;
    return token + 1 < stream.tokenCount && isDigit(stream.units[stream.starts[token + 1] as number] as number);
  }

  /** Parses the number at the cursor, which must be at a digit, and moves the cursor after it. */
  read(): ParsedNumber {
    const firstToken = this.token;
    const start = this.position;
    const separatorBefore =
      start === this.stream.starts[firstToken] ? (this.stream.separatorSets[firstToken] as number) : 0;
    // The tokens of a chunk are adjacent in `units`.
    const isInChunk = firstToken > 0 && isDigitSeparator(separatorBefore);
    if (isInChunk && isDigit(this.stream.units[start - 1] as number)) return this.#skipNumber();
    const isAfterPoint = !isInChunk && (separatorBefore & delimiters.pointLast) > 0;
    if (!isAfterPoint && !this.#canContinue(start)) return this.#parseInteger(start);
    this.position = start;
    const integerPart = this.#parseDigits();
    if (isAfterPoint)
      return { values: integerPart.length > maxDigits ? [] : [Number(`0.${integerPart}`)], hasPunctuation: true };
    if (integerPart === "0" && this.#isContinued(isBlank)) return this.#parseFractionDigits(firstToken);
    const digitGroups = [integerPart];
    const groupSeparators: number[] = [];
    while (this.#isContinued(isDigitSeparator)) {
      groupSeparators.push(this.separatorAfter);
      this.moveTo(this.token + 1);
      digitGroups.push(this.#parseDigits());
    }
    if (digitGroups.length > 1) {
      const values = listNumbers(digitGroups, groupSeparators);
      if (values.length > 0) this.#markTokens(firstToken);
      return { values, hasPunctuation: true };
    }
    if (!canBeCount(integerPart)) return emptyNumber;
    const fraction = this.#parseFraction(Number(integerPart)) ?? this.#parseMixedFraction(Number(integerPart));
    if (fraction === undefined) return { values: [Number(integerPart)], hasPunctuation: false };
    this.#markTokens(firstToken);
    return { values: [fraction], hasPunctuation: true };
  }

  /**
   * Parses the upper end of a range such as "10-12". Returns undefined if there is no range. Three numbers with hyphens
   * are a code or a date, such as the ISBN "978-0-14-103614-4".
   * @param from lower end of the range
   */
  parseRangeEnd(from: number): ParsedNumber | undefined {
    if (!this.isAtEndOfToken || (this.separatorAfter & ~delimiters.blank) !== delimiters.hyphen || !this.isBeforeNumber)
      return undefined;
    const { token, position } = this;
    const isAfterHyphen = this.stream.separatorSets[token] === delimiters.hyphen;
    this.moveTo(token + 1);
    const rangeEnd = this.read();
    if (
      !isAfterHyphen &&
      !this.#isContinued(isHyphen) &&
      rangeEnd.values.length === 1 &&
      from < (rangeEnd.values[0] as number) &&
      (rangeEnd.values[0] as number) < maxRangeEnd
    ) {
      this.#markContinuations(token + 1, token + 2);
      return rangeEnd;
    }
    this.token = token;
    this.position = position;
    return undefined;
  }

  #parseDigits(): string {
    const { units, ends } = this.stream;
    const end = ends[this.token] as number;
    let digits = "";
    for (; this.position < end && isDigit(units[this.position] as number); this.position += 1)
      digits += String.fromCharCode(units[this.position] as number);
    return digits;
  }

  /** Parses "0 33l" as 0.33 l, because a count of zero would be meaningless. */
  #parseFractionDigits(firstToken: number): ParsedNumber {
    this.moveTo(this.token + 1);
    const digits = this.#parseDigits();
    this.#markTokens(firstToken);
    return digits.length > maxDigits ? emptyNumber : { values: [Number(`0.${digits}`)], hasPunctuation: true };
  }

  #isContinued(isSeparator: (separatorKinds: number) => boolean): boolean {
    return this.isAtEndOfToken && isSeparator(this.separatorAfter) && this.isBeforeNumber;
  }

  /** Moves the cursor after the digits.  @returns whether the number may continue in the next token, as in "1.5" */
  #canContinue(start: number): boolean {
    this.#skipDigits();
    if (!this.isAtEndOfToken || !this.isBeforeNumber) return false;
    const { separatorAfter: separators } = this;
    if (!isFractionSeparator(separators)) return isDigitSeparator(separators) || isSlash(separators);
    return isSlash(this.stream.separatorSets[this.token + 2] as number) || (isBlank(separators) && this.#isZero(start));
  }

  #isZero(start: number): boolean {
    return this.stream.units[start] === digitZeroCode && this.position === start + 1;
  }

  #skipDigits(): void {
    const { units, ends } = this.stream;
    const end = ends[this.token] as number;
    while (this.position < end && isDigit(units[this.position] as number)) this.position += 1;
  }

  #skipNumber(): ParsedNumber {
    this.#skipDigits();
    return emptyNumber;
  }

  /** Parses the digits from `start` to the cursor as an integer. */
  #parseInteger(start: number): ParsedNumber {
    const { units } = this.stream;
    if (this.position - start > maxDigits || (units[start] === digitZeroCode && this.position - start > 1))
      return emptyNumber;
    let value = 0;
    for (let position = start; position < this.position; position += 1)
      value = value * 10 + (units[position] as number) - digitZeroCode;
    return { values: [value], hasPunctuation: false };
  }

  #markTokens(firstToken: number): void {
    this.#markContinuations(firstToken + 1, this.token + 1);
  }

  /** Records that the tokens from `from` to `to` (exclusive) continue the number before them. */
  #markContinuations(from: number, to: number): void {
    let continuationBits = this.#continuationFlags;
    if (continuationBits === undefined || to > continuationBits.length) {
      const largerFlagArray = new Uint8Array(this.stream.tokenCount * 2);
      if (continuationBits !== undefined) largerFlagArray.set(continuationBits);
      continuationBits = largerFlagArray;
      this.#continuationFlags = continuationBits;
    }
    continuationBits.fill(1, from, to);
    this.#bitsEnd = Math.max(this.#bitsEnd, to);
  }

  /** Parses the denominator of a fraction, such as "/8" in "5/8", and returns the value of the fraction. */
  #parseFraction(numerator: number): number | undefined {
    if (!this.#isContinued(isSlash)) return undefined;
    const { token, position } = this;
    this.moveTo(token + 1);
    const denominator = Number(this.#parseDigits());
    const hasMoreDigits = this.#isContinued(isSlash) || this.#isContinued(isDigitSeparator);
    if (!hasMoreDigits && numerator > 0 && numerator < denominator && commonDenominators.has(denominator))
      if (isReducedFraction(numerator, denominator)) return numerator / denominator;
    this.token = token;
    this.position = position;
    return undefined;
  }

  /** Parses the fraction of a mixed number such as "1-1/2" or "1 1/2", and returns the value of the number. */
  #parseMixedFraction(integerPart: number): number | undefined {
    if (!this.#isContinued(isFractionSeparator)) return undefined;
    const { token, position } = this;
    this.moveTo(token + 1);
    const fraction = this.#parseFraction(Number(this.#parseDigits()));
    if (fraction !== undefined) return integerPart + fraction;
    this.token = token;
    this.position = position;
    return undefined;
  }
}

const digitZeroCode = 0x30;
const emptyNumber: Readonly<ParsedNumber> = { values: [], hasPunctuation: false };

/** Denominators that are common in the measures of products. */
const commonDenominators: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 8, 10, 16, 32, 64]);
/** Maximum number of digits in a quantity. */
const maxDigits = 7;
/** Upper bound (exclusive) for the numbers of a range such as "10-12". */
const maxRangeEnd = 10_000;

/** Returns whether digits can be a count. "0707" is a product code, and "4006381333931" is a barcode. */
function canBeCount(digits: string): boolean {
  return digits.length <= maxDigits && (digits.length === 1 || !digits.startsWith("0"));
}

function isReducedFraction(numerator: number, denominator: number): boolean {
  for (let divisor = 2; divisor <= numerator; divisor += 1)
    if (numerator % divisor === 0 && denominator % divisor === 0) return false;
  return true;
}

/**
 * Returns the possible values of a number with points, commas or apostrophes. "1.250" is both 1250 and 1.25, because
 * separators differ between languages and catalogs mix them.
 * @param digitGroups digits between the separators
 */
function listNumbers(digitGroups: readonly string[], separators: readonly number[]): number[] {
  const [integerPart = "", ...otherGroups] = digitGroups;
  const lastGroup = otherGroups.at(-1) ?? "";
  const allDigits = digitGroups.join("");
  if (!canBeCount(integerPart) || allDigits.length > maxDigits + 3) return [];
  if (digitGroups.length === 2 && lastGroup.length !== 3)
    return separators[0] === delimiters.apostrophe ? [] : [Number(`${integerPart}.${lastGroup}`)];
  const earlierSeparators = separators.slice(0, -1);
  const areThousandGroups = (groups: readonly string[]) =>
    integerPart.length <= 3 && integerPart !== "0" && groups.every((group) => group.length === 3);
  const hasDecimalSeparator =
    earlierSeparators.length > 0 && earlierSeparators.every((separator) => separator !== separators.at(-1));
  const values: number[] = [];
  if (areThousandGroups(otherGroups) && new Set(separators).size === 1) values.push(Number(allDigits));
  const isFraction = separators.at(-1) !== delimiters.apostrophe && !(lastGroup === "000" && integerPart !== "0");
  if (
    isFraction &&
    (earlierSeparators.length === 0 || (hasDecimalSeparator && areThousandGroups(otherGroups.slice(0, -1))))
  )
    values.push(Number(`${digitGroups.slice(0, -1).join("")}.${lastGroup}`));
  return values;
}
