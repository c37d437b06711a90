import { computeTaxes, type TaxedAmount, type Taxes, type TaxRules } from "../pricing/taxes.ts";
import type { PricedCart, PricedLine } from "./priced-cart.ts";

/** The taxes of a cart that is sent to a country. @param shipping what sending costs, in minor units  @returns undefined where none are set for it */
export function cartTaxes(
  rules: TaxRules,
  cart: Pick<PricedCart, "lines">,
  country: string,
  shipping = 0,
): Taxes | undefined {
  return computeTaxes(rules, country, taxedLines(cart), shipping);
}

/** What is paid for a line, after its own discounts and its shares of the cart's; minor units. */
export function lineAmount({ finalLinePrice, cartShares }: Pick<PricedLine, "finalLinePrice" | "cartShares">): number {
  return finalLinePrice - cartShares.reduce((sum, { amount }) => sum + amount, 0);
}

/** What is taxed of each line. */
export function taxedLines({ lines }: Pick<PricedCart, "lines">): readonly TaxedAmount[] {
  return lines.map((line) => ({
    amount: lineAmount(line),
    productType: line.product.productType,
    isTaxable: line.variant.taxable,
  }));
}
