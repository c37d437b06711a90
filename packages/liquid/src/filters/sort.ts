import { LiquidError } from "../errors.ts";
import { order } from "../values/compare.ts";
import { textOf } from "../values/text.ts";
import { hasProperties, propertyOf } from "./property.ts";

/**
 * @param args the field to sort by, if given
 * @returns nil if an item has no fields
 * @throws LiquidError if items cannot be compared
 */
export function sort(list: readonly unknown[], args: readonly unknown[]): unknown {
  return sorted(list, args, compareItems);
}

/** Sorts by string, ignoring case. */
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

/** `Array.sort` moves undefined to the end without calling the comparison. */
function wrapped(value: unknown): unknown {
  return value === undefined ? null : value;
}

/** Nil is last. */
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
  const [one, other] = [folded(left), folded(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function folded(value: unknown): string {
  return textOf(value).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
