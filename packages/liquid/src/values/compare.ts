import { LiquidError } from "../errors.ts";
import { Drop, toPlainValue } from "./drop.ts";
import { Float, isFloat, isInteger } from "./float.ts";
import { Range } from "./range.ts";
import { entriesOf, inspect, textOf } from "./text.ts";
import { isBlankText } from "./whitespace.ts";

/** Implements `==`. A string never equals a number, but 1 equals 1.0. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const leftValue = toComparableValue(left);
  const rightValue = toComparableValue(right);
  if (leftValue === rightValue) return true;
  if (leftValue === null || rightValue === null) return false;
  if (typeof leftValue !== "object" || typeof rightValue !== "object") return isLooselyEqual(leftValue, rightValue);
  if (leftValue instanceof Drop) return leftValue.equals(rightValue);
  if (rightValue instanceof Drop) return rightValue.equals(leftValue);
  if (Array.isArray(leftValue) || Array.isArray(rightValue))
    return (
      Array.isArray(leftValue) &&
      Array.isArray(rightValue) &&
      leftValue.length === rightValue.length &&
      leftValue.every((item, index) => isEqual(item, rightValue[index]))
    );
  if (leftValue instanceof Range || rightValue instanceof Range)
    return (
      leftValue instanceof Range &&
      rightValue instanceof Range &&
      leftValue.first === rightValue.first &&
      leftValue.last === rightValue.last
    );
  return isEqualHash(leftValue, rightValue);
}

/** Returns whether a value is an empty string, list, or hash. */
export function isEmpty(value: unknown): boolean {
  const comparableValue = toComparableValue(value);
  if (typeof comparableValue === "string") return comparableValue === "";
  if (Array.isArray(comparableValue)) return comparableValue.length === 0;
  if (comparableValue instanceof Drop) return comparableValue.isEmpty() === true;
  if (typeof comparableValue !== "object" || comparableValue === null || comparableValue instanceof Range) return false;
  return entriesOf(comparableValue).length === 0;
}

/** Returns whether a value is empty, nil, false, or a string of whitespace. */
export function isBlank(value: unknown): boolean {
  const comparableValue = toComparableValue(value);
  if (comparableValue === null || comparableValue === false) return true;
  return typeof comparableValue === "string" ? isBlankText(comparableValue) : isEmpty(comparableValue);
}

/**
 * Compares two values. Returns a negative number, 0, or a positive number. Returns undefined for values without an
 * order, such as booleans.
 */
export function compareValues(left: unknown, right: unknown): number | undefined {
  const leftValue = toComparableValue(left);
  const rightValue = toComparableValue(right);
  if (typeof leftValue === "string" && typeof rightValue === "string")
    return leftValue < rightValue ? -1 : leftValue > rightValue ? 1 : 0;
  if (isNumber(leftValue) && isNumber(rightValue))
    return leftValue < rightValue
      ? -1
      : leftValue > rightValue
        ? 1
        : isSameNumber(leftValue, rightValue)
          ? 0
          : undefined;
  return isEqual(leftValue, rightValue) ? 0 : undefined;
}

/**
 * Implements `<`, `>`, `<=`, and `>=`. Nil, booleans, lists, and objects have no order, so the result is false.
 * @param testDifference tests the result of the comparison
 * @throws LiquidError for a string and a number
 */
export function testInequality(
  left: unknown,
  right: unknown,
  testDifference: (difference: number) => boolean,
): boolean {
  const leftValue = toComparableValue(left);
  const rightValue = toComparableValue(right);
  if (typeof leftValue === "number" && typeof rightValue === "number")
    return Number.isNaN(leftValue - rightValue) ? false : testDifference(leftValue - rightValue);
  const isComparable = (value: unknown): boolean => typeof value === "string" || isNumber(value);
  if (!isComparable(leftValue) || !isComparable(rightValue)) return false;
  const comparison = compareValues(leftValue, rightValue);
  if (comparison !== undefined) return testDifference(comparison);
  if (typeof leftValue === typeof rightValue) return false;
  const rightText = typeof rightValue === "string" ? "String" : inspect(toPlainValue(right));
  throw new LiquidError("render", `comparison of ${getRubyClassName(left)} with ${rightText} failed`);
}

/** Implements `contains`: a substring of a string, an item of a list, a key of a hash, or a number in a range. */
export function containsValue(left: unknown, right: unknown): boolean {
  const container = toPlainValue(left);
  const part = toPlainValue(right);
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
function getRubyClassName(value: unknown): string {
  const rawValue = toPlainValue(value);
  if (typeof rawValue === "string") return "String";
  return isFloat(rawValue) ? "Float" : isInteger(rawValue) ? "Integer" : "Object";
}

/**
 * Prepares a value for comparison. Floats become numbers, nil becomes null, and a drop becomes the value it represents.
 */
function toComparableValue(value: unknown): unknown {
  if (value instanceof Float) return value.number;
  const rawValue = toPlainValue(value);
  if (rawValue instanceof Float) return rawValue.number;
  return rawValue === undefined ? null : rawValue;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isSameNumber(leftValue: number | bigint, rightValue: number | bigint): boolean {
  return leftValue <= rightValue && leftValue >= rightValue;
}

/** Compares two values of which at least one is not an object: numbers by value, and a drop by its method `equals`. */
function isLooselyEqual(leftValue: unknown, rightValue: unknown): boolean {
  if (leftValue instanceof Drop) return leftValue.equals(rightValue);
  if (rightValue instanceof Drop) return rightValue.equals(leftValue);
  return isNumber(leftValue) && isNumber(rightValue) && isSameNumber(leftValue, rightValue);
}

function isEqualHash(leftValue: object, rightValue: object): boolean {
  const pairs = entriesOf(leftValue);
  const otherEntries = new Map(entriesOf(rightValue));
  return (
    pairs.length === otherEntries.size &&
    pairs.every(([key, value]) => otherEntries.has(key) && isEqual(value, otherEntries.get(key)))
  );
}
