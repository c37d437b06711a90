import type { Config } from "../../../config/settings.ts";
import { formatTaxRate, type Taxes } from "../../../pricing/taxes.ts";

/** Returns the amount of each tax rate, with Liquid's field names. */
export function createTaxLines(taxes: Taxes | undefined, locale: string): readonly object[] {
  return (taxes?.rates ?? []).map(({ percent, amount }) => ({
    title: formatTaxRate(percent, locale),
    price: amount,
    rate: percent / 100,
    rate_percentage: percent,
  }));
}

/** Returns whether prices include tax, according to the settings. */
export function includesTax({ tax }: Pick<Config, "tax">): boolean {
  return tax.pricesIncludeTax && Object.keys(tax.rates).length > 0;
}
