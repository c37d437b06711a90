import { Float, integerOf } from "./float.ts";
import type { Numeric } from "./number.ts";

/** An operator of {@link calculate}. */
export type Operation = "+" | "-" | "*" | "%";

/** Calculates like Liquid: integers are exact at any size, and fractions are decimal (0.1 + 0.2 is 0.3). */
export function calculate(left: Numeric, right: Numeric, operation: Operation): Numeric {
  if (typeof left === "number" && typeof right === "number" && Number.isInteger(left) && Number.isInteger(right)) {
    const result = plain(left, right, operation);
    if (Number.isSafeInteger(result)) return result === 0 ? 0 : result;
  }
  const [first, second] = [plainNumber(left), plainNumber(right)];
  if (!isInteger(left) || !isInteger(right)) {
    if (operation === "%" && Number.isFinite(first) && Math.abs(second) === Number.POSITIVE_INFINITY)
      return first * second >= 0 || first === 0 ? left : second;
    if (!Number.isFinite(first + second)) return plain(first, second, operation);
    if (operation === "%" && second === 0) return Number.NaN;
    // Decimals cannot represent negative zero.
    if (operation === "*" && first * second === 0) return Float.of(first * second);
  }
  const one = decimalOf(left);
  const other = decimalOf(right);
  if (operation === "*")
    return numeric({ digits: one.digits * other.digits, places: one.places + other.places }, left, right);
  const places = Math.max(one.places, other.places);
  const a = scaled(one, places);
  const b = scaled(other, places);
  const digits = operation === "+" ? a + b : operation === "-" ? a - b : modulo(a, b);
  return numeric({ digits, places }, left, right);
}

/**
 * Rounds a number half away from zero.
 * @param places number of digits after the decimal point; negative numbers round before it
 */
export function roundTo(value: Numeric, places: number): Numeric {
  if (!Number.isFinite(plainNumber(value)) && typeof value !== "bigint") return value;
  const decimal = decimalOf(value);
  const targetPlaces = Math.max(-maxPlaces, Math.min(places, decimal.places));
  const unit = 10n ** BigInt(decimal.places - targetPlaces);
  const size = decimal.digits < 0n ? -decimal.digits : decimal.digits;
  const rounded = ((size + unit / 2n) / unit) * unit;
  const digits = decimal.digits < 0n ? -rounded : rounded;
  const isInteger = typeof value !== "number" || Number.isInteger(value) ? !(value instanceof Float) : false;
  const exact = { digits, places: decimal.places };
  return isInteger ? integerOf(digits / 10n ** BigInt(decimal.places)) : Float.of(numberOf(exact));
}

/**
 * Divides two numbers. The quotient of two integers is rounded down.
 * @param right divisor; must not be 0 if both are integers
 */
export function divide(left: Numeric, right: Numeric): Numeric {
  if (isInteger(left) && isInteger(right)) {
    if (typeof left === "number" && typeof right === "number") return Math.floor(left / right) + 0;
    const [one, other] = [BigInt(left), BigInt(right)];
    return integerOf((one - modulo(one, other)) / other);
  }
  const [first, second] = [plainNumber(left), plainNumber(right)];
  const quotient = first / second;
  if (!Number.isFinite(first) || !Number.isFinite(second) || quotient === 0 || second === 0) return Float.of(quotient);
  const one = decimalOf(left);
  const other = decimalOf(right);
  const places = quotientDigits + digitsIn(other.digits) + Math.max(0, other.places - one.places);
  const digits = (one.digits * 10n ** BigInt(places)) / other.digits;
  return Float.of(numberOf({ digits, places: one.places + places - other.places }));
}

/** Number of digits of a quotient, more than a float can represent. */
const quotientDigits = 32;

function digitsIn(value: bigint): number {
  return String(value).length;
}

export function plainNumber(value: Numeric): number {
  return value instanceof Float ? value.number : Number(value);
}

export function isInteger(value: Numeric): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
}

/** Maximum number of digits after the decimal point. */
const maxPlaces = 350;

interface Decimal {
  readonly digits: bigint;
  /** Number of digits after the decimal point. */
  readonly places: number;
}

function decimalOf(value: Numeric): Decimal {
  if (isInteger(value)) return { digits: BigInt(value), places: 0 };
  const [mantissa = "0", exponent = "0"] = String(value instanceof Float ? value.number : value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}

function numberOf({ digits, places }: Decimal): number {
  return Number(`${digits}e${-places}`);
}

/** Converts a result to a number: an integer if both operands are integers, otherwise a float. */
function numeric(result: Decimal, left: Numeric, right: Numeric): Numeric {
  if (isInteger(left) && isInteger(right)) return integerOf(result.digits);
  return Float.of(numberOf(result));
}

function plain(left: number, right: number, operation: Operation): number {
  if (operation === "+") return left + right;
  if (operation === "-") return left - right;
  return operation === "*" ? left * right : left - right * Math.floor(left / right);
}

/** Returns the remainder with the sign of the divisor, as in Ruby. */
function modulo(left: bigint, right: bigint): bigint {
  const rest = left % right;
  return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest;
}
