/** The parts of an address that countries write in different orders. Each part may be "". */
export interface AddressParts {
  readonly zip: string;
  readonly city: string;
  readonly province: string;
}

/**
 * Formats the postal code, city, and state of an address as the country writes them. Empty lines are omitted.
 * @param country ISO 3166-1 code, or ""
 */
export function formatPlaceLines(addressParts: AddressParts, country: string): readonly string[] {
  const parts = { Z: addressParts.zip, C: addressParts.city, S: addressParts.province };
  return (formatsByCountry.get(country) ?? DEFAULT_FORMAT)
    .split("\n")
    .map((line) =>
      line
        .split(/([ZCS])/)
        .map((part) => ("ZCS".includes(part) && part !== "" ? parts[part as keyof typeof parts] : part))
        .join("")
        // Separators of empty parts remain at the ends of a line, or next to each other.
        .replace(/^[\s,]+|[\s,]+$/g, "")
        .replace(/(?:,\s*){2,}/g, ", ")
        .replace(/\s{2,}/g, " "),
    )
    .filter((line) => line !== "");
}

/**
 * Returns whether an address names the street after the place, from the largest part to the smallest, as addresses in
 * Japanese do.
 * @param country ISO 3166-1 code
 * @param locale language of the address
 */
export function isStreetLast(country: string, locale: string): boolean {
  return largestFirstLanguages.get(country) === locale.split("-")[0];
}

/** Returns whether addresses of a country name the postal code before the city. */
export function isPostalCodeFirst(country: string): boolean {
  const format = formatsByCountry.get(country) ?? DEFAULT_FORMAT;
  return format.indexOf("Z") < format.indexOf("C");
}

/**
 * Returns whether a text can be a postal code of a country. Spaces, hyphens, and a prefix with the code of the country
 * are ignored. Any text with a digit is valid for a country whose format is not known.
 */
export function isPostalCode(text: string, country: string): boolean {
  const code = toAsciiDigits(text.normalize("NFKC"))
    .toUpperCase()
    .replace(/[\s.-]/g, "");
  const pattern = patternsByCountry.get(country);
  return pattern === undefined ? /\d/.test(code) : pattern.test(code);
}

/** Postal code (Z), city (C), and state or province (S). */
const DEFAULT_FORMAT = "Z C\nS";

/** Formats that differ from the default, with their countries. */
const formats: Readonly<Record<string, string>> = {
  "C, S Z": "US PR AS GU MP VI UM FM MH PW",
  "C S Z": "AU CA",
  "C, Z": "LV MM",
  "S C Z": "KR",
  "C Z": "BN JO KH LB MT MV NP NZ SA BM",
  "C Z\nS": "IN NG PE",
  "C-S\nZ": "BR",
  "C\nS Z": "ID TH VN",
  "C\nS\nZ": "EG IE RU UA",
  "C\nZ": "GB GG GI IM JE FK KE LK ZA",
  "C, S\nZ": "IQ CO",
  "Z C S": "IT",
  "Z C, S": "MX",
  "Z\nS C": "CN JP TW",
};

const formatsByCountry: ReadonlyMap<string, string> = new Map(
  Object.entries(formats).flatMap(([format, countries]) => countries.split(" ").map((country) => [country, format])),
);

/** Languages in which addresses begin with their largest part, by country. */
const largestFirstLanguages: ReadonlyMap<string, string> = new Map([
  ["CN", "zh"],
  ["JP", "ja"],
  ["TW", "zh"],
]);

/** Countries whose postal codes have only digits, by the number of digits. */
const digitCounts: Readonly<Record<string, string>> = {
  "3": "IS FO",
  "4": "AL AM AT AU BD BE BG CH CY DK GE HU LI LU LV NO NZ PH SI TN ZA",
  "5": "BA CR CZ DE DZ EE EG ES FI FR GR HR ID IT JO KR LT MA MC ME MX MY PE PK PL RS SE SK SM TH TR UA UY",
  "6": "BY CN CO EC IN KG KZ RO RU SG TJ UZ",
  "7": "JP",
  "8": "BR",
  "3|5|6": "TW",
  "5|6": "VN",
  "5|7": "IL",
  "5|9": "SA US",
  "7|4": "CL PT",
};

const otherPatterns: Readonly<Record<string, RegExp>> = {
  AD: /^(?:AD)?\d{3}$/,
  AR: /^(?:\d{4}|[A-Z]\d{4}[A-Z]{3})$/,
  CA: /^[A-Z]\d[A-Z]\d[A-Z]\d$/,
  GB: /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/,
  MT: /^[A-Z]{3}\d{2,4}$/,
  NL: /^(?:NL)?\d{4}[A-Z]{2}$/,
};

const patternsByCountry: ReadonlyMap<string, RegExp> = new Map([
  ...Object.entries(digitCounts).flatMap(([counts, countries]) => {
    const alternatives = counts.split("|").map((count) => `\\d{${count}}`);
    const pattern = new RegExp(`^[A-Z]{0,3}(?:${alternatives.join("|")})$`);
    return countries.split(" ").map((country) => [country, pattern] as const);
  }),
  ...Object.entries(otherPatterns),
]);

/** Converts Arabic and Persian digits. */
function toAsciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
}
