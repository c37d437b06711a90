import { type Cache, createCache } from "../runtime/cache.ts";

/** Returns the number of decimals of a currency: JPY 0, USD 2, KWD 3.  @param currency ISO 4217 */
export function getMinorUnit(currency: string): number {
  return decimalsByCurrency.get(currency) ?? 2;
}

/** Returns whether a code of three capital letters is a currency of ISO 4217. */
export function isCurrency(currency: string): boolean {
  return knownCurrencies.has(currency);
}

/**
 * Formats an amount such as "$1,234.50" in the reader's language.
 * @param amount minor units, an integer
 * @param decimalStyle whether to add decimals to a whole amount
 */
export function formatMoney(
  amount: number,
  currency: string,
  locale: string,
  decimalStyle: "always" | "unless whole" = "always",
): string {
  const { numberFormat, textsByAmount } = getMoneyFormat(
    currency,
    locale,
    decimalStyle === "always" ? "auto" : "stripIfInteger",
  );
  const cachedText = textsByAmount.get(amount);
  if (cachedText !== undefined) return cachedText;
  const formattedAmount = numberFormat.format(formatDecimalMoney(amount, currency) as Intl.StringNumericLiteral);
  // A directional mark keeps the dollar sign of "US$" next to its letters in right-to-left text.
  const text = formattedAmount.startsWith("\u200f") ? formattedAmount.replace(/[A-Z]\$/, "$&\u200e") : formattedAmount;
  textsByAmount.set(amount, text);
  return text;
}

/** Returns the sign of a currency in the reader's language: "$", "€", "ر.س.". */
export function getCurrencySign(currency: string, locale: string): string {
  return listZeroParts(currency, locale).find(({ type }) => type === "currency")?.value ?? currency;
}

/** Returns the parts of the amount 0, which show the format of a currency: its sign, digits, separators. */
export function listZeroParts(currency: string, locale: string): readonly Intl.NumberFormatPart[] {
  return getMoneyFormat(currency, locale, "auto").numberFormat.formatToParts(0);
}

function getMoneyFormat(currency: string, locale: string, trailingZeroDisplay: "auto" | "stripIfInteger"): MoneyFormat {
  const key = `${currency} ${locale} ${trailingZeroDisplay}`;
  let cachedFormat = formats.get(key);
  if (cachedFormat === undefined) {
    const digits = getMinorUnit(currency);
    const numberFormat = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      trailingZeroDisplay,
    });
    cachedFormat = { numberFormat, textsByAmount: createCache({ name: "money", maxWeight: MAX_CACHED_TEXTS }) };
    formats.set(key, cachedFormat);
  }
  return cachedFormat;
}

interface MoneyFormat {
  readonly numberFormat: Intl.NumberFormat;
  /** Cache of formatted amounts. */
  readonly textsByAmount: Cache<number, string>;
}

/** Maximum number of cached texts per format. */
const MAX_CACHED_TEXTS = 10_000;

/**
 * Formats the exact amount as a decimal number: 1999 USD is "19.99", 1999 JPY is "1999".
 * @param amount minor units, an integer
 */
export function formatDecimalMoney(amount: number, currency: string): string {
  const digits = getMinorUnit(currency);
  const sign = amount < 0 ? "-" : "";
  const paddedDigits = String(Math.abs(amount)).padStart(digits + 1, "0");
  return digits === 0 ? sign + paddedDigits : `${sign}${paddedDigits.slice(0, -digits)}.${paddedDigits.slice(-digits)}`;
}

/**
 * Parses a decimal number to minor units. Returns undefined if the number is invalid, has too many decimals, is
 * negative or exceeds 2^53.
 */
export function parseMoney(text: string, currency: string): number | undefined {
  // The limits keep the time to remove zeros short, because queries contain prices.
  const match = /^(\d{1,16})(?:\.(\d{1,30}))?$/.exec(text.trim());
  if (match === null) return undefined;
  const digits = getMinorUnit(currency);
  const fraction = (match[2] ?? "").replace(/0+$/, "");
  if (fraction.length > digits) return undefined;
  const amount = Number(match[1] + fraction.padEnd(digits, "0"));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Formats an amount for a form field, such as "4,90" in German and "4.90" in English. */
export function formatTypedMoney(amount: number, currency: string, language: string): string {
  return formatDecimalMoney(amount, currency).replace(".", getDecimalMark(language));
}

/**
 * Parses an amount that a person typed, such as "1234.5", "1,234.50", "1.234,50", or "1 234,50". The other mark than
 * that of the language may separate one or two decimals, or groups of three digits. Returns undefined if the text is
 * not an amount, or could be two different amounts.
 */
export function parseTypedMoney(text: string, currency: string, language: string): number | undefined {
  const compactText = text.trim().replaceAll(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, "");
  const [, integer = "", mark, fraction = ""] = /^(\d+(?:[.,]\d+)*?)(?:([.,])(\d+))?$/.exec(compactText) ?? [];
  const [, groupMark] = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/.exec(integer) ?? [];
  if (/[.,]/.test(integer) && groupMark === undefined) return undefined;
  const isThousand = fraction.length === 3 && /^[1-9][\d.,]*$/.test(integer) && !/\d{4}/.test(integer);
  const isOtherMark = groupMark === undefined && mark !== getDecimalMark(language);
  const digits = integer.replaceAll(/\D/g, "");
  if (groupMark === mark && groupMark !== undefined)
    return isThousand ? parseMoney(digits + fraction, currency) : undefined;
  if (isOtherMark && fraction.length >= 3)
    return isThousand && getMinorUnit(currency) < 3 ? parseMoney(digits + fraction, currency) : undefined;
  if (fraction.length > getMinorUnit(currency)) return undefined;
  return parseMoney(mark === undefined ? digits : `${digits}.${fraction}`, currency);
}

function getDecimalMark(language: string): string {
  // Form fields have digits of ASCII, also in languages with others.
  const parts = new Intl.NumberFormat(`${language}-u-nu-latn`).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

const knownCurrencies = new Set(Intl.supportedValuesOf("currency"));
/** Decimals from ISO 4217 where the runtime's data differs, such as no decimals for IQD. */
const decimalsByCurrency = new Map<string, number>([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0] as const),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3] as const),
]);
const formats = new Map<string, MoneyFormat>();
