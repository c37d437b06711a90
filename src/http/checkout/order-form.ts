import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Customer } from "../../catalog/customer.ts";
import {
  type CheckoutContent,
  type CheckoutSnapshot,
  computeAmountDue,
  type ShippingDetails,
} from "../../checkout/checkout-snapshot.ts";
import type { Destination } from "../../hooks/delivery-hooks.ts";
import { isPostalCode, isPostalCodeFirst } from "../../pricing/address-formats.ts";
import {
  findCountry,
  getCountryName,
  hasPostalCode,
  hasProvince,
  listCountryCodes,
  mayHaveProvince,
  requiresPostalCode,
} from "../../pricing/countries.ts";
import { inferCountries } from "../../pricing/default-countries.ts";
import { findProvince, listProvinces } from "../../pricing/provinces.ts";
import { sumAddedTax } from "../../pricing/taxes.ts";
import { isVatId, normalizeVatId } from "../../pricing/vat-id.ts";
import { truncateText } from "../../runtime/truncate-text.ts";
import type { Shop } from "../../shop.ts";
import type { OrderForm } from "../../theme/checkout-pages.ts";
import { isEmailAddress } from "../bodies/forms.ts";
import { type DeliveryTerms, shipsToCountry } from "./delivery-terms.ts";
import { describePaymentMethods, listPaymentMethods } from "./payment-methods.ts";

/** Submitted fields of the checkout form by name, trimmed. */
export type SubmittedForm = Readonly<Record<string, string>>;

const fieldNames = "email name address1 address2 zip city province country phone vat_id".split(" ");
const MAX_TEXT_LENGTH = 255;

/**
 * Characters without a shape that pasted text contains, and those that reverse text, which can disguise an address.
 * Joiners are not among them, because some scripts need them.
 */
const INVISIBLE_CHARACTERS = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

/** Returns the fields of the checkout form.  @param form result of `parseForm` */
export function readSubmittedForm(form: Readonly<Record<string, unknown>>): SubmittedForm {
  const names = [...fieldNames, "shipping", "payment_method", "checkout", "quoted_country", "quoted_amount"];
  return Object.fromEntries(
    names.map((name) => {
      const value = form[name];
      const visibleText = typeof value === "string" ? value.toWellFormed().replaceAll(INVISIBLE_CHARACTERS, "") : "";
      const text = visibleText.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
      return [name, truncateText(text.trim(), MAX_TEXT_LENGTH)];
    }),
  );
}

/** Prefix of parameters of checkout links that fill in the form, such as `checkout[shipping_address][city]`. */
export const FORM_PARAM_PREFIX = "checkout[";

/** Returns the fields of the checkout form in the query of a link, with the names of Shopify's links. */
export function readLinkedForm(query: URLSearchParams, locale: string): SubmittedForm {
  const getText = (name: string): string => query.get(`checkout[shipping_address][${name}]`) ?? "";
  const addressFields = ["address1", "address2", "zip", "city", "province", "phone"].map((name) => [
    name,
    getText(name),
  ]);
  return readSubmittedForm({
    ...Object.fromEntries(addressFields),
    email: query.get("checkout[email]") ?? "",
    name: `${getText("first_name")} ${getText("last_name")}`,
    country: findCountry(getText("country"), locale) ?? "",
  });
}

/** Returns the form fields for the shipping details that are stored in a checkout. */
export function toSubmittedDelivery({ priced, delivery, taxes }: CheckoutContent): SubmittedForm {
  if (delivery === undefined) return {};
  const { email, name, vatId = "", address, rate } = delivery;
  const shipping = rate === undefined ? "" : `${computeAmountDue(priced, rate.price, taxes)} ${rate.code}`;
  return { email, name, vat_id: vatId, ...address, shipping };
}

