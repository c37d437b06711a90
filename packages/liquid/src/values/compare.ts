import { RenderFault } from "../errors.ts";
import { Drop, plainValue } from "./drop.ts";
import { Float, isFloat, isInteger } from "./float.ts";
import { Range } from "./range.ts";
import { entriesOf, inspect, textOf } from "./text.ts";

/** What `==` says: texts and numbers are never equal, 1 and 1.0 are. */
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

/** A text, list or hash with nothing in it. */
export function isEmpty(value: unknown): boolean {
  const shown = comparable(value);
  if (typeof shown === "string") return shown === "";
  if (Array.isArray(shown)) return shown.length === 0;
  if (shown instanceof Drop) return shown.isEmpty() === true;
  if (typeof shown !== "object" || shown === null || shown instanceof Range) return false;
  return entriesOf(shown).length === 0;
}

/** Empty, or nil, false or a text of blanks alone. */
export function isBlank(value: unknown): boolean {
  const shown = comparable(value);
  if (shown === null || shown === false) return true;
  return typeof shown === "string" ? !/[^ \t\r\n\f\v]/.test(shown) : isEmpty(shown);
}

/** Less than 0, 0 or more: which comes first; undefined: the two are in no order. */
export function order(left: unknown, right: unknown): number | undefined {
  const one = comparable(left);
  const other = comparable(right);
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : one > other ? 1 : 0;
  if (isNumber(one) && isNumber(other))
    return one < other ? -1 : one > other ? 1 : isSameNumber(one, other) ? 0 : undefined;
  return isEqual(one, other) ? 0 : undefined;
}

/** What `<`, `>`, `<=` and `>=` say. Nil, booleans, lists and objects are in no order. @throws RenderFault of a text and a number */
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
  throw new RenderFault(`comparison of ${typeName(left)} with ${shown} failed`);
}

/** A text in a text, an item in a list, a key in a hash, a number in a range. */
export function contains(left: unknown, right: unknown): boolean {
  const whole = plainValue(left);
  const part = plainValue(right);
  if (part === undefined || part === null || part === false) return false;
  if (typeof whole === "string") return whole.includes(textOf(part));
  const items = whole instanceof Drop ? whole.items() : whole;
  if (Array.isArray(items)) return items.some((item) => isEqual(item, part));
  if (items instanceof Range) return isNumber(part) && part >= items.first && part <= items.last;
  if (items instanceof Map) return items.has(part);
  if (typeof items !== "object" || items === null || items instanceof Drop) return false;
  return typeof part === "string" && Object.hasOwn(items, part);
}

/** Ruby's name of the class: for messages. */
function typeName(value: unknown): string {
  const shown = plainValue(value);
  if (typeof shown === "string") return "String";
  return isFloat(shown) ? "Float" : isInteger(shown) ? "Integer" : "Object";
}

/** Floats as numbers, nil as null, a drop as what it stands for. */
function comparable(value: unknown): unknown {
  if (value instanceof Float) return value.number;
  const shown = plainValue(value);
  if (shown instanceof Float) return shown.number;
  return shown === undefined ? null : shown;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Of either kind. */
function isSameNumber(one: number | bigint, other: number | bigint): boolean {
  return one <= other && one >= other;
}

/** One is no object. */
function isLoose(one: unknown, other: unknown): boolean {
  if (one instanceof Drop) return one.equals(other);
  if (other instanceof Drop) return other.equals(one);
  return isNumber(one) && isNumber(other) && isSameNumber(one, other);
}

function isSameHash(one: object, other: object): boolean {
  const pairs = entriesOf(one);
  const others = new Map(entriesOf(other));
  return (
    pairs.length === others.size && pairs.every(([key, value]) => others.has(key) && isEqual(value, others.get(key)))
  );
}
