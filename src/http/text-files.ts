import { emptyCart } from "../cart/cart.ts";
import type { Shop } from "../shop.ts";
import { type PricingServices, priceCartForRequest } from "./cart/load-cart.ts";
import type { StoreRequest } from "./wire/request.ts";

export type TextFileServices = PricingServices & Pick<Shop, "snapshot" | "theme">;

/** Renders the first of `files` that has a template in the theme; undefined if none has one. */
export async function renderTextFile(
  shop: TextFileServices,
  { origin, locale, now }: StoreRequest,
  files: readonly string[],
): Promise<string | undefined> {
  const snapshot = shop.snapshot();
  const { catalog, index, rules: searchRules } = snapshot;
  const loadCart = (): ReturnType<typeof priceCartForRequest> =>
    priceCartForRequest(shop, emptyCart, snapshot, undefined, { locale, now });
  for (const file of files) {
    const renderRequest = { locale, target: `/${file}`, origin, catalog, index, cart: loadCart, searchRules, now };
    if (shop.theme.hasPage(renderRequest)) return (await shop.theme.renderPage(renderRequest)).html;
  }
  return undefined;
}
