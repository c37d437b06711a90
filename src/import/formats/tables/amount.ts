import { formatDecimalMoney, getMinorUnit, isCurrency, parseMoney } from "../../../pricing/money.ts";

/** Result of parsing an amount of money. */
export type ParsedAmount =
  | {
      /** Amount in minor units. */
      readonly amount: number;
      /** Whether the amount was in a local format: with a decimal comma, thousands separators, or a currency sign. */
      readonly isLocalFormat: boolean;
    }
  | { readonly error: string; readonly cause?: string };

/** Maximum length of an amount with its currency, in characters. Matching a long text would take quadratic time. */
const MAX_LENGTH = 100;

/**
 * Parses "19.99", "19,99", "1.234,50", "1,234.50", "$19.99", "19.99 USD". Rejects ambiguous amounts ("1.999" in a
 * currency with two decimals).
 * @param currency expected ISO 4217 code. An amount in another currency is rejected
 */
export function readAmount(text: string, currency: string): ParsedAmount {
  const exactAmount = parseMoney(text, currency);
  if (exactAmount !== undefined) return { amount: exactAmount, isLocalFormat: false };
  const trimmedText = text.trim();
  const [, prefix = "", number = "", suffix = ""] =
    trimmedText.length > MAX_LENGTH ? [] : (/^([^\d.,+-]*)([\d.,'’\s]*\d)([^\d]*)$/.exec(trimmedText) ?? []);
  const currencyTexts = [prefix, suffix].map((part) => part.trim().toUpperCase()).filter((part) => part !== "");
  const otherCurrency = currencyTexts.find((part) => isCurrency(part) && part !== currency);
  if (otherCurrency !== undefined)
    return {
      error: `"${shortenText(text)}" is an amount of ${otherCurrency}, and the store's currency is ${currency}: correct it, or set "currency" in vitrine.config.ts`,
      cause: `amounts of ${otherCurrency}`,
    };
  const hasOnlyCurrency =
    currencyTexts.length <= 1 &&
    currencyTexts.every((part) => part === currency || currencySignsOf(currency).has(part));
  const amount = number === "" || !hasOnlyCurrency ? undefined : parseLocalNumber(number, currency);
  if (amount !== undefined) {
    const hasOnlyCurrencyCode =
      currencyTexts.length === 1 && currencyTexts[0] === currency && parseMoney(number, currency) !== undefined;
    return { amount, isLocalFormat: !hasOnlyCurrencyCode };
  }
  const example = formatDecimalMoney(1_999, currency);
  const message = `"${shortenText(text)}" is not an amount of ${currency}: write it like ${example}, without signs or a thousands separator`;
  return { error: message };
}

/** Parses a number with decimals after the last separator, and groups of three digits before it. */
function parseLocalNumber(text: string, currency: string): number | undefined {
  const digits = getMinorUnit(currency);
  const [, integerPart = "", , fraction = ""] = /^(.*?)(?:([.,])(\d*))?$/.exec(text) ?? [];
  const decimalSign = text[integerPart.length];
  const hasDigitGroups = (part: string): boolean => /^\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/.test(part);
  // Three digits after a separator are thousands if another separator precedes them, or if the currency has no
  // decimals. Otherwise, the number is ambiguous.
  if (fraction.length === 3 && digits !== 3) {
    const hasThousandsSeparators = hasDigitGroups(text) && (digits === 0 || /[.,'’\s]/.test(integerPart));
    return hasThousandsSeparators ? parseMoney(text.replace(/\D/g, ""), currency) : undefined;
  }
  if (fraction.length === 3 && decimalSign === "," && /^\d{1,3}$/.test(integerPart)) return undefined;
  if (
    !/^\d+$/.test(integerPart) &&
    !(hasDigitGroups(integerPart) && !(decimalSign !== undefined && integerPart.includes(decimalSign)))
  )
    return undefined;
  const integerDigits = integerPart.replace(/\D/g, "");
  return parseMoney(fraction === "" ? integerDigits : `${integerDigits}.${fraction}`, currency);
}

function currencySignsOf(currency: string): ReadonlySet<string> {
  const formatSymbol = (symbolStyle: "symbol" | "narrowSymbol"): string =>
    new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: symbolStyle })
      .formatToParts(0)
      .find(({ type }) => type === "currency")?.value ?? currency;
  return new Set(
    [formatSymbol("symbol"), formatSymbol("narrowSymbol")].map((currencySymbol) => currencySymbol.toUpperCase()),
  );
}

function shortenText(text: string): string {
  return text.trim().slice(0, 30);
}
