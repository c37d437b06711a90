import { type FilterFamily, taking } from "../compile/filter.ts";
import { LiquidError } from "../errors.ts";
import { order } from "../values/compare.ts";
import { calculate, divide, isInteger, plainNumber, roundTo } from "../values/decimal.ts";
import { Float, integerOf } from "../values/float.ts";
import { type Numeric, noInteger, toNumber, truncated } from "../values/number.ts";

/** The result of two integers is an integer; one float operand makes the result a float: 7 / 2 is 3, 7 / 2.0 is 3.5. */
const binary: FilterFamily = {
  plus: (value, other) => calculate(toNumber(value), toNumber(other), "+"),
  minus: (value, other) => calculate(toNumber(value), toNumber(other), "-"),
  times: (value, other) => calculate(toNumber(value), toNumber(other), "*"),
  divided_by: (value, other) => divide(...divisible(value, other)),
  modulo: (value, other) => calculate(...divisible(value, other), "%"),
  at_least: (value, limit) => larger(toNumber(value), toNumber(limit), 1),
  at_most: (value, limit) => larger(toNumber(value), toNumber(limit), -1),
};

const unary: FilterFamily = {
  abs(value) {
    const number = toNumber(value);
    if (typeof number === "bigint") return number < 0n ? -number : number;
    return isInteger(number) ? Math.abs(number) : Float.of(Math.abs(plainNumber(number)));
  },
  ceil: (value) => toInteger(toNumber(value), Math.ceil),
  floor: (value) => toInteger(toNumber(value), Math.floor),
};

const rounding: FilterFamily = {
  /** Rounds a number half away from zero. */
  round(value, digits) {
    const number = toNumber(value);
    const places = digits === undefined ? 0 : truncated(digits);
    const rounded = roundTo(number, places);
    return places > 0 || isInteger(rounded) ? rounded : toInteger(rounded, Math.trunc);
  },
};

export const mathFilters = [...taking(1, 1, binary), ...taking(0, 0, unary), ...taking(0, 1, rounding)];

/**
 * Converts both operands of a division to numbers.
 * @throws LiquidError for an integer divided by 0; floats can be divided by 0
 */
function divisible(value: unknown, other: unknown): [value: Numeric, other: Numeric] {
  const [left, right] = [toNumber(value), toNumber(other)];
  if (isInteger(left) && isInteger(right) && plainNumber(right) === 0) throw new LiquidError("render", "divided by 0");
  return [left, right];
}

function toInteger(number: Numeric, cut: (number: number) => number): number | bigint {
  if (isInteger(number)) return number;
  const result = cut(plainNumber(number));
  if (!Number.isFinite(result)) throw new LiquidError("render", noInteger(result));
  return Number.isSafeInteger(result) ? result + 0 : integerOf(BigInt(result));
}

function larger(value: Numeric, limit: Numeric, sign: 1 | -1): Numeric {
  return sign * (order(value, limit) ?? 0) >= 0 ? value : limit;
}
