import { normalizeColumnName } from "./tables/columns.ts";

/** Systems whose exports are not read, with columns that only they have, one name a line. */
const columnsBySystem: Readonly<Record<string, RegExp>> = {
  Shopware: /^(?:price gross|pseudoprice ek|configuratoroptions)$/m,
  OpenCart: /^name\([a-z]{2}(?:-[a-z]+)?\)$/m,
  PrestaShop: /^(?:active \(0\/1\)|price \(tax (?:excl|incl)\.\))$/m,
  Magento: /^ ?(?:attribute set(?: code)?|product websites)$/m,
  Wix: /^fieldtype$/m,
  Ecwid: /^product (?:internal id|is available)$/m,
  "JTL-Wawi": /^(?:(?:std\. )?vk (?:brutto|netto)|(?:brutto|netto)-vk|lagerbestand gesamt)$/m,
  Lightspeed: /^internal variant id$/m,
  Gambio: /^(?:xtsol|p id)$/m,
  Square: /^(?:square online item visibility|customer-facing name)$/m,
  // Other languages have their own names for all columns except the currency. The column of the tenth image ends in 10.
  Etsy: /^variation 1 type$|(?<![\s\S])(?=[\s\S]*^currency code$)(?=[\s\S]*^\p{L}+10$)/mu,
  BigCommerce: /^current stock(?: level)?$/m,
};

/** Returns a message with the next step if the columns are those of a system whose exports are not read. */
export function describeOtherSystem(header: readonly string[]): string | undefined {
  const names = header.map(normalizeColumnName).join("\n");
  const [system] = Object.entries(columnsBySystem).find(([, pattern]) => pattern.test(names)) ?? [];
  return system && `is an export of ${system}, which is not read: export a Google Merchant Center feed there instead`;
}
