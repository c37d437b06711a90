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

/** Returns "rtl" for languages written from right to left, else "ltr". */
export function getTextDirection(locale: string): "ltr" | "rtl" {
  return rightToLeftScripts.has(new Intl.Locale(locale).maximize().script ?? "") ? "rtl" : "ltr";
}
