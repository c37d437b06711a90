/** Decimal separator of a number. */
export type DecimalSign = "." | ",";

/**
 * Parses a number in any local format: "1200.5", "1,200.5", "1.200,5", "1 200,5".
 * @param decimalSign decimal sign of the column's other numbers; undefined if unknown
 * @param fallback meaning of the sign in "1,200" if `decimalSign` is undefined
 * @returns undefined for anything else; `ambiguityNote` states how an ambiguous number was read
 */
export function readLocalizedNumber(
  text: string,
  decimalSign: DecimalSign | undefined,
  fallback: "thousands" | "decimals",
): { readonly value: number; readonly ambiguityNote?: string } | undefined {
  const [dotValue, commaValue] = [parseDecimal(text, "."), parseDecimal(text, ",")];
  if (dotValue === undefined || commaValue === undefined || dotValue === commaValue) {
    const value = dotValue ?? commaValue;
    return value === undefined ? undefined : { value };
  }
  const foundSeparator = text.includes(",") ? "," : ".";
  const isDecimal = decimalSign === undefined ? fallback === "decimals" : decimalSign === foundSeparator;
  const value = (foundSeparator === ".") === isDecimal ? dotValue : commaValue;
  const separatorMeaning = isDecimal ? "the decimal sign" : "a thousands separator";
  return {
    value,
    ambiguityNote: `"${foundSeparator}" in numbers such as 1${foundSeparator}000 is read as ${separatorMeaning}: ${isDecimal ? 1 : 1000}`,
  };
}

/** Returns the only decimal sign with which a number is valid, or undefined if both are possible. */
export function decimalSignOf(text: string): DecimalSign | undefined {
  const [dotValue, commaValue] = [parseDecimal(text, "."), parseDecimal(text, ",")];
  if ((dotValue === undefined) === (commaValue === undefined)) return undefined;
  return dotValue === undefined ? "," : ".";
}

/**
 * Returns whether a number has two possible values, because its only separator may be a decimal sign or separate
 * thousands: "1,200" is 1200 or 1.2.
 */
export function isAmbiguousNumber(text: string): boolean {
  return /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim());
}

const patterns: Readonly<Record<DecimalSign, RegExp>> = {
  ".": /^[-+]?(?:\d*|[1-9]\d{0,2}(?:([,'’\s])\d{3})(?:\1\d{3})*)(?:\.\d+)?$/,
  ",": /^[-+]?(?:\d*|[1-9]\d{0,2}(?:([.'’\s])\d{3})(?:\1\d{3})*)(?:,\d+)?$/,
};

function parseDecimal(text: string, decimalSign: DecimalSign): number | undefined {
  if (!patterns[decimalSign].test(text) || !/\d/.test(text)) return undefined;
  const [integerPart = "", fraction = ""] = text.split(decimalSign);
  // Adding 0 converts -0 to 0.
  const value = Number(`${integerPart.replace(/[^\d+-]/g, "")}.${fraction}`) + 0;
  return Math.abs(value) < MAX_VALUE ? value : undefined;
}

/** Limit of plausible quantities and weights. */
const MAX_VALUE = 1_000_000_000;
