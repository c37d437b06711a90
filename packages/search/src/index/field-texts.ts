import type { SearchDocument } from "../search-index.ts";

/** UTF-16 units of one field that are indexed. */
export const maxFieldLength = 20_000;

/** Texts in field order, the body last, so that a term's first position is in the earliest field. */
export function inOrder(texts: SearchDocument["fields"]): SearchDocument["fields"] {
  for (let index = 1; index < texts.length; index += 1)
    if ((texts[index - 1]?.[0] ?? 0) > (texts[index]?.[0] ?? 0))
      return [...texts].sort(([one], [other]) => one - other);
  return texts;
}

/** A code as one chunk, ignoring spaces: "4 006381 333931". */
export function inOneChunk(code: string): string {
  if (!/\s/.test(code)) return code;
  return code.trim().replace(/\s+/g, "-");
}
