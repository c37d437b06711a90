import type { Context } from "../context.ts";

/**
 * Replaces every occurrence; an empty part occurs between all characters. Backslash sequences in the replacement work
 * as in Ruby: `\0` is the match, a backtick the text before it, an apostrophe the text after it.
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

/** Backslash sequences are literal here. */
export function replaceLast(text: string, part: string, other: string): string {
  const at = text.lastIndexOf(part);
  return at < 0 ? text : text.slice(0, at) + other + text.slice(at + part.length);
}

/** The replacement refers to the text before or after the match. */
const aroundSigns = /\\[`']/;

function expanded(other: string, part: string): string {
  return expandedAt(other, part, part, 0);
}

/** @param at offset of the match */
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
