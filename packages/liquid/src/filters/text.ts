import { defineFilters, type FilterFunctions } from "../compile/filter.ts";
import type { Context } from "../context.ts";
import { isEmpty } from "../values/compare.ts";
import { isTruthy } from "../values/drop.ts";
import { toInteger } from "../values/number.ts";
import { countCodePoints, splitCharacters, takeCodePoints, textOf } from "../values/text.ts";
import { trim, trimEnd, trimStart } from "../values/whitespace.ts";

const unaryFilters: FilterFunctions = {
  downcase: (value) => textOf(value).toLowerCase(),
  upcase: (value) => textOf(value).toUpperCase(),
  capitalize(value) {
    const [firstCharacter = "", ...otherCharacters] = splitCharacters(textOf(value));
    return firstCharacter.toUpperCase() + otherCharacters.join("").toLowerCase();
  },
  strip: (value) => trim(textOf(value)),
  lstrip: (value) => trimStart(textOf(value)),
  rstrip: (value) => trimEnd(textOf(value)),
  squish: (value) => (isNil(value) ? undefined : trim(textOf(value)).replace(/[ \t\r\n\f\v]+/g, " ")),
  strip_newlines: (value) => textOf(value).replace(/\r?\n/g, ""),
  newline_to_br: (value) => textOf(value).replace(/\r?\n/g, "<br />\n"),
};

const substringFilters: FilterFunctions = {
  append(value, suffix) {
    return this.concatenate(textOf(value), textOf(suffix));
  },
  prepend(value, prefix) {
    return this.concatenate(textOf(prefix), textOf(value));
  },
  remove(value, part) {
    return replaceAll(this, textOf(value), textOf(part), "");
  },
  remove_first: (value, part) => replaceFirst(textOf(value), textOf(part), ""),
  remove_last: (value, part) => replaceLast(textOf(value), textOf(part), ""),
  /** Splits a string. The separator " " matches any run of whitespace. */
  split(value, separator) {
    const text = textOf(value);
    const delimiter = textOf(separator);
    if (text === "") return [];
    const parts =
      delimiter === " "
        ? trim(text).split(/[ \t\r\n\f\v]+/)
        : delimiter === ""
          ? [...splitCharacters(text)]
          : text.split(delimiter);
    while (parts.length > 0 && parts.at(-1) === "") parts.pop();
    return parts;
  },
};

const replacementFilters: FilterFunctions = {
  replace(value, part, newText) {
    return replaceAll(this, textOf(value), textOf(part), textOf(newText));
  },
  replace_first: (value, part, newText) => replaceFirst(textOf(value), textOf(part), textOf(newText)),
  /** Returns a part of a string or list: `slice: 1, 3`. A negative offset counts from the end. */
  slice(value, offset, length) {
    const from = toInteger(offset);
    const count = isNil(length) ? 1 : toInteger(length);
    const items = Array.isArray(value) ? value : splitCharacters(textOf(value));
    const start = from < 0 ? items.length + from : from;
    const slicedItems = start < 0 || count < 0 ? [] : items.slice(start, start + count);
    return Array.isArray(value) ? slicedItems : slicedItems.join("");
  },
};

const shorteningFilters: FilterFunctions = {
  /** Truncates a string. The maximum length includes the ending, such as "...". */
  truncate(value, ...args) {
    if (isNil(value)) return undefined;
    const text = textOf(value);
    const length = args.length > 0 ? toInteger(args[0]) : 50;
    const ending = args.length > 1 ? textOf(args[1]) : "...";
    if (countCodePoints(text) <= length) return text;
    return takeCodePoints(text, Math.max(0, length - countCodePoints(ending))) + ending;
  },
  truncatewords(value, ...args) {
    if (isNil(value)) return undefined;
    const text = textOf(value);
    const count = Math.max(1, args.length > 0 ? toInteger(args[0]) : 15);
    const ending = args.length > 1 ? textOf(args[1]) : "...";
    const words = trimStart(text).split(/[ \t\r\n\f\v]+/);
    // A trailing space adds an empty word, as in Ruby.
    return words.length <= count ? text : words.slice(0, count).join(" ") + ending;
  },
  /** Returns the argument in place of nil, false, or an empty value. `allow_false: true` leaves false unchanged. */
  default(value, ...args) {
    const [fallback, options] = args.length === 0 ? [""] : args;
    const allowsFalse = options instanceof Map && isTruthy(options.get("allow_false"));
    const isMissing = allowsFalse ? isNil(value) : !isTruthy(value);
    return isMissing || isEmpty(value) ? fallback : value;
  },
};

export const textFilters = [
  ...defineFilters(0, 0, unaryFilters),
  ...defineFilters(1, 1, substringFilters),
  ...defineFilters(1, 2, replacementFilters),
  ...defineFilters(2, 2, {
    replace_last: (value, part, newText) => replaceLast(textOf(value), textOf(part), textOf(newText)),
  }),
  ...defineFilters(0, 2, shorteningFilters),
];

export function isNil(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/**
 * Replaces every occurrence of a part. The empty part occurs between all characters. Backslash sequences in the
 * replacement work as in Ruby: `\0` is the match, a backtick the text before the match, an apostrophe the text after
 * it.
 */
export function replaceAll(context: Context, text: string, part: string, replacement: string): string {
  const countReplacements = (): number => (part === "" ? text.length + 1 : countOccurrences(text, part));
  const pattern = part === "" ? /(?:)/gu : part;
  if (surroundingTextPattern.test(replacement)) {
    context.checkLength(countReplacements() * (text.length + replacement.length));
    return text.replaceAll(pattern, (_, matchOffset: number) =>
      expandMatchReplacement(replacement, part, text, matchOffset),
    );
  }
  const expandedReplacement = expandMatchReplacement(replacement, part, part, 0);
  if (expandedReplacement.length > part.length)
    context.checkLength(text.length + countReplacements() * (expandedReplacement.length - part.length));
  return text.replaceAll(pattern, () => expandedReplacement);
}

export function replaceFirst(text: string, part: string, replacement: string): string {
  return text.replace(part, (_, matchOffset: number) => expandMatchReplacement(replacement, part, text, matchOffset));
}

/** Replaces the last occurrence of a part. Backslash sequences have no special meaning, as in Ruby. */
export function replaceLast(text: string, part: string, replacement: string): string {
  const matchIndex = text.lastIndexOf(part);
  return matchIndex < 0 ? text : text.slice(0, matchIndex) + replacement + text.slice(matchIndex + part.length);
}

/** Matches the backslash sequences that insert the text before or after the match. */
const surroundingTextPattern = /\\[`']/;

/** Replaces the backslash sequences in a replacement.  @param matchOffset offset of the match */
function expandMatchReplacement(replacement: string, part: string, text: string, matchOffset: number): string {
  if (!replacement.includes("\\")) return replacement;
  return replacement.replace(/\\([\\0-9&`'+])/g, (_, character: string) => {
    if (character === "\\") return "\\";
    if (character === "`") return text.slice(0, matchOffset);
    if (character === "'") return text.slice(matchOffset + part.length);
    return character === "0" || character === "&" ? part : "";
  });
}

function countOccurrences(text: string, part: string): number {
  let count = 0;
  for (let matchIndex = text.indexOf(part); matchIndex >= 0; matchIndex = text.indexOf(part, matchIndex + part.length))
    count += 1;
  return count;
}
