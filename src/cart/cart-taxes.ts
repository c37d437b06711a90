import { computeTaxes, findTaxCountry, type TaxedAmount, type Taxes, type TaxRules } from "../pricing/taxes.ts";
import type { PricedCart, PricedLine } from "./priced-cart.ts";

/**
 * Computes the taxes of a cart without a shipping address: those of the shop's own country.
 * @returns undefined if the country has no tax rate
 */
export function computeHomeCountryTaxes(
  { tax, shipping }: { readonly tax: TaxRules; readonly shipping: { readonly countries: readonly string[] } },
  cart: Pick<PricedCart, "lines">,
): Taxes | undefined {
  return computeTaxes(tax, findTaxCountry(tax, shipping.countries), listTaxedLines(cart), 0);
}

/** Returns the amount of a line after its own discounts and its shares of the cart's discounts, in minor units. */
export function computeLineAmount({
  finalLinePrice,
  cartShares,
}: Pick<PricedLine, "finalLinePrice" | "cartShares">): number {
  return finalLinePrice - cartShares.reduce((sum, { amount }) => sum + amount, 0);
}

export function listTaxedLines({ lines }: Pick<PricedCart, "lines">): readonly TaxedAmount[] {
  return lines.map((line) => ({
    amount: computeLineAmount(line),
    productType: line.product.productType,
    isTaxable: line.variant.taxable,
  }));
}
