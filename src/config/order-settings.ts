import * as v from "valibot";
import {
  amount,
  countries,
  flag,
  group,
  handoffUrl,
  kind,
  named,
  optionalSetting,
  setting,
  taxRates,
  text,
  whole,
} from "./value-kinds.ts";

const shippingRate = group({
  name: text,
  translations: v.optional(named(text), {}),
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
      'where a checkout goes on, as `"https://pay.example/start?checkout={id}"`; without it, on the page of the checkout',
    ),
    holdMinutes: setting(
      whole(1_440),
      10,
      "minutes for which a checkout whose payment was started reserves stock, and the gift cards that pay for it",
    ),
    invoice: setting(flag, true, "the page of the checkout takes orders that are paid by invoice"),
  }),
  {},
);

export const shipping = v.optional(
  group({
    countries: setting(
      countries,
      [],
      "countries that the shop sends to, its own first (ISO 3166); `[]`: everywhere. Without it: everywhere with `rates` or `hooks`, else the countries of the currency",
    ),
    rates: setting(
      shippingRates,
      [],
      'flat rates, as `{ name: "Standard", price: 500, countries: ["DE"], freeFrom: 5000, translations: { fr: "…" } }`: without `countries` for all that the shop sends to, without `freeFrom` never free; `freeFrom` is a total of the goods after discounts',
    ),
  }),
  {},
);

export const tax = v.optional(
  group({
    pricesIncludeTax: setting(flag, true, "prices and shipping rates are with tax; else it comes on top"),
    rates: setting(
      taxRates,
      {},
      "percent by country, as `{ DE: 19, FR: 20 }`, on goods and delivery; nothing is told of tax for countries without one. Before an address is known it is that of the first of `shipping.countries` that has one",
    ),
    reduced: setting(
      reducedRates,
      [],
      'other rates for types of products, as `[{ types: ["Books"], rates: { DE: 7 } }]`; products with `taxable: false` have none',
    ),
  }),
  {},
);
