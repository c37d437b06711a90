import { computeLineAmount, listTaxedLines } from "../../cart/cart-taxes.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import { localize } from "../../catalog/localize.ts";
import type { Destination, QuotedGoods, TaxPercents } from "../../hooks/delivery-hooks.ts";
import { callShippingHook, callTaxHook } from "../../hooks/quotes.ts";
import { computeRates, deliversToCountry, type QuotedRate } from "../../pricing/shipping-rates.ts";
import { computeLineTaxes, computeTaxes, type Taxes } from "../../pricing/taxes.ts";
import { Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";

/** Shipping rates and taxes of a cart for one destination. Amounts are in minor units. */
export interface DeliveryTerms {
  readonly rates: readonly QuotedRate[];
  /** Returns the taxes, or undefined if none are configured for the destination.  @param shipping shipping cost */
  taxes(shipping: number): Taxes | undefined;
  /**
   * Whether a merchant's hook failed and the settings contain no fallback. The cart cannot be ordered in this state.
   */
  readonly isUnavailable: boolean;
}

export type DeliveryServices = Pick<Shop, "config" | "hooks" | "process" | "limits">;

/**
 * Returns the shipping rates and taxes from the merchant's hooks if configured, else from the settings.
 * @throws Problem `rate_limited` if the client's network has caused too many hook calls
 */
export async function getDeliveryTerms(
  shop: DeliveryServices,
  pricedCart: PricedCart,
  to: Destination,
  context: {
    readonly locale: string;
    readonly customerId?: string | undefined;
    readonly request: Pick<StoreRequest, "client" | "now">;
    /** Id of the checkout or the cart; undefined for an empty cart. */
    readonly checkoutId: string | undefined;
  },
): Promise<DeliveryTerms> {
  const { shipping: shippingHook, tax: taxHook } = shop.hooks;
  const { shipping, tax } = shop.config;
  const isShipped = pricedCart.requiresShipping && shipsToCountry(shop, to.country);
  const quotedGoods =
    shippingHook === undefined && taxHook === undefined ? undefined : toQuotedGoods(pricedCart, context);
  if (quotedGoods !== undefined) checkQuoteLimit(shop, context.request, context.checkoutId);
  const toHookErrorStatus = (): "away" => "away";
  // Errors of the hooks are already logged.
  const [quotes, taxPercents] = await Promise.all([
    shippingHook === undefined || quotedGoods === undefined || !isShipped
      ? undefined
      : callShippingHook(shippingHook, shop.process.log, to, quotedGoods).catch(toHookErrorStatus),
    taxHook === undefined || quotedGoods === undefined
      ? undefined
      : callTaxHook(taxHook, shop.process.log, to, quotedGoods).then((answer) => answer ?? "none", toHookErrorStatus),
  ]);
  const configuredRates = isShipped
    ? computeRates(shipping, { country: to.country, itemsTotal: pricedCart.total, locale: context.locale })
    : [];
  const rates: readonly QuotedRate[] = Array.isArray(quotes) ? quotes : configuredRates;
  const hasTaxRate = Object.hasOwn(tax.rates, to.country);
  return {
    rates: pricedCart.hasFreeShipping === true ? rates.map((rate) => ({ ...rate, price: 0 })) : rates,
    taxes: createTaxCalculator(taxPercents),
    isUnavailable: (quotes === "away" && configuredRates.length === 0) || (taxPercents === "away" && !hasTaxRate),
  };

  function createTaxCalculator(answer: TaxPercents | "none" | "away" | undefined): DeliveryTerms["taxes"] {
    const lines = listTaxedLines(pricedCart);
    if (answer === "none") return () => undefined;
    if (answer === undefined || answer === "away") return (cost) => computeTaxes(tax, to.country, lines, cost);
    const location = { country: to.country, isIncluded: tax.pricesIncludeTax };
    return (cost) => computeLineTaxes(answer, location, lines, cost);
  }
}

function checkQuoteLimit(
  { limits }: DeliveryServices,
  { client, now }: Pick<StoreRequest, "client" | "now">,
  checkoutId: string | undefined,
): void {
  const isAllowed = checkoutId === undefined || limits.consume("checkout attempt", `quote ${checkoutId}`, now);
  if (!isAllowed || !limits.consume("quote by address", findAddressBlock(client.address), now))
    throw new Problem("rate_limited", "Too many requests for delivery costs. Try again in a minute.");
}

/**
 * Reports whether the shop ships to a country. If a hook returns shipping rates, the countries in the settings are
 * ignored.
 */
export function shipsToCountry({ config, hooks }: Pick<Shop, "config" | "hooks">, country: string): boolean {
  const { countries, rates } = config.shipping;
  return deliversToCountry({ countries, rates: hooks.shipping === undefined ? rates : [] }, country);
}

function toQuotedGoods(
  { lines, currency, total }: PricedCart,
  { locale, customerId }: Pick<Parameters<typeof getDeliveryTerms>[3], "locale" | "customerId">,
): QuotedGoods {
  return {
    currency,
    locale,
    total,
    ...(customerId === undefined ? {} : { customerId }),
    lines: lines.map(({ line, product, variant, ...lineFields }) => ({
      variantId: variant.id,
      ...(variant.sku === undefined ? {} : { sku: variant.sku }),
      title: localize(product, locale).title,
      productType: product.productType,
      quantity: line.quantity,
      amount: computeLineAmount(lineFields),
      grams: variant.grams,
      requiresShipping: variant.requiresShipping,
      taxable: variant.taxable,
    })),
  };
}