/** Returns the form fields for a customer who is logged in: the default address, if the shop ships there. */
export function toCustomerForm(shop: FormServices, customer: Customer | undefined): SubmittedForm {
  if (customer === undefined) return {};
  const [address] = customer.addresses ?? [];
  const shippableAddress =
    address?.country !== undefined && shipsToCountry(shop, address.country) ? address : undefined;
  const { firstName, lastName } = shippableAddress?.lastName === undefined ? customer : shippableAddress;
  const { address1, address2, zip, city, provinceCode, province, country } = shippableAddress ?? {};
  return readSubmittedForm({
    ...{ email: customer.email, name: `${firstName ?? ""} ${lastName ?? ""}`, address1, address2, zip, city },
    ...{ province: provinceCode ?? province, country, phone: shippableAddress?.phone ?? customer.phone },
  });
}

type FormServices = Pick<Shop, "config" | "hooks">;

/** Returns the destination in a checkout form. It may be incomplete. */
export function destinationOf(shop: FormServices, submittedForm: SubmittedForm, locale: string): Destination {
  const { province = "", zip = "", city = "", address1 = "", address2 = "" } = submittedForm;
  const country = selectCountry(shop, submittedForm, locale);
  return { country, province: findProvince(country, province) ?? province, zip, city, address1, address2 };
}

/**
 * Returns the country that the shopper selected. Default: the shop's own country, or on translated pages the country
 * where most people speak the language. Returns "" if the shop does not ship anywhere.
 */
function selectCountry(shop: FormServices, { country: selectedCountry = "" }: SubmittedForm, locale: string): string {
  const codes = listCountries(shop);
  const { shipping, locales } = shop.config;
  const defaultCountries = inferCountries(shop.config);
  const region = findRegion(locale) ?? "";
  const likelyCountryCodes = locale === locales.default ? [...defaultCountries, region] : [region, ...defaultCountries];
  return (
    [selectedCountry, ...shipping.countries, ...likelyCountryCodes].find((code) => codes.includes(code)) ??
    codes[0] ??
    ""
  );
}

function listCountries(shop: FormServices): readonly string[] {
  return listCountryCodes().filter((code) => shipsToCountry(shop, code));
}

/**
 * Returns the data for rendering the checkout form.
 * @param terms shipping rates and taxes for the address in the form; undefined if the shop does not ship there
 */
export function renderOrderForm(
  shop: FormServices,
  formState: {
    readonly priced: PricedCart;
    readonly checkout: CheckoutSnapshot | undefined;
    readonly terms: DeliveryTerms | undefined;
    readonly action: string;
    readonly locale: string;
    readonly now: number;
    /** Whether the form places a test order. Default: false. */
    readonly isTest?: boolean;
    readonly submittedForm?: SubmittedForm | undefined;
    readonly errors?: readonly string[] | undefined;
  } & Partial<Pick<OrderForm, "notice" | "changes" | "currentPath" | "payment" | "returnPath">>,
): OrderForm {
  const {
    priced,
    checkout,
    terms,
    action,
    locale,
    now,
    isTest = false,
    submittedForm = {},
    errors = [],
    notice,
    changes,
    currentPath,
    payment,
    returnPath,
  } = formState;
  const methods = listPaymentMethods(shop, isTest);
  const hasOtherPath = [currentPath, payment, returnPath].some((value) => value !== undefined);
  const codes = listCountries(shop);
  const country = selectCountry(shop, submittedForm, locale);
  const provinces = listProvinces(country, locale);
  const goodsTaxes = terms?.taxes(0);
  const { compare } = new Intl.Collator(locale);
  const isOrderable = checkout !== undefined && terms?.isUnavailable === false && codes.length > 0;
  return {
    action,
    locale,
    checkoutId: checkout?.id ?? "",
    reservedMinutes: checkout?.state === "open" ? Math.max(0, Math.ceil((checkout.reservedUntil - now) / 60_000)) : 0,
    canOrder: isOrderable && methods.length > 0 && !hasOtherPath,
    hasInvoice: methods.includes("invoice"),
    hasBankTransfer: methods.includes("bank_transfer"),
    paymentMethods: describePaymentMethods(shop, methods, locale),
    issuesInvoice: shop.config.invoices.issue === true,
    hasPayment: methods.includes("provider"),
    isTest,
    showsVatIdField: shop.config.checkout.vatId,
    requiresShipping: priced.requiresShipping,
    countries: codes
      .map((code) => ({ code, name: getCountryName(code, locale) }))
      .sort((a, b) => compare(a.name, b.name)),
    country,
    isPostalCodeFirst: isPostalCodeFirst(country),
    requiresPostalCode: requiresPostalCode(country),
    mayHaveProvince: mayHaveProvince(country),
    requiresProvince: hasProvince(country),
    provinces,
    rates: (terms?.rates ?? []).map((rate) => {
      const taxes = terms?.taxes(rate.price);
      return {
        ...rate,
        amount: computeAmountDue(priced, rate.price, taxes),
        total: priced.total + rate.price + sumAddedTax(taxes),
        taxes,
      };
    }),
    amount: computeAmountDue(priced, 0, goodsTaxes),
    taxes: goodsTaxes,
    values: { ...submittedForm, province: selectProvince(country, submittedForm) },
    ...{ errors, notice, changes, currentPath, payment, returnPath },
  };
}

