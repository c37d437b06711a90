/** Returns a VAT ID in capital letters, without spaces, dots, and hyphens. */
export function normalizeVatId(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s.-]/g, "");
}

/**
 * Returns whether a text has the format of a VAT ID. Its check digits and registration are not verified. Numbers of
 * countries outside the European Union only need letters and digits.
 */
export function isVatId(text: string): boolean {
  const id = normalizeVatId(text);
  const pattern = patternsByPrefix[id.slice(0, 2)];
  return pattern === undefined ? /^(?=.*\d)[A-Z\d]{5,20}$/.test(id) : new RegExp(`^(?:${pattern})$`).test(id.slice(2));
}

/** Patterns of the European Union, and of Northern Ireland (XI), by prefix. */
const patternsByPrefix: Readonly<Record<string, string>> = {
  AT: "U\\d{8}",
  BE: "[01]\\d{9}",
  BG: "\\d{9,10}",
  CY: "\\d{8}[A-Z]",
  CZ: "\\d{8,10}",
  DE: "\\d{9}",
  DK: "\\d{8}",
  EE: "\\d{9}",
  EL: "\\d{9}",
  ES: "[A-Z\\d]\\d{7}[A-Z\\d]",
  FI: "\\d{8}",
  FR: "[A-Z\\d]{2}\\d{9}",
  HR: "\\d{11}",
  HU: "\\d{8}",
  IE: "\\d[A-Z\\d+*]\\d{5}[A-Z]{1,2}",
  IT: "\\d{11}",
  LT: "\\d{9}|\\d{12}",
  LU: "\\d{8}",
  LV: "\\d{11}",
  MT: "\\d{8}",
  NL: "[A-Z\\d+*]{10}\\d{2}",
  PL: "\\d{10}",
  PT: "\\d{9}",
  RO: "\\d{2,10}",
  SE: "\\d{12}",
  SI: "\\d{8}",
  SK: "\\d{10}",
  XI: "\\d{9}|\\d{12}|GD\\d{3}|HA\\d{3}",
};
