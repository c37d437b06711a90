import { createInvoice, type InvoiceSettings } from "../checkout/invoice.ts";
import type { Config } from "../config/settings.ts";
import type { CompletionResources } from "../storage/checkouts/complete-checkout.ts";

/**
 * Returns an object with the function that creates invoices of new orders, or an empty object if the shop issues none.
 */
export function createInvoiceResources(config: Config): Pick<CompletionResources, "createInvoice"> {
  if (config.invoices.issue !== true) return {};
  const { contact, timezone, invoices } = config;
  const {
    company,
    address1 = "",
    address2 = "",
    zip = "",
    city = "",
    province = "",
    country = "",
  } = contact.address ?? {};
  const settings: InvoiceSettings = {
    ...{ ...invoices, timezone, name: invoices.name ?? company ?? config.name },
    email: contact.email,
    address: { address1, address2, zip, city, province, country, phone: contact.phone ?? "" },
  };
  return { createInvoice: (order) => createInvoice(settings, order) };
}
