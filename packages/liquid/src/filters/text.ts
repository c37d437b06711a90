import { type FilterFamily, taking } from "../compile/filter.ts";
import type { Context } from "../context.ts";
import { isEmpty } from "../values/compare.ts";
import { isTruthy } from "../values/drop.ts";
import { toInteger } from "../values/number.ts";
import { charactersOf, cut, lengthOf, textOf } from "../values/text.ts";
import { trim, trimEnd, trimStart } from "../values/whitespace.ts";

const plain: FilterFamily = {
  downcase: (value) => textOf(value).toLowerCase(),
  upcase: (value) => textOf(value).toUpperCase(),
  capitalize(value) {
    const [first = "", ...rest] = charactersOf(textOf(value));
    return first.toUpperCase() + rest.join("").toLowerCase();
  },
  strip: (value) => trim(textOf(value)),
  lstrip: (value) => trimStart(textOf(value)),
  rstrip: (value) => trimEnd(textOf(value)),
  squish: (value) => (isNil(value) ? undefined : trim(textOf(value)).replace(/[ \t\r\n\f\v]+/g, " ")),
  strip_newlines: (value) => textOf(value).replace(/\r?\n/g, ""),
  newline_to_br: (value) => textOf(value).replace(/\r?\n/g, "<br />\n"),
};

const joining: FilterFamily = {
  append(value, other) {
    return this.joined(textOf(value), textOf(other));
  },
  prepend(value, other) {
    return this.joined(textOf(other), textOf(value));
  },
  remove(value, part) {
    return replaceAll(this, textOf(value), textOf(part), "");
  },
  remove_first: (value, part) => replaceFirst(textOf(value), textOf(part), ""),
  remove_last: (value, part) => replaceLast(textOf(value), textOf(part), ""),
  /** Splits a string. The separator " " matches any run of whitespace. */
  split(value, separator) {
    const text = textOf(value);
    const at = textOf(separator);
    if (text === "") return [];
    const parts =
      at === " " ? trim(text).split(/[ \t\r\n\f\v]+/) : at === "" ? [...charactersOf(text)] : text.split(at);
    while (parts.length > 0 && parts.at(-1) === "") parts.pop();
    return parts;
  },
};

const replacing: FilterFamily = {
  replace(value, part, other) {
    return replaceAll(this, textOf(value), textOf(part), textOf(other));
  },
  replace_first: (value, part, other) => replaceFirst(textOf(value), textOf(part), textOf(other)),
  /** Returns a part of a string or list: `slice: 1, 3`. A negative offset counts from the end. */
  slice(value, offset, length) {
    const from = toInteger(offset);
    const count = isNil(length) ? 1 : toInteger(length);
    const items = Array.isArray(value) ? value : charactersOf(textOf(value));
    const begin = from < 0 ? items.length + from : from;
    const found = begin < 0 || count < 0 ? [] : items.slice(begin, begin + count);
    return Array.isArray(value) ? found : found.join("");
  },
};

const shortening: FilterFamily = {
  /** Truncates a string to a length that includes the ending. */
  truncate(value, ...args) {
    if (isNil(value)) return undefined;
    const text = textOf(value);
    const length = args.length > 0 ? toInteger(args[0]) : 50;
    const ending = args.length > 1 ? textOf(args[1]) : "...";
    if (lengthOf(text) <= length) return text;
    return cut(text, 0, Math.max(0, length - lengthOf(ending))) + ending;
  },
  truncatewords(value, ...args) {
    if (isNil(value)) return undefined;
    const text = textOf(value);
    const count = Math.max(1, args.length > 0 ? toInteger(args[0]) : 15);
    const ending = args.length > 1 ? textOf(args[1]) : "...";
    const words = trimStart(text).split(/[ \t\r\n\f\v]+/);
    // A trailing space produces an additional empty word, as in Ruby.
    return words.length <= count ? text : words.slice(0, count).join(" ") + ending;
  },
  /** Replaces nil, false, and empty values. With `allow_false: true`, false is not replaced. */
  default(value, ...args) {
    const [other, options] = args.length === 0 ? [""] : args;
    const keepsFalse = options instanceof Map && isTruthy(options.get("allow_false"));
    const isMissing = keepsFalse ? isNil(value) : !isTruthy(value);
    return isMissing || isEmpty(value) ? other : value;
  },
};

export const textFilters = [
  ...taking(0, 0, plain),
  ...taking(1, 1, joining),
  ...taking(1, 2, replacing),
  ...taking(2, 2, { replace_last: (value, part, other) => replaceLast(textOf(value), textOf(part), textOf(other)) }),
  ...taking(0, 2, shortening),
];

function isNil(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/**
 * Replaces every occurrence of a part. The empty part occurs between all characters. Backslash sequences in the
 * replacement work as in Ruby: `\0` is the match, a backtick the text before the match, an apostrophe the text after
 * it.
 */
export function replaceAll(context: Context, text: string, part: string, other: string): string {
  const count = (): number => (part === "" ? text.length + 1 : occurrences(text, part));
  const sought = part === "" ? /(?:)/gu : part;
  if (aroundSigns.test(other)) {
    context.reserve(count() * (text.length + other.length));
    return text.replaceAll(sought, (_, at: number) => expandedAt(other, part, text, at));
  }
  const shown = expanded(other, part);
  if (shown.length > part.length) context.reserve(text.length + count() * (shown.length - part.length));
  return text.replaceAll(sought, () => shown);
}

export function replaceFirst(text: string, part: string, other: string): string {
  return text.replace(part, (_, at: number) => expandedAt(other, part, text, at));
}

/** Replaces the last occurrence of a part. Backslash sequences have no special meaning, as in Ruby. */
export function replaceLast(text: string, part: string, other: string): string {
  const at = text.lastIndexOf(part);
  return at < 0 ? text : text.slice(0, at) + other + text.slice(at + part.length);
}

/** Backslash sequences that refer to the text before or after the match. */
const aroundSigns = /\\[`']/;

function expanded(other: string, part: string): string {
  return expandedAt(other, part, part, 0);
}

/** Expands the backslash sequences of a replacement.  @param at offset of the match */
function expandedAt(other: string, part: string, text: string, at: number): string {
  if (!other.includes("\\")) return other;
  return other.replace(/\\([\\0-9&`'+])/g, (_, sign: string) => {
    if (sign === "\\") return "\\";
    if (sign === "`") return text.slice(0, at);
    if (sign === "'") return text.slice(at + part.length);
    return sign === "0" || sign === "&" ? part : "";
  });
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
