import { toValue } from "liquidjs";
import { floatOf, WholeFloat } from "../liquid/whole-float.ts";
import { type FilterFamily, runtimeFault } from "./filter.ts";

/** Whole numbers stay whole, and one number with a fraction makes the result one: 7 / 2 is 3, 7 / 2.0 is 3.5. */
export const mathFilters: FilterFamily = {
  plus: (value, other) => calculate(value, other, (left, right) => left + right),
  minus: (value, other) => calculate(value, other, (left, right) => left - right),
  times: (value, other) => calculate(value, other, (left, right) => left * right),
  /** Rounded down where both are whole. */
  divided_by(value, other) {
    const left = numeric(value);
    const right = numeric(other);
    if (right.number === 0) return runtimeFault(this, "divided by 0");
    const isFloat = left.isFloat || right.isFloat;
    return made(isFloat ? left.number / right.number : Math.floor(left.number / right.number), isFloat);
  },
  /** Has the sign of the divisor. */
  modulo(value, other) {
    const right = numeric(other).number;
    if (right === 0) return runtimeFault(this, "divided by 0");
    return calculate(value, other, (left) => left - right * Math.floor(left / right));
  },
  abs(value) {
    const { number, isFloat } = numeric(value);
    return made(Math.abs(number), isFloat);
  },
  ceil: (value) => made(Math.ceil(numeric(value).number), false),
  floor: (value) => made(Math.floor(numeric(value).number), false),
  /** Halves go away from zero. */
  round(value, digits) {
    const { number, isFloat } = numeric(value);
    const places = Math.max(-15, Math.min(15, Math.trunc(numeric(digits).number)));
    const rounded = Number(`${Math.round(Number(`${Math.abs(number)}e${places}`))}e${-places}`) * Math.sign(number);
    return made(Number.isNaN(rounded) ? number : rounded, isFloat && places > 0);
  },
  at_least: (value, limit) => larger(value, limit, 1),
  at_most: (value, limit) => larger(value, limit, -1),
};

interface Numeric {
  readonly number: number;
  readonly isFloat: boolean;
}

/** A text counts as far as it begins with a number; what is no number is 0. */
export function numeric(value: unknown): Numeric {
  if (value instanceof WholeFloat) return { number: value.number, isFloat: true };
  const shown: unknown = toValue(value);
  if (typeof shown === "number" && Number.isFinite(shown)) return { number: shown, isFloat: !Number.isInteger(shown) };
  const text = typeof shown === "string" ? shown.trim() : "";
  const isFloat = /^-?\d+\.\d+$/.test(text);
  const number = Number.parseFloat(isFloat ? text : (/^[-+]?\d+/.exec(text)?.[0] ?? "0"));
  return { number: Number.isFinite(number) ? number : 0, isFloat };
}

function calculate(value: unknown, other: unknown, operation: (left: number, right: number) => number): unknown {
  const left = numeric(value);
  const right = numeric(other);
  const isFloat = left.isFloat || right.isFloat;
  const result = operation(left.number, right.number);
  // Liquid reckons fractions in decimals: 0.1 + 0.2 is 0.3.
  return made(isFloat ? Number(result.toPrecision(15)) : result, isFloat);
}

function larger(value: unknown, limit: unknown, sign: 1 | -1): unknown {
  const left = numeric(value);
  const right = numeric(limit);
  const { number, isFloat } = sign * left.number >= sign * right.number ? left : right;
  return made(number, isFloat);
}

function made(number: number, isFloat: boolean): number | WholeFloat | undefined {
  if (!Number.isFinite(number)) return undefined;
  const shown = number === 0 ? 0 : number;
  return isFloat ? floatOf(shown) : shown;
}
