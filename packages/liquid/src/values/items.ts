import { Drop } from "./drop.ts";
import { isHash } from "./field.ts";
import { Range } from "./range.ts";
import { entriesOf } from "./text.ts";

/** What a loop goes through: a text is one item, a hash gives its pairs, what is no list gives nothing. Ranges stay as they are. */
export function loopItems(value: unknown): readonly unknown[] | Range {
  if (Array.isArray(value) || value instanceof Range) return value;
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  if (value instanceof Drop) return value.items() ?? [];
  return isHash(value) ? entriesOf(value) : [];
}

/** What a filter of lists takes: lists in a list count as their items, what is no list is a list of itself, nil is none.
 *  @param limit items of a list that is made of a range */
export function listOf(value: unknown, limit: number): readonly unknown[] {
  if (Array.isArray(value)) return value.some(Array.isArray) ? value.flat(maxNesting) : value;
  if (value === undefined || value === null) return [];
  if (value instanceof Range) return value.toArray(limit);
  if (value instanceof Drop) return value.items() ?? [value];
  return [value];
}

const maxNesting = 32;
