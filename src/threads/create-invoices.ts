import { createInvoice, type InvoiceSettings } from "../checkout/invoice.ts";
import { getSellerName } from "../checkout/seller-name.ts";
import type { Config } from "../config/settings.ts";
import type { CompletionResources } from "../storage/checkouts/complete-checkout.ts";

/**
 * Returns a function that creates the invoice of a new order, if the shop issues invoices.
 * @param getCurrentConfig returns the settings that apply now
 */
export function createInvoiceIssuer(getCurrentConfig: () => Config): NonNullable<CompletionResources["createInvoice"]> {
  return (order) => {
    const config = getCurrentConfig();
    return config.invoices.issue === true ? createInvoice(selectInvoiceSettings(config), order) : undefined;
  };
}

function selectInvoiceSettings(config: Config): InvoiceSettings {
  const { contact, timezone, invoices } = config;
  const { address1 = "", address2 = "", zip = "", city = "", province = "", country = "" } = contact.address ?? {};
  return {
    ...{ ...invoices, timezone, name: getSellerName(config) },
    email: contact.email,
    address: { address1, address2, zip, city, province, country, phone: contact.phone ?? "" },
  };
}
