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

/**
 * Returns a warning if invoices lack data of the seller, if no invoices are issued for orders by invoice, or if bank
 * transfers lack an account.
 */
export function describeMissingInvoiceData(config: Config): string | undefined {
  const { invoices } = config;
  if (hasUndecidedInvoices(config))
    return "the checkout accepts orders by invoice, but no invoices are issued. Set invoices.issue to true, or to false if another system sends them";
  const missingSettings = listMissingInvoiceSettings(config).join(", ");
  if (missingSettings === "") return undefined;
  return invoices.issue === true
    ? `invoices are incomplete. Set ${missingSettings}`
    : `the checkout cannot offer bank transfers without a bank account. Set ${missingSettings}`;
}

/** Returns whether the checkout accepts orders by invoice, and nothing is set about their invoices. */
export function hasUndecidedInvoices({ invoices, checkout }: Config): boolean {
  return invoices.issue === undefined && checkout.invoice && checkout.handoffUrl === undefined;
}

/** Returns the paths of the settings that invoices and bank transfers need. A path may name two alternatives. */
export function listMissingInvoiceSettings({ invoices, contact, checkout }: Config): readonly string[] {
  const { issue, name, vatId, taxNumber, iban } = invoices;
  const { company, address1, city, country } = contact.address ?? {};
  const isTransferOffered = checkout.bankTransfer && checkout.handoffUrl === undefined;
  const needsAccount = isTransferOffered || (issue === true && checkout.invoice);
  const neededSettings = {
    ...(issue === true
      ? {
          "invoices.name": name ?? company,
          "contact.address.address1": address1,
          "contact.address.city": city,
          "contact.address.country": country,
          "invoices.vatId or invoices.taxNumber": vatId ?? taxNumber,
        }
      : {}),
    ...(needsAccount ? { "invoices.iban": iban } : {}),
  };
  return Object.entries(neededSettings).flatMap(([path, value]) => (value === undefined ? [path] : []));
}
