import { LiquidError } from "../errors.ts";
import { Drop } from "./drop.ts";
import { Float, formatFloat } from "./float.ts";
import { Range } from "./range.ts";

/** Maximum nesting depth of printed lists and hashes. Deeper lists are printed as `[...]`, deeper hashes as `{...}`. */
const maxPrintDepth = 32;

/** Converts a value to a string for filters. Lists and hashes have Ruby's format: `["a", 1]` and `{"a"=>1}`. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? `${value === 0 ? 0 : value}` : formatFloat(value);
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof Drop) return value.toText();
  if (typeof value !== "object") return "";
  if (value instanceof Float) return formatFloat(value.number);
  if (value instanceof Range) return `${value.first}..${value.last}`;
  return inspect(value, 0);
}

/**
 * Converts a value to the text that `{{ value }}` prints: "" for nil, the items of a list without separators, and a
 * hash in Ruby's format.
 * @throws LiquidError of kind "limit" if the text has more than 2,000,000 characters
 */
export function toText(value: unknown, depth = 0): string {
  if (!Array.isArray(value)) return textOf(value);
  if (depth > maxPrintDepth) return "";
  let text = "";
  for (const item of value) text = concatenateTexts(text, toText(item, depth + 1));
  return text;
}

/** Formats a value like Ruby's `inspect`.  @throws LiquidError if the text is too long */
export function inspect(value: unknown, depth = 0): string {
  if (typeof value === "string") return addQuotes(value);
  if (value === undefined || value === null) return "nil";
  if (typeof value !== "object" || value instanceof Drop || value instanceof Float || value instanceof Range)
    return textOf(value);
  if (Array.isArray(value))
    return depth > maxPrintDepth ? "[...]" : `[${joinItems(value, (item) => inspect(item, depth + 1))}]`;
  if (depth > maxPrintDepth) return "{...}";
  const formatPair = ([key, item]: [unknown, unknown]): string =>
    `${inspect(key, depth + 1)}=>${inspect(item, depth + 1)}`;
  return `{${joinItems(entriesOf(value), formatPair)}}`;
}

/** Maximum length of a printed list or hash in characters. */
const maxPrintedLength = 2_000_000;

function joinItems<Item>(items: readonly Item[], write: (item: Item) => string): string {
  let text = "";
  for (const [index, item] of items.entries()) text = concatenateTexts(text, `${index > 0 ? ", " : ""}${write(item)}`);
  return text;
}

function concatenateTexts(left: string, right: string): string {
  if (left.length + right.length > maxPrintedLength)
    throw new LiquidError("limit", `a text of more than ${maxPrintedLength} characters`);
  return left + right;
}

/** Returns the entries of a hash, which is a plain object or a Map. */
export function entriesOf(hash: object): [unknown, unknown][] {
  return hash instanceof Map ? [...hash] : Object.entries(hash);
}

function addQuotes(text: string): string {
  const escapedText = text.replace(/["\\\u0000-\u001f\u007f]|#(?=[{$@])/g, (specialChar) => {
    const escapeSequence = escapesByCharacter.get(specialChar);
    return escapeSequence ?? `\\x${specialChar.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return `"${escapedText}"`;
}

const escapesByCharacter: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["#", "\\#"],
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\f", "\\f"],
  ["\v", "\\v"],
  ["\b", "\\b"],
  ["\u0007", "\\a"],
  ["\u001b", "\\e"],
]);

/** Splits a string into code points, which Ruby counts as characters. */
export function splitCharacters(text: string): readonly string[] {
  return hasSurrogatePairs(text) ? Array.from(text) : text.split("");
}

export function countCodePoints(text: string): number {
  if (!hasSurrogatePairs(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Returns the first code points of a text.  @param count may exceed the length */
export function takeCodePoints(text: string, count: number): string {
  return hasSurrogatePairs(text) ? Array.from(text).slice(0, count).join("") : text.slice(0, count);
}

function hasSurrogatePairs(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

/**
 * Copies a substring. If a template contains a character above U+00FF, its slices use two bytes per character, even
 * slices without such a character. The copy uses one byte per character, which is faster to search, escape, and send.
 */
export function copySubstring(text: string, start: number, end: number): string {
  const rawSlice = text.slice(start, end);
  return hasBuffer && latin1Pattern.test(rawSlice) ? Buffer.from(rawSlice, "latin1").toString("latin1") : rawSlice;
}

/** Browsers have no `Buffer`. There, the slice itself is used, which is correct but slower. */
const hasBuffer = typeof Buffer === "function";
const latin1Pattern = /^[\0-\u00ff]*$/;
