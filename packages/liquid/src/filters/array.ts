import { defineFilters, type FilterFunctions } from "../compile/filter.ts";
import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import { compareValues, isEqual } from "../values/compare.ts";
import { applyOperation } from "../values/decimal.ts";
import { Drop, isTruthy, toPlainValue } from "../values/drop.ts";
import { firstItemOf, lastItemOf, sizeOf } from "../values/field.ts";
import { isFloat } from "../values/float.ts";
import { type NumericValue, toNumber } from "../values/number.ts";
import { inspect, textOf } from "../values/text.ts";
import { hasProperties, missingPropertyMarker, readProperty } from "./property.ts";
import { isNil } from "./text.ts";

const firstAndLastFilters: FilterFunctions = {
  first: (value) => firstItemOf(value),
  last: (value) => lastItemOf(value),
  size: (value) => sizeOf(value) ?? 0,
  reverse(value) {
    return this.toList(value).toReversed();
  },
};

const selectionFilters: FilterFunctions = {
  where(value, name, expectedValue) {
    return selectItems(this, value, [], (list) => list.filter(createItemMatcher(name, expectedValue)));
  },
  reject(value, name, expectedValue) {
    const isMatch = createItemMatcher(name, expectedValue);
    return selectItems(this, value, [], (list) => list.filter((item) => !isMatch(item)));
  },
  find(value, name, expectedValue) {
    return selectItems(this, value, undefined, (list) => list.find(createItemMatcher(name, expectedValue)));
  },
  find_index(value, name, expectedValue) {
    return selectItems(this, value, undefined, (list) => {
      const index = list.findIndex(createItemMatcher(name, expectedValue));
      return index < 0 ? undefined : index;
    });
  },
  has(value, name, expectedValue) {
    return selectItems(this, value, false, (list) => list.some(createItemMatcher(name, expectedValue)));
  },
};

const fieldFilters: FilterFunctions = {
  sort(value, ...args) {
    return sort(this.toList(value), args);
  },
  sort_natural(value, ...args) {
    return sortNatural(this.toList(value), args);
  },
  uniq(value, name) {
    const seenKeys = new Set<unknown>();
    return selectItems(this, value, [], (list) =>
      list.filter(
        (item) => seenKeys.size < seenKeys.add(getIdentityKey(isNil(name) ? item : requireProperty(item, name))).size,
      ),
    );
  },
  compact(value, name) {
    return selectItems(this, value, [], (list) =>
      list.filter((item) => !isNil(isNil(name) ? item : requireProperty(item, name))),
    );
  },
  sum(value, name) {
    let sum: NumericValue = 0;
    for (const item of this.toList(value)) {
      const property = isNil(name) ? item : readProperty(item, name);
      sum = applyOperation(sum, toNumber(property), "+");
    }
    return sum;
  },
  join(value, ...args) {
    const separator = args.length === 0 ? " " : textOf(args[0]);
    let length = 0;
    const parts = this.toList(value).map((item) => {
      const text = textOf(item);
      length += text.length + separator.length;
      return text;
    });
    this.checkLength(length);
    return parts.join(separator);
  },
};

const itemFilters: FilterFunctions = {
  map(value, name) {
    return this.toList(value).map((item) => {
      const property = readProperty(item, name);
      return property === missingPropertyMarker ? undefined : property;
    });
  },
  concat(value, otherList) {
    if (!Array.isArray(otherList)) throw new LiquidError("render", "concat filter requires an array argument");
    return [...this.toList(value), ...otherList];
  },
};

export const arrayFilters = [
  ...defineFilters(0, 0, firstAndLastFilters),
  ...defineFilters(1, 2, selectionFilters),
  ...defineFilters(0, 1, fieldFilters),
  ...defineFilters(1, 1, itemFilters),
];

/**
 * Returns the test of `where` and similar filters. Without a value, the field must be neither false nor nil; with a
 * value, the field must be equal to it.
 */
function createItemMatcher(name: unknown, expectedValue: unknown): (item: unknown) => boolean {
  return isNil(expectedValue)
    ? (item) => isTruthy(requireProperty(item, name))
    : (item) => isEqual(requireProperty(item, name), expectedValue);
}

/**
 * Converts a value to a list and returns the result of `chooseValue` for it.
 * @param emptyResult result for an empty list
 * @returns undefined if an item has no properties
 */
function selectItems<Result>(
  context: Context,
  value: unknown,
  emptyResult: Result,
  chooseValue: (list: readonly unknown[]) => Result,
): Result | undefined {
  const list = context.toList(value);
  if (list.length === 0) return emptyResult;
  try {
    return chooseValue(list);
  } catch (error) {
    if (error === missingPropertyMarker) return undefined;
    throw error;
  }
}

/** Returns a property of an item.  @throws `missingPropertyMarker` if the item has no properties */
function requireProperty(item: unknown, name: unknown): unknown {
  if (!hasProperties(item)) throw missingPropertyMarker;
  return readProperty(item, name);
}

/** Returns the key by which `uniq` compares values. 1 and 1.0 differ, and an object equals only itself. */
export function getIdentityKey(value: unknown): unknown {
  const plainItem = toPlainValue(value);
  if (plainItem === undefined || plainItem === null) return "nil";
  if (typeof plainItem === "string") return `"${plainItem}`;
  if (plainItem instanceof Drop) return plainItem;
  return isFloat(plainItem) ? textOf(plainItem) : inspect(plainItem);
}

/**
 * Sorts a list by value, or by a field of its items.
 * @param args name of the field, or empty
 * @returns undefined if an item has no fields
 * @throws LiquidError if items cannot be compared
 */
export function sort(list: readonly unknown[], args: readonly unknown[]): unknown {
  return sortByProperty(list, args, compareItems);
}

/** Sorts a list like `sort`, but compares strings without case. */
export function sortNatural(list: readonly unknown[], args: readonly unknown[]): unknown {
  return sortByProperty(list, args, compareTexts);
}

function sortByProperty(
  list: readonly unknown[],
  [name]: readonly unknown[],
  comparator: (left: unknown, right: unknown) => number,
): unknown {
  if (name === undefined || name === null)
    return list.toSorted((left, right) => comparator(replaceUndefinedByNull(left), replaceUndefinedByNull(right)));
  if (!list.every(hasProperties)) return undefined;
  const itemsWithKeys = list.map((item) => ({ item, key: readProperty(item, name) }));
  return itemsWithKeys.sort((left, right) => comparator(left.key, right.key)).map(({ item }) => item);
}

/** Converts undefined to null. `Array.sort` would move undefined to the end without calling the comparison. */
function replaceUndefinedByNull(value: unknown): unknown {
  return value === undefined ? null : value;
}

/** Compares two items; nil sorts last. */
function compareItems(left: unknown, right: unknown): number {
  const comparison = compareValues(left, right);
  if (comparison !== undefined) return comparison;
  if (left === undefined || left === null) return 1;
  if (right === undefined || right === null) return -1;
  throw new LiquidError("render", "cannot sort values of incompatible types");
}

function compareTexts(left: unknown, right: unknown): number {
  const isLeftNil = left === undefined || left === null;
  const isRightNil = right === undefined || right === null;
  if (isLeftNil || isRightNil) return Number(isLeftNil) - Number(isRightNil);
  const [leftText, rightText] = [foldCase(left), foldCase(right)];
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0;
}

function foldCase(value: unknown): string {
  return textOf(value).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
