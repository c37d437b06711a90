import { LimitError } from "../errors.ts";
import { Drop } from "./drop.ts";
import { Float, floatText } from "./float.ts";
import { Range } from "./range.ts";

/** Lists and hashes in one another that are written; deeper ones are `[...]`. */
const maxNesting = 32;

/** A value as filters see it as text: lists and hashes as Ruby writes them, `["a", 1]` and `{"a"=>1}`. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? `${value === 0 ? 0 : value}` : floatText(value);
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof Drop) return value.toText();
  if (typeof value !== "object") return "";
  if (value instanceof Float) return floatText(value.number);
  if (value instanceof Range) return `${value.first}..${value.last}`;
  return inspect(value, 0);
}

/** What `{{ value }}` prints: of a list its items, one after the other. @throws LimitError where that is very long */
export function printed(value: unknown, depth = 0): string {
  if (!Array.isArray(value)) return textOf(value);
  if (depth > maxNesting) return "";
  let text = "";
  for (const item of value) text = joined(text, printed(item, depth + 1));
  return text;
}

/** As Ruby's `inspect` writes it. @throws LimitError where that is very long */
export function inspect(value: unknown, depth = 0): string {
  if (typeof value === "string") return quoted(value);
  if (value === undefined || value === null) return "nil";
  if (typeof value !== "object" || value instanceof Drop || value instanceof Float || value instanceof Range)
    return textOf(value);
  if (Array.isArray(value))
    return depth > maxNesting ? "[...]" : `[${listed(value, (item) => inspect(item, depth + 1))}]`;
  if (depth > maxNesting) return "{...}";
  const pair = ([key, item]: [unknown, unknown]): string => `${inspect(key, depth + 1)}=>${inspect(item, depth + 1)}`;
  return `{${listed(entriesOf(value), pair)}}`;
}

/** Characters of the text that a list or hash may make. */
const maxLength = 2_000_000;

function listed<Item>(items: readonly Item[], write: (item: Item) => string): string {
  let text = "";
  for (const [index, item] of items.entries()) text = joined(text, `${index > 0 ? ", " : ""}${write(item)}`);
  return text;
}

function joined(left: string, right: string): string {
  if (left.length + right.length > maxLength) throw new LimitError(`a text of more than ${maxLength} characters`);
  return left + right;
}

/** The pairs of a hash: a plain object's or a Map's. */
export function entriesOf(hash: object): [unknown, unknown][] {
  return hash instanceof Map ? [...hash] : Object.entries(hash);
}

function quoted(text: string): string {
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]|#(?=[{$@])/g, (sign) => {
    const known = escapes.get(sign);
    return known ?? `\\x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return `"${escaped}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
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

/** The characters of a text as Ruby counts them: code points. */
export function charactersOf(text: string): readonly string[] {
  return hasPairs(text) ? Array.from(text) : text.split("");
}

export function lengthOf(text: string): number {
  if (!hasPairs(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Some characters of a text, counted as code points. @param end may be past the end */
export function cut(text: string, begin: number, end: number): string {
  return hasPairs(text) ? Array.from(text).slice(begin, end).join("") : text.slice(begin, end);
}

function hasPairs(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

/** A piece of a text as a text of its own. A slice has the width of what it is cut from: one sign past U+00FF in a template would have each character of
 *  all that is rendered by it take two bytes of memory, and longer to be joined, searched, escaped and sent. */
export function pieceOfText(text: string, begin: number, end: number): string {
  const piece = text.slice(begin, end);
  return isNarrow.test(piece) ? Buffer.from(piece, "latin1").toString("latin1") : piece;
}

const isNarrow = /^[\0-\u00ff]*$/;
