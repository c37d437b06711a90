import { Drop } from "./drop.ts";
import { isHashObject } from "./field.ts";
import { Range } from "./range.ts";
import { entriesOf } from "./text.ts";

/**
 * Returns the items of a loop. A string is one item. A hash is a list of pairs of key and value. Any other single value
 * has no items. A range is returned unchanged.
 */
export function getLoopItems(value: unknown): readonly unknown[] | Range {
  if (Array.isArray(value) || value instanceof Range) return value;
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  if (value instanceof Drop) return value.items() ?? [];
  return isHashObject(value) ? entriesOf(value) : [];
}

/**
 * Converts the input of a list filter to a list. Nested lists are flattened, a single value becomes a list of one item,
 * and nil becomes an empty list.
 * @param limit maximum number of items of a range
 */
export function toItemList(value: unknown, limit: number): readonly unknown[] {
  if (Array.isArray(value)) return value.some(Array.isArray) ? value.flat(maxListDepth) : value;
  if (value === undefined || value === null) return [];
  if (value instanceof Range) return value.toArray(limit);
  if (value instanceof Drop) return value.items() ?? [value];
  return [value];
}

const maxListDepth = 32;
