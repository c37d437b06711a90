import { formatDecimalMoney, isCurrency, minorUnit, parseMoney } from "../../../pricing/money.ts";

/** Result of parsing an amount of money. */
export type ReadAmount =
  | {
      /** Amount in minor units. */
      readonly amount: number;
      /** Whether the amount was in a local format: with a decimal comma, thousands separators, or a currency sign. */
      readonly isMended: boolean;
    }
  | { readonly error: string; readonly cause?: string };

/**
 * Parses "19.99", "19,99", "1.234,50", "1,234.50", "$19.99", "19.99 USD". Rejects ambiguous amounts ("1.999" in a
 * currency with two decimals).
 * @param currency expected ISO 4217 code. An amount in another currency is rejected
 */
export function readAmount(text: string, currency: string): ReadAmount {
  const plain = parseMoney(text, currency);
  if (plain !== undefined) return { amount: plain, isMended: false };
  const [, before = "", number = "", after = ""] = /^([^\d.,+-]*)([\d.,'’\s]*\d)([^\d]*)$/.exec(text.trim()) ?? [];
  const named = [before, after].map((part) => part.trim().toUpperCase()).filter((part) => part !== "");
  const other = named.find((part) => isCurrency(part) && part !== currency);
  if (other !== undefined)
    return {
      error: `"${shortened(text)}" is an amount of ${other}, and the store's currency is ${currency}: correct it, or set "currency" in vitrine.config.ts`,
      cause: `amounts of ${other}`,
    };
  const isKnown = named.length <= 1 && named.every((part) => part === currency || signsOf(currency).has(part));
  const amount = number === "" || !isKnown ? undefined : localNumber(number, currency);
  if (amount !== undefined) {
    const isCodeAlone = named.length === 1 && named[0] === currency && parseMoney(number, currency) !== undefined;
    return { amount, isMended: !isCodeAlone };
  }
  const example = formatDecimalMoney(1_999, currency);
  const message = `"${shortened(text)}" is not an amount of ${currency}: write it like ${example}, without signs or a thousands separator`;
  return { error: message };
}

/** Parses a number with decimals after the last separator, and groups of three digits before it. */
function localNumber(text: string, currency: string): number | undefined {
  const digits = minorUnit(currency);
  const [, whole = "", , fraction = ""] = /^(.*?)(?:([.,])(\d*))?$/.exec(text) ?? [];
  const sign = text[whole.length];
  const isGrouped = (part: string): boolean => /^\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/.test(part);
  // Three digits after a separator are thousands if another separator precedes them, or if the currency has no
  // decimals. Otherwise, the number is ambiguous.
  if (fraction.length === 3 && digits !== 3) {
    const isThousands = isGrouped(text) && (digits === 0 || /[.,'’\s]/.test(whole));
    return isThousands ? parseMoney(text.replace(/\D/g, ""), currency) : undefined;
  }
  if (fraction.length === 3 && sign === "," && /^\d{1,3}$/.test(whole)) return undefined;
  if (!/^\d+$/.test(whole) && !(isGrouped(whole) && !(sign !== undefined && whole.includes(sign)))) return undefined;
  const plain = whole.replace(/\D/g, "");
  return parseMoney(fraction === "" ? plain : `${plain}.${fraction}`, currency);
}

function signsOf(currency: string): ReadonlySet<string> {
  const part = (display: "symbol" | "narrowSymbol"): string =>
    new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: display })
      .formatToParts(0)
      .find(({ type }) => type === "currency")?.value ?? currency;
  return new Set([part("symbol"), part("narrowSymbol")].map((sign) => sign.toUpperCase()));
}

function shortened(text: string): string {
  return text.trim().slice(0, 30);
}