/** Returns the state or province in the form; "" if it is one of the country that was selected before. */
function selectProvince(
  country: string,
  { province = "", quoted_country: previousCountry = "" }: SubmittedForm,
): string {
  const code = findProvince(country, province);
  if (code !== undefined) return code;
  const isOfPreviousCountry = previousCountry !== country && findProvince(previousCountry, province) !== undefined;
  return isOfPreviousCountry ? "" : province;
}

/** Returns whether an address lacks a state or province, or has one that is not in the list of the country. */
function isInvalidProvince(country: string, province: string): boolean {
  if (listProvinces(country, "en").length > 0) return findProvince(country, province) === undefined;
  return hasProvince(country) && province === "";
}

/** Reads the shipping details from a form.  @returns the details, or the names of the invalid fields in form order */
export function readDelivery(
  shop: FormServices,
  pricedCart: PricedCart,
  submittedForm: SubmittedForm,
  { rates, taxes }: DeliveryTerms,
): ShippingDetails | { readonly errors: readonly string[] } {
  const { email = "", name = "", country = "" } = submittedForm;
  const [, amount = "", code = ""] = /^(\d{1,15}) (.*)$/.exec(submittedForm.shipping ?? "") ?? [];
  const rate = rates.find((quotedRate) => quotedRate.code === code);
  const hasCurrentPrice =
    rate !== undefined && String(computeAmountDue(pricedCart, rate.price, taxes(rate.price))) === amount;
  // The settings list the countries to which the shop ships. With a carrier hook, the carrier decides for each address.
  const isShippable =
    listCountries(shop).includes(country) &&
    !(shop.hooks.shipping && pricedCart.requiresShipping && rates.length === 0);
  const isInvalidField = (field: string): boolean => {
    const text = submittedForm[field] ?? "";
    // Links are rejected as spam: the confirmation email repeats these fields, and anyone can enter any email address.
    if (/:\/\/|\bwww\./i.test(text)) return true;
    if (field === "email") return !isEmailAddress(text);
    if (field === "country") return !isShippable;
    if (field === "vat_id") return shop.config.checkout.vatId && text !== "" && !isVatId(text);
    if (field === "zip")
      return text === "" ? requiresPostalCode(country) : hasPostalCode(country) && !isPostalCode(text, country);
    if (field === "province") return isInvalidProvince(country, text);
    return ["name", "address1", "city"].includes(field) && text === "";
  };
  const errors = [...fieldNames.filter(isInvalidField), ...(rates.length > 0 && !hasCurrentPrice ? ["shipping"] : [])];
  if (errors.length > 0) return { errors };
  const getText = (field: string): string => submittedForm[field] ?? "";
  const vatId = shop.config.checkout.vatId ? normalizeVatId(getText("vat_id")) : "";
  return {
    email,
    name,
    ...(vatId === "" ? {} : { vatId }),
    address: {
      address1: getText("address1"),
      address2: getText("address2"),
      zip: getText("zip"),
      city: getText("city"),
      province: findProvince(country, getText("province")) ?? getText("province"),
      country,
      phone: getText("phone"),
    },
    ...(rate === undefined ? {} : { rate }),
  };
}

/** Returns the country in which most speakers of a language live, for example "FR" for "fr". */
function findRegion(locale: string): string | undefined {
  return new Intl.Locale(locale).maximize().region;
}
