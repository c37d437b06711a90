import { Drop, toPlainValue } from "./drop.ts";
import { isInteger } from "./float.ts";
import { Range } from "./range.ts";
import { countCodePoints, entriesOf, splitCharacters } from "./text.ts";

/** Evaluates `value.name`: a field, or one of `size`, `first`, and `last`. */
export function readField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return readBuiltinField(value, name);
  if (value instanceof Drop) return value.field(name);
  if (Array.isArray(value)) {
    if (name === "size") return value.length;
    return name === "first" ? value[0] : name === "last" ? value.at(-1) : undefined;
  }
  if (value instanceof Map) return value.has(name) ? value.get(name) : readBuiltinField(value, name);
  if (Object.hasOwn(value, name)) return value[name as keyof typeof value];
  return readBuiltinField(value, name);
}

/** Evaluates `value[key]`: an item by index, or a field by name. */
export function readEntry(value: unknown, key: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const name = toPlainValue(key);
  if (Array.isArray(value)) return typeof name === "number" && Number.isInteger(name) ? value.at(name) : undefined;
  if (value instanceof Drop) {
    if (name === undefined || name === null) return value.field("");
    if (name instanceof Drop) return value.field(name.toText());
    return typeof name === "string" || typeof name === "number" ? value.field(name) : undefined;
  }
  if (value instanceof Map) return value.get(name);
  return typeof name === "string" && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
}

/** Result of `size` for an integer, in bytes. Ruby's integers have this size. */
const integerSizeBytes = 8;

function readBuiltinField(value: unknown, name: string): unknown {
  if (name === "size") return sizeOf(value);
  if (name === "first") return firstItemOf(value);
  return name === "last" ? lastItemOf(value) : undefined;
}

/** Returns the size of a value, or undefined if it has none. */
export function sizeOf(value: unknown): unknown {
  if (typeof value === "string") return countCodePoints(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Drop) return value.field("size") ?? value.items()?.length;
  if (value instanceof Range) return value.size;
  if (isInteger(value)) return integerSizeBytes;
  if (typeof value === "object" && value !== null && isHashObject(value)) return entriesOf(value).length;
  return undefined;
}

/** Returns the first item of a list, the first pair of a hash, or the first character of a string. */
export function firstItemOf(value: unknown): unknown {
  if (typeof value === "string") return splitCharacters(value)[0] ?? "";
  const items = value instanceof Drop ? value.items() : value;
  if (Array.isArray(items)) return items[0];
  if (items instanceof Range) return items.first;
  if (typeof items === "object" && items !== null && isHashObject(items)) return entriesOf(items)[0];
  return undefined;
}

export function lastItemOf(value: unknown): unknown {
  if (typeof value === "string") return splitCharacters(value).at(-1) ?? "";
  const items = value instanceof Drop ? value.items() : value;
  if (items instanceof Range) return items.last;
  return Array.isArray(items) ? items.at(-1) : undefined;
}

/** Returns whether an object is a hash in Liquid: a plain object or a Map. */
export function isHashObject(value: object): boolean {
  if (value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
