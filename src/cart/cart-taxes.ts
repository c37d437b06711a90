import { computeTaxes, type Taxes, type TaxRules } from "../pricing/taxes.ts";
import type { PricedCart } from "./priced-cart.ts";

/** The taxes of a cart that is sent to a country. @param shipping what sending costs, in minor units  @returns undefined where none are set for it */
export function cartTaxes(
  rules: TaxRules,
  { lines }: Pick<PricedCart, "lines">,
  country: string,
  shipping = 0,
): Taxes | undefined {
  const taxed = lines.map(({ finalLinePrice, cartShares, product, variant }) => ({
    amount: finalLinePrice - cartShares.reduce((sum, { amount }) => sum + amount, 0),
    productType: product.productType,
    isTaxable: variant.taxable,
  }));
  return computeTaxes(rules, country, taxed, shipping);
}
