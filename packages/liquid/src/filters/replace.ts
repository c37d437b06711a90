import type { Context } from "../context.ts";

/** Replaces a part of a text wherever it stands; an empty part stands between all characters. Signs after a backslash in what comes in its
 *  place mean what they mean in Ruby: `\0` is the part itself, a backtick what stands before it, an apostrophe what stands behind it. */
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

/** Signs after a backslash are themselves here. */
export function replaceLast(text: string, part: string, other: string): string {
  const at = text.lastIndexOf(part);
  return at < 0 ? text : text.slice(0, at) + other + text.slice(at + part.length);
}

/** What stands before the part, or behind it, is asked for. */
const aroundSigns = /\\[`']/;

function expanded(other: string, part: string): string {
  return expandedAt(other, part, part, 0);
}

/** @param at where the part stands in a text */
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
