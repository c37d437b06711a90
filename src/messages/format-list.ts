import { getOrCreate } from "../runtime/cache.ts";

/** Joins texts in the reader's language: "a, b, and c". */
export function formatList(items: readonly string[], locale: string): string {
  return getOrCreate(formats, locale, () => new Intl.ListFormat(locale)).format(items);
}

const formats = new Map<string, Intl.ListFormat>();
