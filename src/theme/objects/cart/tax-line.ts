import type { Config } from "../../../config/settings.ts";
import { formatTaxRate, type Taxes } from "../../../pricing/taxes.ts";

/** What each rate comes to, under the field's names. */
export function taxLines(taxes: Taxes | undefined, locale: string): readonly object[] {
  return (taxes?.rates ?? []).map(({ percent, amount }) => ({
    title: formatTaxRate(percent, locale),
    price: amount,
    rate: percent / 100,
    rate_percentage: percent,
  }));
}

/** Whether the merchant says that prices are with tax. */
export function includesTax({ tax }: Pick<Config, "tax">): boolean {
  return tax.pricesIncludeTax && Object.keys(tax.rates).length > 0;
}
