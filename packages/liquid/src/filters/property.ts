import { LiquidError } from "../errors.ts";
import { Drop, toPlainValue } from "../values/drop.ts";
import { readEntry } from "../values/field.ts";
import { Float, isFloat, isInteger } from "../values/float.ts";
import { splitCharacters, textOf } from "../values/text.ts";

/** Returned for an item that cannot have properties: nil, a boolean, or a float. */
export const missingPropertyMarker: unique symbol = Symbol("no property");

/**
 * Returns `item[name]` for list filters: a field of an object, a part of a string, or a bit of an integer.
 * @throws LiquidError if the item cannot be indexed
 */
export function readProperty(item: unknown, name: unknown): unknown {
  const key = toListIndex(toPlainValue(name));
  if (item instanceof Float) return missingPropertyMarker;
  if (item instanceof Drop || (typeof item === "object" && item !== null)) return readEntry(item, key);
  if (typeof item === "string") {
    if (typeof key === "string") return item.includes(key) ? key : undefined;
    if (isInteger(key)) return splitCharacters(item).at(Number(key));
    throw createSelectionError(key);
  }
  if (!isInteger(item)) return missingPropertyMarker;
  if (!isInteger(key)) throw createSelectionError(key);
  // Bits at negative positions are 0.
  return key < 0 ? 0 : Number((BigInt(item) >> BigInt(key)) & 1n);
}

export function hasProperties(item: unknown): boolean {
  if (item instanceof Float) return false;
  return typeof item === "string" || isInteger(item) || (typeof item === "object" && item !== null);
}

/** Truncates a float index to an integer. */
function toListIndex(key: unknown): unknown {
  if (!isFloat(key)) return key;
  const number = Math.trunc(key instanceof Float ? key.number : key);
  return Number.isSafeInteger(number) ? number + 0 : key;
}

function createSelectionError(key: unknown): LiquidError {
  return new LiquidError("render", `cannot select the property '${textOf(key)}'`);
}
