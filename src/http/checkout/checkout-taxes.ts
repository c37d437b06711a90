import { cartTaxes } from "../../cart/cart-taxes.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Config } from "../../config/settings.ts";
import { type Taxes, taxHome } from "../../pricing/taxes.ts";

/** Taxes in the shop's own country, from the settings, for carts without a destination. */
export function homeTaxes({ tax, shipping }: Pick<Config, "tax" | "shipping">, priced: PricedCart): Taxes | undefined {
  return cartTaxes(tax, priced, taxHome(tax, shipping.countries));
}
