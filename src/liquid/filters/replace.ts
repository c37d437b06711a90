import type { Context } from "../context.ts";

/** Replaces a part of a text wherever it stands; an empty part stands between all characters. Signs after a backslash in what comes in its
 *  place mean what they mean in Ruby: `\0` is the part itself. */
export function replaceAll(context: Context, text: string, part: string, other: string): string {
  const shown = expanded(other, part);
  if (shown.length > part.length) {
    const count = part === "" ? text.length + 1 : occurrences(text, part);
    context.reserve(text.length + count * (shown.length - part.length));
  }
  return text.replaceAll(part === "" ? /(?:)/gu : part, () => shown);
}

export function replaceFirst(text: string, part: string, other: string): string {
  return text.replace(part, () => expanded(other, part));
}

/** Signs after a backslash are themselves here. */
export function replaceLast(text: string, part: string, other: string): string {
  const at = text.lastIndexOf(part);
  return at < 0 ? text : text.slice(0, at) + other + text.slice(at + part.length);
}

function expanded(other: string, part: string): string {
  if (!other.includes("\\")) return other;
  return other.replace(/\\([\\0-9&])/g, (_, sign: string) => {
    if (sign === "\\") return "\\";
    return sign === "0" || sign === "&" ? part : "";
  });
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
