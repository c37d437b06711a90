import type { PricedCart } from "../../../cart/priced-cart.ts";
import { messagesIn } from "../../../messages/registry.ts";
import { findCountry } from "../../../pricing/countries.ts";
import { decimalMoney } from "../../../pricing/money.ts";
import { isShippedTo, type QuotedRate, quoteRates } from "../../../pricing/shipping-rates.ts";
import type { Shop } from "../../../shop.ts";
import { isObject } from "../../bodies/body.ts";
import { formOf } from "../../bodies/form-posts.ts";
import { findCart, priceFor } from "../../cart/load-cart.ts";
import { addressFaults } from "../../refusals.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { cookieValues, setCookie } from "../../wire/cookies.ts";
import { json, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

type ShippingShop = Pick<Shop, "config" | "snapshot" | "carts" | "discountUses" | "checkouts" | "turn" | "keyring">;

/** `GET /cart/shipping_rates.json?shipping_address[country]=…`: what sending the cart there costs. */
export async function shippingRates(shop: ShippingShop, request: StoreRequest): Promise<Reply> {
  const asked = askedCountry(shop, request, request.query.get("shipping_address[country]") ?? "");
  return "fault" in asked ? asked.fault : json(200, await quoted(shop, request, asked.country));
}

/** `POST /cart/prepare_shipping_rates.json`: looks at the address and remembers its country for {@link asyncShippingRates}. Nothing of the shop's changes, so it needs no token. */
export async function prepareShippingRates(shop: ShippingShop, request: StoreRequest): Promise<Reply> {
  const form = await formOf(request);
  const address = isObject(form?.shipping_address) ? form.shipping_address : {};
  const named = request.query.get("shipping_address[country]") ?? address.country;
  const asked = askedCountry(shop, request, typeof named === "string" ? named : "");
  if ("fault" in asked) return asked.fault;
  const cookie = setCookie(request, COOKIE, asked.country, { maxAge: COOKIE_SECONDS, httpOnly: true });
  return json(202, null, { "set-cookie": cookie });
}

/** `GET /cart/async_shipping_rates.json`: what sending the cart costs, to the country asked for here or prepared before; there is nothing to wait for. */
export async function asyncShippingRates(shop: ShippingShop, request: StoreRequest): Promise<Reply> {
  const named = request.query.get("shipping_address[country]") ?? cookieValues(request, COOKIE)[0] ?? "";
  const asked = askedCountry(shop, request, named);
  return "fault" in asked ? asked.fault : json(200, await quoted(shop, request, asked.country));
}

/** Holds an ISO 3166-1 code. */
const COOKIE = "shipping_country";
const COOKIE_SECONDS = 3_600;

function askedCountry(
  { config }: Pick<Shop, "config">,
  { locale }: StoreRequest,
  named: string,
): { readonly country: string } | { readonly fault: Reply } {
  const refused = (message: string) => ({ fault: addressFaults({ country: [message] }) });
  const { blank, unsupported } = messagesIn(locale).faults;
  if (named.trim() === "") return refused(blank);
  const country = findCountry(named, locale);
  return country === undefined || !isShippedTo(config.shipping, country) ? refused(unsupported) : { country };
}

async function quoted(shop: ShippingShop, request: StoreRequest, country: string): Promise<object> {
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const cart = await priceFor(shop, await findCart(shop, request), snapshot, customer, request);
  const goods = { country, goods: cart.total, locale: request.locale };
  const rates = cart.requiresShipping ? quoteRates(shop.config.shipping, goods) : [];
  return { shipping_rates: rates.map((rate) => rateJson(rate, cart)) };
}

/** The fields that calculators of themes read; those that are of carriers are null. */
function rateJson({ code, name, price }: QuotedRate, { currency }: PricedCart): object {
  return {
    name,
    presentment_name: name,
    code,
    price: decimalMoney(price, currency),
    currency,
    source: "vitrine",
    markups: null,
    delivery_date: null,
    delivery_range: null,
    delivery_days: [],
    compare_price: null,
    phone_required: false,
    carrier_identifier: null,
    delivery_category: null,
    description: null,
    has_restrictions: false,
    accepts_instructions: false,
  };
}
