import { RenderFault } from "../errors.ts";
import { trim } from "./blanks.ts";
import { plainValue } from "./drop.ts";
import { Float, floatText, integerOf, isInteger, MAX_DIGITS, tooManyDigits } from "./float.ts";

/** A number as filters take it: an integer, or a float. */
export type Numeric = number | bigint | Float;

/** What counts as 0 is no number; a text counts as far as it begins with an integer, or where it is a decimal number as a whole. */
export function toNumber(value: unknown): Numeric {
  const shown = plainValue(value);
  if (typeof shown === "number") return shown;
  if (typeof shown === "bigint" || shown instanceof Float) return shown;
  if (typeof shown !== "string") return 0;
  const text = trim(shown);
  if (!/^-?\d+\.\d+$/.test(text)) return leadingInteger(shown);
  if (shown.includes("\0")) throw new RenderFault("string contains null byte");
  const number = Number(text);
  return Number.isSafeInteger(number) ? new Float(number) : number;
}

/** As Ruby's `to_i`: what a text begins with, else 0. @throws LimitError if it has too many digits */
export function leadingInteger(text: string): number | bigint {
  const [, digits] = /^[ \t\r\n\f\v]*([-+]?\d+(?:_\d+)*)/.exec(text) ?? [];
  if (digits === undefined) return 0;
  const plain = digits.replace(/^\+|_/g, "");
  // Leading zeros are none of the integer's digits.
  if (plain.length > MAX_DIGITS && plain.replace(/^-?0*/, "").length > MAX_DIGITS) throw tooManyDigits();
  return integerOf(BigInt(plain));
}

/** An integer, or a text that is one as a whole. @throws RenderFault */
export function toInteger(value: unknown): number {
  const shown = plainValue(value);
  if (typeof shown === "number" && Number.isSafeInteger(shown)) return shown;
  const text = typeof shown === "string" ? shown.trim() : isInteger(shown) ? String(shown) : "";
  if (!/^[-+]?\d+(?:_\d+)*$/.test(text)) throw new RenderFault("invalid integer");
  const digits = text.replaceAll("_", "");
  // A leading zero makes it octal.
  const number = /^[-+]?0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}

/** Says why a float that is no number, or has no end, cannot be made an integer, in Ruby's words. */
export function noInteger(number: number): string {
  return `Computation results in '${floatText(number)}'${Number.isNaN(number) ? " (Not a Number)" : ""}`;
}

/** The end of a range, the columns of a table: what is no number is 0, a fraction is cut off. */
export function truncated(value: unknown): number {
  const number = toNumber(value);
  const plain = number instanceof Float ? number.number : Number(number);
  if (!Number.isFinite(plain)) throw new RenderFault(noInteger(plain));
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(plain)));
}
