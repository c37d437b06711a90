import type { PricedCart } from "../../../cart/priced-cart.ts";
import type { PostalAddress } from "../../../checkout/checkout-snapshot.ts";
import { getMessages } from "../../../messages/messages.ts";
import { findCountry } from "../../../pricing/countries.ts";
import { formatDecimalMoney } from "../../../pricing/money.ts";
import { findProvince } from "../../../pricing/provinces.ts";
import type { QuotedRate } from "../../../pricing/shipping-rates.ts";
import { Problem } from "../../../problem.ts";
import { truncateText } from "../../../runtime/truncate-text.ts";
import type { Shop } from "../../../shop.ts";
import { isObject } from "../../bodies/body.ts";
import { readFields } from "../../bodies/form-posts.ts";
import { findCart, priceCartForRequest } from "../../cart/load-cart.ts";
import { getDeliveryTerms, shipsToCountry } from "../../checkout/delivery-terms.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { readCookieValues, setCookie } from "../../wire/cookies.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

type ShippingServices = Pick<
  Shop,
  "config" | "hooks" | "process" | "snapshot" | "carts" | "checkouts" | "keys" | "limits"
>;

/** Handles `GET /cart/shipping_rates.json?shipping_address[country]=…`: returns the shipping costs of the cart. */
export async function handleShippingRates(shop: ShippingServices, request: StoreRequest): Promise<Reply> {
  const address = readAddress(shop, request, (field) => request.query.get(`shipping_address[${field}]`));
  return "error" in address ? address.error : createJsonReply(200, await createRatesJson(shop, request, address));
}

/**
 * Handles `POST /cart/prepare_shipping_rates.json`: validates an address and stores it in a cookie for {@link
 * readAsyncShippingRates}. It needs no CSRF token, because it changes no data of the shop.
 */
export async function prepareShippingRates(shop: ShippingServices, request: StoreRequest): Promise<Reply> {
  const form = await readFields(request);
  const fields = isObject(form?.shipping_address) ? form.shipping_address : {};
  const address = readAddress(
    shop,
    request,
    (field) => request.query.get(`shipping_address[${field}]`) ?? fields[field],
  );
  if ("error" in address) return address.error;
  const addressText = new URLSearchParams({ ...address }).toString();
  const cookie = setCookie(request, ADDRESS_COOKIE, addressText, { maxAge: COOKIE_LIFETIME_SECONDS, httpOnly: true });
  return createJsonReply(202, null, { "set-cookie": cookie });
}

/**
 * Handles `GET /cart/async_shipping_rates.json`: returns the shipping costs to the address in the query or the cookie.
 */
export async function readAsyncShippingRates(shop: ShippingServices, request: StoreRequest): Promise<Reply> {
  const addressParams = new URLSearchParams(readCookieValues(request, ADDRESS_COOKIE)[0] ?? "");
  const hasAddress = request.query.has("shipping_address[country]");
  const address = readAddress(shop, request, (field) =>
    hasAddress ? request.query.get(`shipping_address[${field}]`) : addressParams.get(field),
  );
  return "error" in address ? address.error : createJsonReply(200, await createRatesJson(shop, request, address));
}

/** Cookie that contains an address in the format of a query string. */
const ADDRESS_COOKIE = "shipping_place";
const COOKIE_LIFETIME_SECONDS = 3_600;

/** Parts of an address that determine shipping rates. */
type RateAddress = Pick<PostalAddress, "country" | "province" | "zip">;

function readAddress(
  shop: Pick<Shop, "config" | "hooks">,
  { locale }: StoreRequest,
  readField: (field: string) => unknown,
): RateAddress | { readonly error: Reply } {
  // Shipping calculators of themes show all properties of an error, so it contains only the invalid fields.
  const createErrorResult = (message: string) => ({ error: createJsonReply(422, { country: [message] }) });
  const message = getMessages(locale);
  const readText = (field: string): string => {
    const value = readField(field);
    return typeof value === "string" ? truncateText(value.toWellFormed().trim(), MAX_TEXT_LENGTH) : "";
  };
  const countryInput = readText("country");
  if (countryInput === "") return createErrorResult(message("errors.blank"));
  const country = findCountry(countryInput, locale);
  if (country === undefined || !shipsToCountry(shop, country)) return createErrorResult(message("errors.unsupported"));
  const province = readText("province");
  return { country, province: findProvince(country, province) ?? province, zip: readText("zip") };
}

const MAX_TEXT_LENGTH = 255;

/** Returns the shipping rates for an address.  @throws Problem `quote_unavailable` */
async function createRatesJson(shop: ShippingServices, request: StoreRequest, address: RateAddress): Promise<object> {
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const shopperCart = await findCart(shop, request);
  const cart = await priceCartForRequest(shop, shopperCart, snapshot, customer, request);
  const to = { ...address, city: "", address1: "", address2: "" };
  const { rates, isUnavailable: isUnknown } = await getDeliveryTerms(shop, cart, to, {
    locale: request.locale,
    customerId: customer?.id,
    request,
    checkoutId: shopperCart.checkoutId,
  });
  if (isUnknown)
    throw new Problem("quote_unavailable", "The shipping cost is currently unavailable. Try again in a minute.");
  return { shipping_rates: rates.map((rate) => serializeRate(rate, cart)) };
}

/** Converts a shipping rate to JSON with the fields that Shopify themes read. Fields about the carrier are null. */
function serializeRate({ code, name, price }: QuotedRate, { currency }: PricedCart): object {
  return {
    name,
    presentment_name: name,
    code,
    price: formatDecimalMoney(price, currency),
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
