import { LiquidError } from "../errors.ts";
import { Drop, plainValue } from "./drop.ts";
import { Float, isFloat, isInteger } from "./float.ts";
import { Range } from "./range.ts";
import { entriesOf, inspect, textOf } from "./text.ts";

/** Implements `==`. A string never equals a number, but 1 equals 1.0. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const one = comparable(left);
  const other = comparable(right);
  if (one === other) return true;
  if (one === null || other === null) return false;
  if (typeof one !== "object" || typeof other !== "object") return isLoose(one, other);
  if (one instanceof Drop) return one.equals(other);
  if (other instanceof Drop) return other.equals(one);
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isEqual(item, other[index]))
    );
  if (one instanceof Range || other instanceof Range)
    return one instanceof Range && other instanceof Range && one.first === other.first && one.last === other.last;
  return isSameHash(one, other);
}

/** Returns whether a value is an empty string, list, or hash. */
export function isEmpty(value: unknown): boolean {
  const shown = comparable(value);
  if (typeof shown === "string") return shown === "";
  if (Array.isArray(shown)) return shown.length === 0;
  if (shown instanceof Drop) return shown.isEmpty() === true;
  if (typeof shown !== "object" || shown === null || shown instanceof Range) return false;
  return entriesOf(shown).length === 0;
}

/** Returns whether a value is empty, nil, false, or a string of whitespace. */
export function isBlank(value: unknown): boolean {
  const shown = comparable(value);
  if (shown === null || shown === false) return true;
  return typeof shown === "string" ? !/[^ \t\r\n\f\v]/.test(shown) : isEmpty(shown);
}

/** Compares two values. Returns a negative number, 0, or a positive number; undefined if they cannot be ordered. */
export function order(left: unknown, right: unknown): number | undefined {
  const one = comparable(left);
  const other = comparable(right);
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : one > other ? 1 : 0;
  if (isNumber(one) && isNumber(other))
    return one < other ? -1 : one > other ? 1 : isSameNumber(one, other) ? 0 : undefined;
  return isEqual(one, other) ? 0 : undefined;
}

/**
 * Implements `<`, `>`, `<=`, and `>=`. Nil, booleans, lists, and objects cannot be ordered.
 * @param test tests the result of the comparison
 * @throws LiquidError for a string and a number
 */
export function compare(left: unknown, right: unknown, test: (order: number) => boolean): boolean {
  const one = comparable(left);
  const other = comparable(right);
  if (typeof one === "number" && typeof other === "number")
    return Number.isNaN(one - other) ? false : test(one - other);
  const isOrdered = (value: unknown): boolean => typeof value === "string" || isNumber(value);
  if (!isOrdered(one) || !isOrdered(other)) return false;
  const found = order(one, other);
  if (found !== undefined) return test(found);
  if (typeof one === typeof other) return false;
  const shown = typeof other === "string" ? "String" : inspect(plainValue(right));
  throw new LiquidError("render", `comparison of ${typeName(left)} with ${shown} failed`);
}

/** Implements `contains`: a substring of a string, an item of a list, a key of a hash, or a number in a range. */
export function contains(left: unknown, right: unknown): boolean {
  const container = plainValue(left);
  const part = plainValue(right);
  if (part === undefined || part === null || part === false) return false;
  if (typeof container === "string") return container.includes(textOf(part));
  const items = container instanceof Drop ? container.items() : container;
  if (Array.isArray(items)) return items.some((item) => isEqual(item, part));
  if (items instanceof Range) return isNumber(part) && part >= items.first && part <= items.last;
  if (items instanceof Map) return items.has(part);
  if (typeof items !== "object" || items === null || items instanceof Drop) return false;
  return typeof part === "string" && Object.hasOwn(items, part);
}

/** Returns the name of the Ruby class of a value, for error messages. */
function typeName(value: unknown): string {
  const shown = plainValue(value);
  if (typeof shown === "string") return "String";
  return isFloat(shown) ? "Float" : isInteger(shown) ? "Integer" : "Object";
}

/** Converts a value for comparison: floats to numbers, nil to null, and drops to their value. */
function comparable(value: unknown): unknown {
  if (value instanceof Float) return value.number;
  const shown = plainValue(value);
  if (shown instanceof Float) return shown.number;
  return shown === undefined ? null : shown;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isSameNumber(one: number | bigint, other: number | bigint): boolean {
  return one <= other && one >= other;
}

/** Compares two values of which at least one is not an object. */
function isLoose(one: unknown, other: unknown): boolean {
  if (one instanceof Drop) return one.equals(other);
  if (other instanceof Drop) return other.equals(one);
  return isNumber(one) && isNumber(other) && isSameNumber(one, other);
}

function isSameHash(one: object, other: object): boolean {
  const pairs = entriesOf(one);
  const otherEntries = new Map(entriesOf(other));
  return (
    pairs.length === otherEntries.size &&
    pairs.every(([key, value]) => otherEntries.has(key) && isEqual(value, otherEntries.get(key)))
  );
}
