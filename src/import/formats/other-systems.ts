import { normalizeColumnName } from "./tables/columns.ts";

/** Systems whose exports are not read, with columns that only they have. */
const columnsBySystem: Readonly<Record<string, RegExp>> = {
  Shopware: /^(?:price gross|pseudoprice ek|configuratoroptions)$/,
  OpenCart: /^name\([a-z]{2}(?:-[a-z]+)?\)$/,
  PrestaShop: /^(?:active \(0\/1\)|price \(tax (?:excl|incl)\.\))$/,
  Magento: /^ ?(?:attribute set(?: code)?|product websites)$/,
  Wix: /^fieldtype$/,
  Ecwid: /^product (?:internal id|is available)$/,
  "JTL-Wawi": /^(?:(?:std\. )?vk (?:brutto|netto)|(?:brutto|netto)-vk|lagerbestand gesamt)$/,
  Lightspeed: /^internal variant id$/,
  Gambio: /^(?:xtsol|p id)$/,
  Squarespace: /^product type \[non editable\]$/,
  Square: /^(?:square online item visibility|customer-facing name)$/,
  Etsy: /^variation 1 type$/,
  BigCommerce: /^current stock(?: level)?$/,
};

/** Returns a message with the next step if the columns are those of a system whose exports are not read. */
export function describeOtherSystem(header: readonly string[]): string | undefined {
  const names = header.map(normalizeColumnName);
  const [system] =
    Object.entries(columnsBySystem).find(([, pattern]) => names.some((name) => pattern.test(name))) ?? [];
  return system && `is an export of ${system}, which is not read: export a Google Merchant Center feed there instead`;
}
