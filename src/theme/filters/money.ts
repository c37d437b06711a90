import type { Context } from "@vitrine/liquid";
import { formatDecimalMoney, formatMoney, getMinorUnit } from "../../pricing/money.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import { stateOf } from "../render-state.ts";
import { isFromShopify } from "../view.ts";
import { type FilterFamily, readNumber } from "./filter.ts";

/**
 * Money filters. Amounts are integers in the minor unit of the shop's currency, such as cents. Any other value prints
 * nothing.
 */
export const moneyFilters: FilterFamily = {
  money(value) {
    return formatAmount(this, value);
  },
  money_with_currency(value) {
    const text = formatAmount(this, value);
    return text === "" ? "" : `${text} ${currencyOf(this)}`;
  },
  money_without_currency(value) {
    const amount = parseAmount(value);
    if (amount === undefined) return "";
    const { view } = stateOf(this);
    const currency = currencyOf(this);
    const currencyLocale = commaCurrencies.has(currency) ? "de" : "en";
    const locale = isFromShopify(view) ? currencyLocale : view.request.locale;
    const format = getDecimalFormat(locale, getMinorUnit(currency));
    return format.format(formatDecimalMoney(amount, currency) as Intl.StringNumericLiteral);
  },
  /** Formats an amount for programs, with a decimal point and no currency: "1234.5". */
  money_amount(value) {
    const amount = parseAmount(value);
    return amount === undefined ? "" : formatDecimalMoney(amount, currencyOf(this));
  },
  money_without_trailing_zeros(value) {
    return formatAmount(this, value, "unless whole");
  },
};

/**
 * Currencies whose amounts have a decimal comma ("1.234,50") in themes made for Shopify, in every language. Templates of
 * such themes convert the output of `money_without_currency` to a number: they remove its points for these currencies,
 * and its commas for the others.
 */
const commaCurrencies: ReadonlySet<string> = new Set(
  "ANG ARS BRL BYN BYR CLF CLP COP CRC CZK DKK EUR HRK HUF IDR ISK MZN NOK PLN RON RUB SEK TRY UYU VES VND".split(" "),
);

function formatAmount(call: Context, value: unknown, decimalStyle: "always" | "unless whole" = "always"): string {
  const amount = parseAmount(value);
  if (amount === undefined) return "";
  return formatMoney(amount, currencyOf(call), stateOf(call).view.request.locale, decimalStyle);
}

function parseAmount(value: unknown): number | undefined {
  const amount = readNumber(value);
  return amount === undefined ? undefined : Math.round(amount);
}

function currencyOf(call: Context): string {
  return stateOf(call).view.config.currency;
}

function getDecimalFormat(locale: string, digits: number): Intl.NumberFormat {
  return getOrCreate(
    formats,
    `${locale} ${digits}`,
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
}

const formats = new Map<string, Intl.NumberFormat>();
