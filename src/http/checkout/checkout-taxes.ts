import { cartTaxes } from "../../cart/cart-taxes.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Delivery } from "../../checkout/sealed-checkout.ts";
import type { Config } from "../../config/settings.ts";
import { type Taxes, taxHome } from "../../pricing/taxes.ts";

type Settings = Pick<Config, "tax" | "shipping">;

/** While nobody has said where to send: by the shop's own country. */
export function homeTaxes({ tax, shipping }: Settings, priced: PricedCart): Taxes | undefined {
  return cartTaxes(tax, priced, taxHome(tax, shipping.countries));
}

/** Of what is sent as the shopper chose. */
export function deliveryTaxes(
  settings: Settings,
  priced: PricedCart,
  { address, rate }: Pick<Delivery, "address" | "rate">,
): Taxes | undefined {
  return address === undefined
    ? homeTaxes(settings, priced)
    : cartTaxes(settings.tax, priced, address.country, rate?.price ?? 0);
}
