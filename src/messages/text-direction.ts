import { getOrCreate } from "../runtime/cache.ts";

/** ISO 15924 codes of scripts that are written from right to left. */
const rightToLeftScripts: ReadonlySet<string> = new Set([
  "Adlm",
  "Arab",
  "Avst",
  "Hebr",
  "Mand",
  "Nkoo",
  "Rohg",
  "Samr",
  "Syrc",
  "Thaa",
]);

/** Returns "rtl" for languages written from right to left, else "ltr".  @param locale language of the settings */
export function getTextDirection(locale: string): "ltr" | "rtl" {
  return getOrCreate(directions, locale, () =>
    rightToLeftScripts.has(new Intl.Locale(locale).maximize().script ?? "") ? "rtl" : "ltr",
  );
}

/** Directions by locale. They are cached because every page reads one, and `maximize` takes 10 µs. */
const directions = new Map<string, "ltr" | "rtl">();
