import { Float, isInteger, normalizeInteger } from "./float.ts";
import type { NumericValue } from "./number.ts";

/** An operator of {@link applyOperation}. */
export type Operator = "+" | "-" | "*" | "%";

/** Implements arithmetic as in Liquid: integers are exact at any size, and fractions are decimal (0.1 + 0.2 is 0.3). */
export function applyOperation(left: NumericValue, right: NumericValue, operation: Operator): NumericValue {
  if (typeof left === "number" && typeof right === "number" && Number.isInteger(left) && Number.isInteger(right)) {
    const result = calculateFloat(left, right, operation);
    if (Number.isSafeInteger(result)) return result === 0 ? 0 : result;
  }
  const [leftNumber, rightNumber] = [toPlainNumber(left), toPlainNumber(right)];
  if (!isInteger(left) || !isInteger(right)) {
    if (operation === "%" && Number.isFinite(leftNumber) && Math.abs(rightNumber) === Number.POSITIVE_INFINITY)
      return leftNumber * rightNumber >= 0 || leftNumber === 0 ? left : rightNumber;
    if (!Number.isFinite(leftNumber + rightNumber)) return calculateFloat(leftNumber, rightNumber, operation);
    if (operation === "%" && rightNumber === 0) return Number.NaN;
    // Decimals cannot represent negative zero.
    if (operation === "*" && leftNumber * rightNumber === 0) return Float.of(leftNumber * rightNumber);
  }
  const leftDecimal = toDecimal(left);
  const rightDecimal = toDecimal(right);
  if (operation === "*")
    return toNumericValue(
      {
        digits: leftDecimal.digits * rightDecimal.digits,
        decimalPlaces: leftDecimal.decimalPlaces + rightDecimal.decimalPlaces,
      },
      left,
      right,
    );
  const digitCount = Math.max(leftDecimal.decimalPlaces, rightDecimal.decimalPlaces);
  const leftDigits = scaleDigits(leftDecimal, digitCount);
  const rightDigits = scaleDigits(rightDecimal, digitCount);
  const digits =
    operation === "+"
      ? leftDigits + rightDigits
      : operation === "-"
        ? leftDigits - rightDigits
        : modulo(leftDigits, rightDigits);
  return toNumericValue({ digits, decimalPlaces: digitCount }, left, right);
}

/**
 * Rounds a number half away from zero.
 * @param placeCount number of digits after the decimal point; -2 rounds to hundreds
 */
export function roundToPlaces(value: NumericValue, placeCount: number): NumericValue {
  if (!Number.isFinite(toPlainNumber(value)) && typeof value !== "bigint") return value;
  const decimal = toDecimal(value);
  const targetDecimals = Math.max(-maxDecimalPlaces, Math.min(placeCount, decimal.decimalPlaces));
  const roundingUnit = 10n ** BigInt(decimal.decimalPlaces - targetDecimals);
  const magnitude = decimal.digits < 0n ? -decimal.digits : decimal.digits;
  const roundedMagnitude = ((magnitude + roundingUnit / 2n) / roundingUnit) * roundingUnit;
  const digits = decimal.digits < 0n ? -roundedMagnitude : roundedMagnitude;
  const isInteger = typeof value !== "number" || Number.isInteger(value) ? !(value instanceof Float) : false;
  const roundedDecimal = { digits, decimalPlaces: decimal.decimalPlaces };
  return isInteger
    ? normalizeInteger(digits / 10n ** BigInt(decimal.decimalPlaces))
    : Float.of(decimalToNumber(roundedDecimal));
}

/**
 * Divides two numbers. The quotient of two integers is rounded down.
 * @param right divisor; must not be 0 if both are integers
 */
export function divide(left: NumericValue, right: NumericValue): NumericValue {
  if (isInteger(left) && isInteger(right)) {
    if (typeof left === "number" && typeof right === "number") return Math.floor(left / right) + 0;
    const [leftInteger, rightInteger] = [BigInt(left), BigInt(right)];
    return normalizeInteger((leftInteger - modulo(leftInteger, rightInteger)) / rightInteger);
  }
  const [leftNumber, rightNumber] = [toPlainNumber(left), toPlainNumber(right)];
  const quotient = leftNumber / rightNumber;
  if (!Number.isFinite(leftNumber) || !Number.isFinite(rightNumber) || quotient === 0 || rightNumber === 0)
    return Float.of(quotient);
  const leftDecimal = toDecimal(left);
  const rightDecimal = toDecimal(right);
  const digitCount =
    maxQuotientDigits +
    countDigits(rightDecimal.digits) +
    Math.max(0, rightDecimal.decimalPlaces - leftDecimal.decimalPlaces);
  const digits = (leftDecimal.digits * 10n ** BigInt(digitCount)) / rightDecimal.digits;
  return Float.of(
    decimalToNumber({ digits, decimalPlaces: leftDecimal.decimalPlaces + digitCount - rightDecimal.decimalPlaces }),
  );
}

/** Minimum number of significant digits of a quotient before it is rounded to a float, which has at most 17. */
const maxQuotientDigits = 32;

function countDigits(value: bigint): number {
  return String(value).length;
}

export function toPlainNumber(value: NumericValue): number {
  return value instanceof Float ? value.number : Number(value);
}

/** Maximum number of integer digits that rounding can set to 0. The largest float has 309 integer digits. */
const maxDecimalPlaces = 350;

interface Decimal {
  readonly digits: bigint;
  /** Number of digits after the decimal point. */
  readonly decimalPlaces: number;
}

function toDecimal(value: NumericValue): Decimal {
  if (isInteger(value)) return { digits: BigInt(value), decimalPlaces: 0 };
  const [mantissa = "0", exponent = "0"] = String(value instanceof Float ? value.number : value).split("e");
  const [integerPart = "0", fraction = ""] = mantissa.split(".");
  const digitCount = fraction.length - Number(exponent);
  const digits = BigInt(integerPart + fraction);
  return digitCount < 0
    ? { digits: digits * 10n ** BigInt(-digitCount), decimalPlaces: 0 }
    : { digits, decimalPlaces: digitCount };
}

function scaleDigits({ digits, decimalPlaces }: Decimal, newDecimalPlaces: number): bigint {
  return digits * 10n ** BigInt(newDecimalPlaces - decimalPlaces);
}

function decimalToNumber({ digits, decimalPlaces }: Decimal): number {
  return Number(`${digits}e${-decimalPlaces}`);
}

/** Converts a result to a number: an integer if both operands are integers, otherwise a float. */
function toNumericValue(result: Decimal, left: NumericValue, right: NumericValue): NumericValue {
  if (isInteger(left) && isInteger(right)) return normalizeInteger(result.digits);
  return Float.of(decimalToNumber(result));
}

function calculateFloat(left: number, right: number, operation: Operator): number {
  if (operation === "+") return left + right;
  if (operation === "-") return left - right;
  return operation === "*" ? left * right : left - right * Math.floor(left / right);
}

/** Returns the remainder with the sign of the divisor, as in Ruby. */
function modulo(left: bigint, right: bigint): bigint {
  const remainder = left % right;
  return remainder !== 0n && remainder < 0n !== right < 0n ? remainder + right : remainder;
}
