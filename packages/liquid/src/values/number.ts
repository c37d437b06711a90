import { LiquidError } from "../errors.ts";
import { plainValue } from "./drop.ts";
import { Float, floatText, integerOf, isInteger, MAX_DIGITS, tooManyDigits } from "./float.ts";
import { trim } from "./whitespace.ts";

/** A number in filters: an integer or a float. */
export type Numeric = number | bigint | Float;

/**
 * Converts a value to a number as math filters do: a string to its leading integer, or to a decimal number if all of it
 * is one; any other value to 0. `Number()` converts the result to a JavaScript number.
 */
export function toNumber(value: unknown): Numeric {
  const shown = plainValue(value);
  if (typeof shown === "number") return shown;
  if (typeof shown === "bigint" || shown instanceof Float) return shown;
  if (typeof shown !== "string") return 0;
  const text = trim(shown);
  if (!/^-?\d+\.\d+$/.test(text)) return leadingInteger(shown);
  if (shown.includes("\0")) throw new LiquidError("render", "string contains null byte");
  const number = Number(text);
  return Number.isSafeInteger(number) ? new Float(number) : number;
}

/** Like Ruby's `to_i`: the leading integer of a string, else 0.  @throws LiquidError if it has too many digits */
export function leadingInteger(text: string): number | bigint {
  const [, digits] = /^[ \t\r\n\f\v]*([-+]?\d+(?:_\d+)*)/.exec(text) ?? [];
  if (digits === undefined) return 0;
  const plain = digits.replace(/^\+|_/g, "");
  // Leading zeros do not count as digits.
  if (plain.length > MAX_DIGITS && plain.replace(/^-?0*/, "").length > MAX_DIGITS) throw tooManyDigits();
  return integerOf(BigInt(plain));
}

/** Returns an integer, or a string that is an integer, as a number.  @throws LiquidError */
export function toInteger(value: unknown): number {
  const shown = plainValue(value);
  if (typeof shown === "number" && Number.isSafeInteger(shown)) return shown;
  const text = typeof shown === "string" ? shown.trim() : isInteger(shown) ? String(shown) : "";
  if (!/^[-+]?\d+(?:_\d+)*$/.test(text)) throw new LiquidError("render", "invalid integer");
  const digits = text.replaceAll("_", "");
  // A leading zero means octal.
  const number = /^[-+]?0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}

/** Returns Ruby's message for NaN or infinity that is converted to an integer. */
export function noInteger(number: number): string {
  return `Computation results in '${floatText(number)}'${Number.isNaN(number) ? " (Not a Number)" : ""}`;
}

/** Converts the bounds of a range or the columns of a table: 0 for other values, fractions are truncated. */
export function truncated(value: unknown): number {
  const number = toNumber(value);
  const plain = number instanceof Float ? number.number : Number(number);
  if (!Number.isFinite(plain)) throw new LiquidError("render", noInteger(plain));
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(plain)));
}
