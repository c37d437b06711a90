import { LiquidError } from "../errors.ts";

/**
 * A float without a fraction, such as 2.0. JavaScript cannot distinguish it from the integer 2. Floats with a fraction
 * are plain numbers.
 */
export class Float {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }

  /** Converts a number to a float: a `Float` if it has no fraction, otherwise the number itself. */
  static of(number: number): number | Float {
    return Number.isSafeInteger(number) ? new Float(number) : number;
  }

  /** Returns the number, so that `Number(float)` works. */
  valueOf(): number {
    return this.number;
  }
}

export function isFloat(value: unknown): value is number | Float {
  return value instanceof Float || (typeof value === "number" && !Number.isSafeInteger(value));
}

export function isInteger(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/**
 * Converts an integer to a number if a number can represent it exactly. Returns a larger integer unchanged.
 * @throws LiquidError if it has more than {@link MAX_DIGITS} digits
 */
export function normalizeInteger(value: bigint): number | bigint {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  if (value >= INTEGER_LIMIT || value <= -INTEGER_LIMIT) throw createTooManyDigitsError();
  return value;
}

export function createTooManyDigitsError(): LiquidError {
  return new LiquidError("limit", `a number of more than ${MAX_DIGITS} digits`);
}

/** Maximum number of digits of an integer, which keeps calculations fast. */
export const MAX_DIGITS = 1_000;
const INTEGER_LIMIT = 10n ** BigInt(MAX_DIGITS);

/** Formats a float like Ruby: "1.0", "0.1", "1.0e+20", "1.0e-05". */
export function formatFloat(number: number): string {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
  if (Object.is(number, -0)) return "-0.0";
  const magnitude = Math.abs(number);
  if (magnitude !== 0 && (magnitude >= 1e16 || magnitude < 1e-4)) {
    const [digits = "", exponent = ""] = number.toExponential().split("e");
    const sign = exponent.slice(0, 1);
    return `${digits.includes(".") ? digits : `${digits}.0`}e${sign}${exponent.slice(1).padStart(2, "0")}`;
  }
  const text = String(number);
  return text.includes(".") ? text : `${text}.0`;
}
