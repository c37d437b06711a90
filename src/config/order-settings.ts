import * as v from "valibot";
import {
  amount,
  countries,
  flag,
  group,
  handoffUrl,
  integerUpTo,
  kind,
  optionalSetting,
  recordOf,
  setting,
  taxRates,
  text,
} from "./value-kinds.ts";

const shippingRate = group({
  name: text,
  translations: v.optional(recordOf(text), {}),
  price: amount,
  countries: v.optional(countries),
  freeFrom: v.optional(amount),
});

const shippingRates = kind(v.array(shippingRate), "a list of rates { name, price, countries, freeFrom }");

const reducedRates = kind(v.array(group({ types: v.array(text), rates: taxRates })), "a list of { types, rates }");

export const checkout = v.optional(
  group({
    handoffUrl: optionalSetting(
      handoffUrl,
      'URL of your own checkout, such as `"https://pay.example/start?checkout={id}"`; default: the checkout page',
    ),
    holdMinutes: setting(
      integerUpTo(1_440),
      10,
      "minutes for which the start of a payment reserves stock, gift cards, and store credit",
    ),
    invoice: setting(flag, true, "accept orders by invoice"),
  }),
  {},
);

export const shipping = v.optional(
  group({
    countries: setting(
      countries,
      [],
      "shipping countries, the country of the shop first; `[]` means all. If unset: all countries with `rates` or `hooks`, otherwise the countries of the currency",
    ),
    rates: setting(
      shippingRates,
      [],
      'flat rates, such as `{ name: "Standard", price: 500, countries: ["DE"], freeFrom: 5000, translations: { fr: "…" } }`. `countries` defaults to all shipping countries. `freeFrom` is the subtotal after discounts from which shipping is free',
    ),
  }),
  {},
);

export const tax = v.optional(
  group({
    pricesIncludeTax: setting(flag, true, "prices and shipping rates include tax"),
    rates: setting(
      taxRates,
      {},
      "tax percentage by country, on goods and shipping. No tax is shown for other countries. Without an address, the rate of the first of `shipping.countries` that has one applies",
    ),
    reduced: setting(
      reducedRates,
      [],
      'other rates for product types, such as `[{ types: ["Books"], rates: { DE: 7 } }]`; variants with `taxable: false` are not taxed',
    ),
  }),
  {},
);
