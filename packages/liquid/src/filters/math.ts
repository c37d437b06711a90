import { defineFilters, type FilterFunctions } from "../compile/filter.ts";
import { LiquidError } from "../errors.ts";
import { compareValues } from "../values/compare.ts";
import { applyOperation, divide, roundToPlaces, toPlainNumber } from "../values/decimal.ts";
import { Float, isInteger, normalizeInteger } from "../values/float.ts";
import { formatNotIntegerMessage, type NumericValue, toNumber, truncateToInteger } from "../values/number.ts";

/** The result of two integers is an integer; one float operand makes the result a float: 7 / 2 is 3, 7 / 2.0 is 3.5. */
const arithmeticFilters: FilterFunctions = {
  plus: (value, argument) => applyOperation(toNumber(value), toNumber(argument), "+"),
  minus: (value, argument) => applyOperation(toNumber(value), toNumber(argument), "-"),
  times: (value, argument) => applyOperation(toNumber(value), toNumber(argument), "*"),
  divided_by: (value, argument) => divide(...toNumericPair(value, argument)),
  modulo: (value, argument) => applyOperation(...toNumericPair(value, argument), "%"),
  at_least: (value, limit) => clampValue(toNumber(value), toNumber(limit), 1),
  at_most: (value, limit) => clampValue(toNumber(value), toNumber(limit), -1),
};

const unaryFilters: FilterFunctions = {
  abs(value) {
    const number = toNumber(value);
    if (typeof number === "bigint") return number < 0n ? -number : number;
    return isInteger(number) ? Math.abs(number) : Float.of(Math.abs(toPlainNumber(number)));
  },
  ceil: (value) => toInteger(toNumber(value), Math.ceil),
  floor: (value) => toInteger(toNumber(value), Math.floor),
};

const roundingFilters: FilterFunctions = {
  /** Rounds a number half away from zero. */
  round(value, digits) {
    const number = toNumber(value);
    const decimalPlaces = digits === undefined ? 0 : truncateToInteger(digits);
    const roundedNumber = roundToPlaces(number, decimalPlaces);
    return decimalPlaces > 0 || isInteger(roundedNumber) ? roundedNumber : toInteger(roundedNumber, Math.trunc);
  },
};

export const mathFilters = [
  ...defineFilters(1, 1, arithmeticFilters),
  ...defineFilters(0, 0, unaryFilters),
  ...defineFilters(0, 1, roundingFilters),
];

/**
 * Converts both operands of a division to numbers.
 * @throws LiquidError for an integer divided by 0; floats can be divided by 0
 */
function toNumericPair(value: unknown, argument: unknown): [value: NumericValue, other: NumericValue] {
  const [left, right] = [toNumber(value), toNumber(argument)];
  if (isInteger(left) && isInteger(right) && toPlainNumber(right) === 0)
    throw new LiquidError("render", "divided by 0");
  return [left, right];
}

function toInteger(number: NumericValue, roundNumber: (number: number) => number): number | bigint {
  if (isInteger(number)) return number;
  const result = roundNumber(toPlainNumber(number));
  if (!Number.isFinite(result)) throw new LiquidError("render", formatNotIntegerMessage(result));
  return Number.isSafeInteger(result) ? result + 0 : normalizeInteger(BigInt(result));
}

function clampValue(value: NumericValue, limit: NumericValue, sign: 1 | -1): NumericValue {
  return sign * (compareValues(value, limit) ?? 0) >= 0 ? value : limit;
}
