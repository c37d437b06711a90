import type { Config } from "./settings.ts";

/**
 * Returns a warning if shipping is free because no rates are set. Hooks or an external checkout may provide other
 * rates.
 */
export function describeMissingRates({ shipping, hooks, checkout }: Config): string | undefined {
  if (shipping.rates.length > 0 || hooks !== undefined || checkout.handoffUrl !== undefined) return undefined;
  const { countries } = shipping;
  const countryNames = countries.length === 0 ? "every country" : countries.join(", ");
  return `shipping.rates is empty: orders to ${countryNames} ship for free. Add rates, like { name: "Standard", price: 500 }, with price 0 for free shipping`;
}

/** Returns a warning if invoices lack data of the seller, or if no invoices are issued for orders by invoice. */
export function describeMissingInvoiceData({ invoices, contact, checkout }: Config): string | undefined {
  const { issue, name, vatId, taxNumber, iban } = invoices;
  if (issue === undefined && checkout.invoice && checkout.handoffUrl === undefined)
    return "the checkout accepts orders by invoice, but no invoices are issued. Set invoices.issue to true, or to false if another system sends them";
  if (issue !== true) return undefined;
  const { company, address1, city, country } = contact.address ?? {};
  const missingSettings = Object.entries({
    "invoices.name": name ?? company,
    "contact.address.address1": address1,
    "contact.address.city": city,
    "contact.address.country": country,
    "invoices.vatId or invoices.taxNumber": vatId ?? taxNumber,
    ...(checkout.invoice ? { "invoices.iban": iban } : {}),
  }).flatMap(([path, value]) => (value === undefined ? [path] : []));
  if (missingSettings.length === 0) return undefined;
  return `invoices are incomplete. Set ${missingSettings.join(", ")}`;
}
