import { LiquidError } from "../errors.ts";
import { toPlainValue } from "./drop.ts";
import { createTooManyDigitsError, Float, formatFloat, isInteger, MAX_DIGITS, normalizeInteger } from "./float.ts";
import { trim } from "./whitespace.ts";

/** A number in templates: an integer or a float. */
export type NumericValue = number | bigint | Float;

/**
 * Converts a value to a number, as math filters do. A string can be a decimal number or start with an integer. Other
 * values become 0. `Number()` converts the result to a JavaScript number.
 */
export function toNumber(value: unknown): NumericValue {
  const rawValue = toPlainValue(value);
  if (typeof rawValue === "number") return rawValue;
  if (typeof rawValue === "bigint" || rawValue instanceof Float) return rawValue;
  if (typeof rawValue !== "string") return 0;
  const text = trim(rawValue);
  if (!/^-?\d+\.\d+$/.test(text)) return parseLeadingInteger(rawValue);
  if (rawValue.includes("\0")) throw new LiquidError("render", "string contains null byte");
  const number = Number(text);
  return Number.isSafeInteger(number) ? new Float(number) : number;
}

/** Returns the leading integer of a string, or 0, like Ruby's `to_i`.  @throws LiquidError if it has too many digits */
export function parseLeadingInteger(text: string): number | bigint {
  const [, digits] = /^[ \t\r\n\f\v]*([-+]?\d+(?:_\d+)*)/.exec(text) ?? [];
  if (digits === undefined) return 0;
  const plainDigits = digits.replace(/^\+|_/g, "");
  // Leading zeros do not count as digits.
  if (plainDigits.length > MAX_DIGITS && plainDigits.replace(/^-?0*/, "").length > MAX_DIGITS)
    throw createTooManyDigitsError();
  return normalizeInteger(BigInt(plainDigits));
}

/** Converts an integer, or a string that is an integer, to a number.  @throws LiquidError for other values */
export function toInteger(value: unknown): number {
  const rawValue = toPlainValue(value);
  if (typeof rawValue === "number" && Number.isSafeInteger(rawValue)) return rawValue;
  const text = typeof rawValue === "string" ? rawValue.trim() : isInteger(rawValue) ? String(rawValue) : "";
  if (!/^[-+]?\d+(?:_\d+)*$/.test(text)) throw new LiquidError("render", "invalid integer");
  const digits = text.replaceAll("_", "");
  // A leading zero means octal notation.
  const number = /^[-+]?0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}

/** Returns the error message of Ruby for the conversion of NaN or infinity to an integer. */
export function formatNotIntegerMessage(number: number): string {
  return `Computation results in '${formatFloat(number)}'${Number.isNaN(number) ? " (Not a Number)" : ""}`;
}

/**
 * Converts the start or end of a range, or a number of columns, to an integer. Fractions are truncated, and other
 * values become 0.
 */
export function truncateToInteger(value: unknown): number {
  const number = toNumber(value);
  const plainNumber = number instanceof Float ? number.number : Number(number);
  if (!Number.isFinite(plainNumber)) throw new LiquidError("render", formatNotIntegerMessage(plainNumber));
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(plainNumber)));
}
