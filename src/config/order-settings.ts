import * as v from "valibot";
import {
  amountSchema,
  countriesSchema,
  createIntegerSchema,
  defineGroup,
  defineRecord,
  describeSchema,
  flagSchema,
  handoffUrlSchema,
  optionalSetting,
  setting,
  taxRatesSchema,
  textSchema,
} from "./value-kinds.ts";

const shippingRateSchema = defineGroup({
  name: textSchema,
  translations: v.optional(defineRecord(textSchema), {}),
  price: amountSchema,
  countries: v.optional(countriesSchema),
  freeFrom: v.optional(amountSchema),
});

const shippingRatesSchema = describeSchema(
  v.array(shippingRateSchema),
  "a list of rates { name, price, countries, freeFrom }",
);

const reducedRatesSchema = describeSchema(
  v.array(defineGroup({ types: v.array(textSchema), rates: taxRatesSchema })),
  "a list of { types, rates }",
);

export const checkoutSchema = v.optional(
  defineGroup({
    handoffUrl: optionalSetting(
      handoffUrlSchema,
      'URL of your own checkout, such as `"https://pay.example/start?checkout={id}"`; default: the checkout page',
    ),
    holdMinutes: setting(
      createIntegerSchema(1_440),
      10,
      "minutes for which the start of a payment reserves stock, gift cards, and store credit",
    ),
    invoice: setting(flagSchema, true, "accept orders by invoice"),
    bankTransfer: setting(
      flagSchema,
      false,
      "accept orders by bank transfer in advance, to the account of `invoices.iban`",
    ),
    vatId: setting(flagSchema, false, "ask for the VAT ID of business customers, for the invoice"),
  }),
  {},
);

export const shippingSchema = v.optional(
  defineGroup({
    countries: setting(
      countriesSchema,
      [],
      "shipping countries, the country of the shop first; `[]` means all. If unset: all countries with `rates` or `hooks`, otherwise the countries of the currency",
    ),
    rates: setting(
      shippingRatesSchema,
      [],
      'flat rates, such as `{ name: "Standard", price: 500, countries: ["DE"], freeFrom: 5000, translations: { fr: "…" } }`. `countries` defaults to all shipping countries. `freeFrom` is the subtotal after discounts from which shipping is free',
    ),
  }),
  {},
);

export const taxSchema = v.optional(
  defineGroup({
    pricesIncludeTax: setting(flagSchema, true, "prices and shipping rates include tax"),
    rates: setting(
      taxRatesSchema,
      {},
      "tax percentage by country, on goods and shipping. No tax is shown for other countries. Without an address, the rate of the first of `shipping.countries` that has one applies",
    ),
    reduced: setting(
      reducedRatesSchema,
      [],
      'other rates for product types, such as `[{ types: ["Books"], rates: { DE: 7 } }]`; variants with `taxable: false` are not taxed',
    ),
  }),
  {},
);
