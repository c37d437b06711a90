import { type FilterFamily, taking } from "../compile/filter.ts";
import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import { isEqual, order } from "../values/compare.ts";
import { calculate } from "../values/decimal.ts";
import { Drop, isTruthy, plainValue } from "../values/drop.ts";
import { firstOf, lastOf, sizeOf } from "../values/field.ts";
import { isFloat } from "../values/float.ts";
import { type Numeric, toNumber } from "../values/number.ts";
import { inspect, textOf } from "../values/text.ts";
import { hasProperties, noProperty, propertyOf } from "./property.ts";

const ends: FilterFamily = {
  first: (value) => firstOf(value),
  last: (value) => lastOf(value),
  size: (value) => sizeOf(value) ?? 0,
  reverse(value) {
    return this.list(value).toReversed();
  },
};

const selections: FilterFamily = {
  where(value, name, wanted) {
    return select(this, value, [], (list) => list.filter(matcher(name, wanted)));
  },
  reject(value, name, wanted) {
    const isMatch = matcher(name, wanted);
    return select(this, value, [], (list) => list.filter((item) => !isMatch(item)));
  },
  find(value, name, wanted) {
    return select(this, value, undefined, (list) => list.find(matcher(name, wanted)));
  },
  find_index(value, name, wanted) {
    return select(this, value, undefined, (list) => {
      const index = list.findIndex(matcher(name, wanted));
      return index < 0 ? undefined : index;
    });
  },
  has(value, name, wanted) {
    return select(this, value, false, (list) => list.some(matcher(name, wanted)));
  },
};

const byField: FilterFamily = {
  sort(value, ...args) {
    return sort(this.list(value), args);
  },
  sort_natural(value, ...args) {
    return sortNatural(this.list(value), args);
  },
  uniq(value, name) {
    const seen = new Set<unknown>();
    return select(this, value, [], (list) =>
      list.filter((item) => seen.size < seen.add(identityOf(isNil(name) ? item : required(item, name))).size),
    );
  },
  compact(value, name) {
    return select(this, value, [], (list) => list.filter((item) => !isNil(isNil(name) ? item : required(item, name))));
  },
  sum(value, name) {
    let sum: Numeric = 0;
    for (const item of this.list(value)) {
      const found = isNil(name) ? item : propertyOf(item, name);
      sum = calculate(sum, toNumber(found), "+");
    }
    return sum;
  },
  join(value, ...args) {
    const glue = args.length === 0 ? " " : textOf(args[0]);
    let length = 0;
    const parts = this.list(value).map((item) => {
      const text = textOf(item);
      length += text.length + glue.length;
      return text;
    });
    this.reserve(length);
    return parts.join(glue);
  },
};

const listFilters: FilterFamily = {
  map(value, name) {
    return this.list(value).map((item) => {
      const found = propertyOf(item, name);
      return found === noProperty ? undefined : found;
    });
  },
  concat(value, other) {
    if (!Array.isArray(other)) throw new LiquidError("render", "concat filter requires an array argument");
    return [...this.list(value), ...other];
  },
};

export const arrayFilters = [
  ...taking(0, 0, ends),
  ...taking(1, 2, selections),
  ...taking(0, 1, byField),
  ...taking(1, 1, listFilters),
];

/**
 * Returns the test of `where` and similar filters. Without a value, the field must be neither false nor nil; with a
 * value, the field must be equal to it.
 */
function matcher(name: unknown, wanted: unknown): (item: unknown) => boolean {
  return isNil(wanted) ? (item) => isTruthy(required(item, name)) : (item) => isEqual(required(item, name), wanted);
}

/**
 * Calls `pick` with the list.
 * @param empty result for an empty list
 * @returns undefined if an item has no properties
 */
function select<Result>(
  context: Context,
  value: unknown,
  empty: Result,
  pick: (list: readonly unknown[]) => Result,
): Result | undefined {
  const list = context.list(value);
  if (list.length === 0) return empty;
  try {
    return pick(list);
  } catch (error) {
    if (error === noProperty) return undefined;
    throw error;
  }
}

/** Returns a property of an item.  @throws `noProperty` if the item has no properties */
function required(item: unknown, name: unknown): unknown {
  if (!hasProperties(item)) throw noProperty;
  return propertyOf(item, name);
}

function isNil(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Returns the key by which `uniq` compares values. 1 and 1.0 differ, and an object equals only itself. */
export function identityOf(value: unknown): unknown {
  const shown = plainValue(value);
  if (shown === undefined || shown === null) return "nil";
  if (typeof shown === "string") return `"${shown}`;
  if (shown instanceof Drop) return shown;
  return isFloat(shown) ? textOf(shown) : inspect(shown);
}

/**
 * Sorts a list by value, or by a field of its items.
 * @param args name of the field, or empty
 * @returns undefined if an item has no fields
 * @throws LiquidError if items cannot be compared
 */
export function sort(list: readonly unknown[], args: readonly unknown[]): unknown {
  return sorted(list, args, compareItems);
}

/** Sorts a list like `sort`, but compares strings without case. */
export function sortNatural(list: readonly unknown[], args: readonly unknown[]): unknown {
  return sorted(list, args, compareTexts);
}

function sorted(
  list: readonly unknown[],
  [name]: readonly unknown[],
  compare: (left: unknown, right: unknown) => number,
): unknown {
  if (name === undefined || name === null)
    return list.toSorted((left, right) => compare(wrapped(left), wrapped(right)));
  if (!list.every(hasProperties)) return undefined;
  const keyed = list.map((item) => ({ item, key: propertyOf(item, name) }));
  return keyed.sort((left, right) => compare(left.key, right.key)).map(({ item }) => item);
}

/** Replaces undefined by null, since `Array.sort` moves undefined to the end without calling the comparison. */
function wrapped(value: unknown): unknown {
  return value === undefined ? null : value;
}

/** Compares two items; nil sorts last. */
function compareItems(left: unknown, right: unknown): number {
  const found = order(left, right);
  if (found !== undefined) return found;
  if (left === undefined || left === null) return 1;
  if (right === undefined || right === null) return -1;
  throw new LiquidError("render", "cannot sort values of incompatible types");
}

function compareTexts(left: unknown, right: unknown): number {
  const isLeftNil = left === undefined || left === null;
  const isRightNil = right === undefined || right === null;
  if (isLeftNil || isRightNil) return Number(isLeftNil) - Number(isRightNil);
  const [one, other] = [foldCase(left), foldCase(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function foldCase(value: unknown): string {
  return textOf(value).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
