import type { OrderForm, RateWithTotals } from "../../checkout-pages.ts";
import { createObjectType } from "../template-object.ts";
import { createTaxLines } from "./tax-line.ts";

const fieldNames = "email name address1 address2 zip city province country phone vat_id".split(" ");

export const orderFormType = createObjectType<OrderForm>("order_form", {
  action: ({ action }) => action,
  checkout_id: ({ checkoutId }) => checkoutId,
  held_minutes: ({ reservedMinutes }) => reservedMinutes,
  notice: ({ notice }) => notice,
  changes: ({ changes }) => changes ?? [],
  current_url: ({ currentPath }) => currentPath,
  "takes_orders?": ({ canOrder }) => canOrder,
  "invoice?": ({ hasInvoice }) => hasInvoice,
  "bank_transfer?": ({ hasBankTransfer }) => hasBankTransfer,
  payment_methods: ({ paymentMethods, values: { payment_method: selected = paymentMethods[0]?.value } }) =>
    paymentMethods.map(({ value, name }) => ({ value, name, selected: value === selected })),
  "invoice_issued?": ({ issuesInvoice }) => issuesInvoice,
  "payment?": ({ hasPayment }) => hasPayment,
  "test?": ({ isTest }) => isTest,
  "asks_vat_id?": ({ showsVatIdField }) => showsVatIdField,
  payment_url: ({ payment }) => payment?.action,
  payment_fields: ({ payment }) => Object.entries(payment?.fields ?? {}).map(([name, value]) => ({ name, value })),
  return_url: ({ returnPath }) => returnPath,
  "requires_shipping?": ({ requiresShipping }) => requiresShipping,
  countries: ({ countries }) => countries.map(({ code, name }) => ({ code, name })),
  selected_country: ({ country }) => country,
  provinces: ({ provinces }) => provinces.map(({ code, name }) => ({ code, name })),
  "asks_province?": ({ mayHaveProvince }) => mayHaveProvince,
  "province_required?": ({ requiresProvince }) => requiresProvince,
  "zip_first?": ({ isPostalCodeFirst }) => isPostalCodeFirst,
  "zip_required?": ({ requiresPostalCode }) => requiresPostalCode,
  rates: (form) => {
    const selectedRate = findSelectedRate(form);
    return form.rates.map((rate) => ({
      name: rate.name,
      price: rate.price,
      amount: rate.amount,
      total: rate.total,
      tax: rate.taxes?.total ?? 0,
      tax_lines: createTaxLines(rate.taxes, form.locale),
      value: `${rate.amount} ${rate.code}`,
      selected: rate === selectedRate,
    }));
  },
  amount: ({ amount }) => amount,
  tax_lines: ({ taxes, locale }) => createTaxLines(taxes, locale),
  taxes_included: ({ taxes }) => taxes?.isIncluded ?? true,
  errors: ({ errors }) => errors,
  ...Object.fromEntries(fieldNames.map((name) => [name, ({ values }: OrderForm) => values[name] ?? ""])),
});

/** Returns the selected shipping rate, even if its price has changed. Default: the cheapest rate. */
function findSelectedRate({ rates, values: { shipping = "" } }: OrderForm): RateWithTotals | undefined {
  const code = shipping.slice(shipping.indexOf(" ") + 1);
  const [cheapestRate] = rates.toSorted((left, right) => left.price - right.price);
  return rates.find((rate) => rate.code === code) ?? cheapestRate;
}
