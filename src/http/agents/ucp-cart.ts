import type { Issue } from "../../cart/cart.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import { getLineImage, localizeLine } from "../../cart/presenters/line.ts";
import type { PricedCart, PricedLine } from "../../cart/priced-cart.ts";
import { formatOfferTitle } from "../../catalog/catalog.ts";
import { policyHandles } from "../../catalog/content.ts";
import { localize } from "../../catalog/localize.ts";
import { toCheckoutPath } from "../../checkout/checkout.ts";
import type { QuotedRate } from "../../pricing/shipping-rates.ts";
import { sumAddedTax, type Taxes } from "../../pricing/taxes.ts";
import type { Shop } from "../../shop.ts";
import { formatLocalePrefix, type StoreRequest } from "../wire/request.ts";
import { type CartQuote, findCheapestRate, QUOTE_LIFETIME_MS, QUOTE_PARAM, signCart } from "./quotes.ts";
import type { UcpMessage } from "./ucp.ts";
import { toAbsoluteUrl } from "./ucp-product.ts";

type CartViewServices = Pick<Shop, "config" | "keys" | "snapshot">;

/** Returns a cart in the format of the Universal Commerce Protocol (UCP). */
export function toUcpCart(
  shop: CartViewServices,
  request: StoreRequest,
  quotedCart: {
    readonly cart: StoredCart;
    readonly terms: CartQuote;
    readonly issues: readonly Issue[];
    /** Signed id of the cart, which the agent receives. */
    readonly token: string;
  },
): Readonly<Record<string, unknown>> {
  const { cart, terms, issues, token } = quotedCart;
  const { pricedCart, delivery, taxes } = terms;
  const { origin, locale, now } = request;
  const prefix = formatLocalePrefix(locale, shop.config.locales);
  const rate = findCheapestRate(delivery);
  const messages = issues.map((issue) => messageOf(issue, pricedCart));
  const checkoutUrl = `${origin}${toCheckoutPath(prefix, cart.checkoutId)}?${QUOTE_PARAM}=${signCart(shop, terms, now)}`;
  return {
    id: token,
    line_items: pricedCart.lines.map((line) => ({
      ...formatLineItem(line, locale, origin),
      quantity: line.line.quantity,
    })),
    currency: pricedCart.currency,
    totals: createUcpTotals(pricedCart, rate, taxes),
    ...(delivery === undefined
      ? {}
      : { delivery: { country: terms.country, options: delivery.rates.map(({ name, price }) => ({ name, price })) } }),
    ...(messages.length === 0 ? {} : { messages }),
    links: listPolicyLinks(shop, request),
    ...(pricedCart.lines.length === 0 ? {} : { continue_url: checkoutUrl }),
    quote: { revision: shop.snapshot().revision, expires_at: new Date(now + QUOTE_LIFETIME_MS).toISOString() },
  };
}

/** Returns a line with its item and totals, without its quantity. */
export function formatLineItem(line: PricedLine, locale: string, origin: string): Readonly<Record<string, unknown>> {
  const view = localizeLine(line, locale, "");
  const image = getLineImage(view);
  const discount = line.originalLinePrice - line.finalLinePrice;
  return {
    id: line.line.key,
    ...(line.line.parentKey === undefined ? {} : { parent_id: line.line.parentKey }),
    item: {
      id: line.variant.id,
      title: formatOfferTitle(view),
      price: line.price,
      ...(image === undefined ? {} : { image_url: toAbsoluteUrl(image.src, origin) }),
    },
    totals: [
      { type: "subtotal", amount: line.originalLinePrice },
      ...(discount > 0 ? [{ type: "items_discount", amount: -discount }] : []),
      { type: "total", amount: line.finalLinePrice },
    ],
  };
}

/** Returns the totals of a cart or an order. They add up to the amount before gift cards and store credit. */
export function createUcpTotals(
  { lines, discounts, originalTotal, total }: PricedCart,
  rate: QuotedRate | undefined,
  taxes: Taxes | undefined,
): readonly object[] {
  const itemsDiscount = lines.reduce((sum, line) => sum + line.originalLinePrice - line.finalLinePrice, 0);
  const tax = sumAddedTax(taxes);
  return [
    { type: "subtotal", amount: originalTotal },
    ...(itemsDiscount > 0 ? [{ type: "items_discount", amount: -itemsDiscount }] : []),
    ...discounts.flatMap(({ title, amount }) =>
      amount > 0 ? [{ type: "discount", display_text: title, amount: -amount }] : [],
    ),
    ...(rate === undefined ? [] : [{ type: "fulfillment", display_text: rate.name, amount: rate.price }]),
    ...(tax > 0 ? [{ type: "tax", amount: tax }] : []),
    { type: "total", amount: total + (rate?.price ?? 0) + tax },
  ];
}

export function listPolicyLinks(
  { config, snapshot }: Pick<Shop, "config" | "snapshot">,
  { origin, locale }: Pick<StoreRequest, "origin" | "locale">,
): readonly { readonly type: string; readonly url: string; readonly title: string }[] {
  const { catalog } = snapshot();
  const pagesUrl = `${origin}${formatLocalePrefix(locale, config.locales)}/pages/`;
  return policyHandles.flatMap((handle) => {
    const page = catalog.page(handle);
    const type = handle.replaceAll("-", "_");
    return page === undefined ? [] : [{ type, url: pagesUrl + handle, title: localize(page, locale).title }];
  });
}

function messageOf({ code, message, key }: Issue, { lines }: PricedCart): UcpMessage {
  const index = lines.findIndex(({ line }) => line.key === key);
  return { type: "warning", code, content: message, ...(index < 0 ? {} : { path: `$.line_items[${index}]` }) };
}
