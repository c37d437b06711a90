import { cartTaxes } from "../../cart/cart-taxes.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import {
  amountWith,
  type CheckoutContent,
  type Delivery,
  type SealedCheckout,
} from "../../checkout/sealed-checkout.ts";
import type { Config } from "../../config/settings.ts";
import { countryCodes, countryName } from "../../pricing/countries.ts";
import { isShippedTo, type QuotedRate, quoteRates } from "../../pricing/shipping-rates.ts";
import type { Shop } from "../../shop.ts";
import type { OrderForm } from "../../theme/checkout-pages.ts";

/** What a shopper sent, field by field, outer blanks removed. */
export type SentForm = Readonly<Record<string, string>>;

const fields = "email name address1 address2 zip city province country phone".split(" ");
const MAX_TEXT = 255;

/** @param form as `parseForm` reads it */
export function readSent(form: Readonly<Record<string, unknown>>): SentForm {
  const names = [...fields, "shipping", "checkout", "quoted_country"];
  return Object.fromEntries(
    names.map((name) => {
      const value = form[name];
      const text = typeof value === "string" ? value.toWellFormed().replaceAll(/[\u0000-\u001f\u007f]/g, " ") : "";
      return [name, text.trim().slice(0, MAX_TEXT)];
    }),
  );
}

/** What was said of a delivery, as the form would send it again. */
export function sentAgain({ priced, delivery, taxes }: CheckoutContent): SentForm {
  if (delivery === undefined) return {};
  const { email, name, address, rate } = delivery;
  const shipping = rate === undefined ? "" : `${amountWith(priced, rate.price, taxes)} ${rate.code}`;
  return { email, name, ...address, shipping };
}

/** The form of a checkout's page. */
export function orderForm(
  { config: { shipping, tax, checkout: settings }, hooks }: Pick<Shop, "config" | "hooks">,
  of: {
    readonly priced: PricedCart;
    readonly checkout: SealedCheckout | undefined;
    readonly action: string;
    readonly locale: string;
    readonly now: number;
    readonly sent?: SentForm | undefined;
    readonly errors?: readonly string[] | undefined;
  } & Partial<Pick<OrderForm, "notice" | "currentPath" | "payment" | "returnPath">>,
): OrderForm {
  const {
    priced,
    checkout,
    action,
    locale,
    now,
    sent = {},
    errors = [],
    notice,
    currentPath,
    payment,
    returnPath,
  } = of;
  const [hasInvoice, hasPayment] = [settings.invoice, hooks.payment !== undefined];
  const isElsewhere = [currentPath, payment, returnPath].some((one) => one !== undefined);
  const codes = countryCodes().filter((code) => isShippedTo(shipping, code));
  const wanted = sent.country ?? "";
  const home = shipping.countries.find((code) => codes.includes(code)) ?? regionOf(locale);
  const country = codes.includes(wanted)
    ? wanted
    : home !== undefined && codes.includes(home)
      ? home
      : (codes[0] ?? "");
  const goodsTaxes = cartTaxes(tax, priced, country);
  const { compare } = new Intl.Collator(locale);
  return {
    action,
    locale,
    checkoutId: checkout?.id ?? "",
    heldMinutes: Math.max(0, Math.ceil(((checkout?.heldUntil ?? now) - now) / 60_000)),
    takesOrders: checkout !== undefined && (hasInvoice || hasPayment) && !isElsewhere && codes.length > 0,
    hasInvoice,
    hasPayment,
    requiresShipping: priced.requiresShipping,
    countries: codes.map((code) => ({ code, name: countryName(code, locale) })).sort((a, b) => compare(a.name, b.name)),
    country,
    rates: ratesFor(shipping, priced, country, locale).map((rate) => {
      const taxes = cartTaxes(tax, priced, country, rate.price);
      return { ...rate, amount: amountWith(priced, rate.price, taxes), tax: taxes?.total ?? 0 };
    }),
    amount: amountWith(priced, 0, goodsTaxes),
    ...(goodsTaxes === undefined ? {} : { taxes: goodsTaxes }),
    values: sent,
    errors,
    ...(notice === undefined ? {} : { notice }),
    ...(currentPath === undefined ? {} : { currentPath }),
    ...(payment === undefined ? {} : { payment }),
    ...(returnPath === undefined ? {} : { returnPath }),
  };
}

/** What the shopper asks for, or what is missing. @returns names of fields that are wrong */
export function readDelivery(
  { shipping, tax }: Pick<Config, "shipping" | "tax">,
  priced: PricedCart,
  sent: SentForm,
  locale: string,
): Delivery | { readonly errors: readonly string[] } {
  const { email = "", name = "", country = "" } = sent;
  const rates = ratesFor(shipping, priced, country, locale);
  const [, amount = "", code = ""] = /^(\d{1,15}) (.*)$/.exec(sent.shipping ?? "") ?? [];
  const rate = rates.find((one) => one.code === code);
  const isPriced =
    rate !== undefined &&
    String(amountWith(priced, rate.price, cartTaxes(tax, priced, country, rate.price))) === amount;
  const errors = [
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && email.length <= 254 ? [] : ["email"]),
    ...(name === "" ? ["name"] : []),
    ...(isShippedTo(shipping, country) && countryCodes().includes(country) ? [] : ["country"]),
    ...["address1", "city"].filter((field) => (sent[field] ?? "") === ""),
    ...(rates.length > 0 && !isPriced ? ["shipping"] : []),
  ];
  if (errors.length > 0) return { errors };
  const text = (field: string): string => sent[field] ?? "";
  return {
    email,
    name,
    address: {
      address1: text("address1"),
      address2: text("address2"),
      zip: text("zip"),
      city: text("city"),
      province: text("province"),
      country,
      phone: text("phone"),
    },
    ...(rate === undefined ? {} : { rate }),
  };
}

function ratesFor(
  shipping: Config["shipping"],
  { requiresShipping, total }: PricedCart,
  country: string,
  locale: string,
): readonly QuotedRate[] {
  return requiresShipping ? quoteRates(shipping, { country, goods: total, locale }) : [];
}

/** The country where most speak a language: "fr" -> "FR". */
function regionOf(locale: string): string | undefined {
  return new Intl.Locale(locale).maximize().region;
}
