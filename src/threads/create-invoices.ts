import { createInvoice } from "../checkout/invoice.ts";
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
    const { contact, timezone, invoices } = config;
    if (invoices.issue !== true) return undefined;
    const address = { ...contact.address, phone: contact.phone };
    return createInvoice({ ...invoices, timezone, name: getSellerName(config), email: contact.email, address }, order);
  };
}
