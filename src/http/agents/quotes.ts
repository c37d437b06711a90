import type { Cart } from "../../cart/cart.ts";
import { computeHomeCountryTaxes } from "../../cart/cart-taxes.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { OfferedVariant } from "../../catalog/catalog.ts";
import { isAvailable } from "../../catalog/stock.ts";
import { sumAddedTax, type Taxes } from "../../pricing/taxes.ts";
import { digestOf } from "../../runtime/hash.ts";
import type { Shop } from "../../shop.ts";
import { priceCartForRequest } from "../cart/load-cart.ts";
import { type DeliveryTerms, getDeliveryTerms } from "../checkout/delivery-terms.ts";
import type { OpenCheckoutServices } from "../checkout/open-checkout.ts";
import { awaitWithDeadline } from "../deadline.ts";
import type { StoreRequest } from "../wire/request.ts";

/** Milliseconds for which the signed prices that an agent received are valid. */
export const QUOTE_LIFETIME_MS = 600_000;

/** Price and availability of a variant at the time when an agent read them. */
export interface PriceQuote {
  /** Price in minor units. */
  readonly price: number;
  readonly isAvailable: boolean;
}

/** Signs price and availability of a variant.  @param revision revision of the catalog */
export function signPrice(
  { keys }: Pick<Shop, "keys">,
  { variant }: OfferedVariant,
  revision: number,
  now: number,
): { readonly quote: string; readonly quote_revision: number; readonly quote_expires_at: string } {
  const expiryTime = now + QUOTE_LIFETIME_MS;
  const value = `${digestOf(variant.id)}-${variant.price}-${isAvailable(variant) ? 1 : 0}-${revision}`;
  return {
    quote: keys.sign("agent price", value, expiryTime),
    quote_revision: revision,
    quote_expires_at: new Date(expiryTime).toISOString(),
  };
}

/** Verifies a quote from {@link signPrice}. Returns undefined if it is invalid, expired, or for another variant. */
export function readPriceQuote(
  { keys }: Pick<Shop, "keys">,
  quote: string,
  variantId: string,
  now: number,
): PriceQuote | undefined {
  const [, digest, price, availabilityFlag] =
    /^([\w-]{22})-(\d+)-([01])-\d+$/.exec(keys.verify("agent price", quote, now)?.value ?? "") ?? [];
  return digest === digestOf(variantId) ? { price: Number(price), isAvailable: availabilityFlag === "1" } : undefined;
}

/** Prices, shipping rates, and taxes of a cart, as an agent receives them. Amounts are in minor units. */
export interface CartQuote {
  readonly pricedCart: PricedCart;
  /** ISO 3166-1 code of the destination; "" if the destination is unknown. */
  readonly country: string;
  /** Undefined if the destination is unknown or the cart is empty. */
  readonly delivery: DeliveryTerms | undefined;
  /** Taxes on the cart and its cheapest shipping rate. If the destination is unknown, the shop's country is used. */
  readonly taxes: Taxes | undefined;
}

export type QuoteServices = OpenCheckoutServices;

/** Computes the prices, shipping rates, and taxes of a cart for an anonymous visitor. */
export async function loadCartTerms(
  shop: QuoteServices,
  request: StoreRequest,
  cart: Cart,
  country: string,
): Promise<CartQuote> {
  const pricedCart = await priceCartForRequest(shop, cart, shop.snapshot(), undefined, request);
  if (country === "" || cart.lines.length === 0)
    return { pricedCart, country, delivery: undefined, taxes: computeHomeCountryTaxes(shop.config, pricedCart) };
  const { locale } = request;
  const destination = { country, province: "", zip: "", city: "", address1: "", address2: "" };
  const delivery = await getDeliveryTerms(shop, pricedCart, destination, {
    locale,
    request,
    checkoutId: cart.checkoutId,
  });
  return { pricedCart, country, delivery, taxes: delivery.taxes(findCheapestRate(delivery)?.price ?? 0) };
}

export function findCheapestRate(delivery: DeliveryTerms | undefined): DeliveryTerms["rates"][number] | undefined {
  return delivery?.rates.toSorted((left, right) => left.price - right.price)[0];
}

/** Signs the prices, shipping rates, and taxes of a cart, for the link to its checkout. */
export function signCart({ keys }: Pick<Shop, "keys">, terms: CartQuote, now: number): string {
  return keys.sign(
    "agent cart values",
    `${hashItems(terms)}${hashDelivery(terms)}${terms.country}`,
    now + QUOTE_LIFETIME_MS,
  );
}

/** Result of comparing the signed values in a checkout link with the current prices, shipping rates, and taxes. */
export type QuoteComparison =
  /** The link contains no quote. */
  | { readonly result: "none" }
  | { readonly result: "equal"; readonly country: string }
  /** `changes` describes the changes of items in the reader's language. */
  | {
      readonly result: "items changed" | "delivery changed";
      readonly country: string;
      readonly changes: readonly string[];
    };

/**
 * Compares the quote in a checkout link with the current values of the cart. A forged quote counts as changed. An
 * expired quote with the current values counts as equal, because the buyer pays these values.
 */
export async function compareQuote(shop: QuoteServices, request: StoreRequest, cart: Cart): Promise<QuoteComparison> {
  const quote = request.query.get(QUOTE_PARAM);
  if (quote === null) return { result: "none" };
  const signedValue = shop.keys.verify("agent cart values", quote, 0)?.value ?? "";
  const [, items, delivery, country = ""] = /^([\w-]{22})([\w-]{22})([A-Z]{2})?$/.exec(signedValue) ?? [];
  const terms = await awaitWithDeadline(loadCartTerms(shop, request, cart, country));
  const changes = terms.pricedCart.issues.map(({ message }) => message);
  if (items !== hashItems(terms)) return { result: "items changed", country, changes };
  if (delivery !== hashDelivery(terms)) return { result: "delivery changed", country, changes };
  return { result: "equal", country };
}

/** Query parameter of checkout links that contains the signed quote. */
export const QUOTE_PARAM = "quote";

function hashItems({ pricedCart: { cart, currency, lines, total } }: CartQuote): string {
  const lineValues = lines.map(({ line, finalLinePrice, available }) => [
    line.variantId,
    line.quantity,
    finalLinePrice,
    available,
  ]);
  return digestOf(JSON.stringify([cart.id, cart.revision, currency, lineValues, total]));
}

function hashDelivery({ delivery, taxes }: CartQuote): string {
  const rates = delivery?.rates.map(({ code, price }) => [code, price]);
  return digestOf(JSON.stringify([rates, delivery?.isUnavailable, sumAddedTax(taxes)]));
}
