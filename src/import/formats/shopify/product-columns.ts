import { indexColumnNames, normalizeColumnName } from "../tables/columns.ts";

/**
 * Returns the key of a column in a Shopify product export, by its name in older or newer exports. Undefined for columns
 * that are not imported.
 * @param market Shopify market whose prices are imported
 */
export function parseProductColumn(name: string, market?: string): string | undefined {
  const normalizedName = normalizeColumnName(name);
  return (
    keysByName.get(normalizedName) ??
    findMarketKey(normalizedName, market) ??
    parseMetafieldColumn(name.trim()) ??
    findGoogleColumn(normalizedName)
  );
}

/** Returns the market in a column's name, or undefined. */
export function marketOf(name: string): string | undefined {
  return /^\s*(?:included|(?:compare[- ]at )?price)\s*\/\s*(.*\S)/i.exec(name)?.[1];
}

/** Parses the key of a metafield column: "metafield custom material single_line_text_field"; the type is optional. */
export function parseMetafield(key: string): readonly [namespace: string, key: string, type?: string] | undefined {
  const [kind, namespace, name, type] = key.split(" ");
  if (kind !== "metafield" || namespace === undefined || name === undefined) return undefined;
  return type === undefined ? [namespace, name] : [namespace, name, type];
}

/** Other names of each column, normalized. The key is the name in older exports. */
const aliasesByKey: Readonly<Record<string, readonly string[]>> = {
  /** A column of Matrixify's exports. */
  Command: [],
  Handle: ["url handle", "product handle"],
  Title: [],
  "Body (HTML)": ["description", "body html", "body"],
  Vendor: [],
  "Product Category": ["standard product type", "standardized product type", "category"],
  Type: ["custom product type", "product type"],
  Tags: [],
  Published: ["published on online store", "active", "visible", "enabled"],
  Status: [],
  "Option1 Name": [],
  "Option1 Value": [],
  "Option2 Name": [],
  "Option2 Value": [],
  "Option3 Name": [],
  "Option3 Value": [],
  "Variant SKU": ["sku"],
  "Variant Barcode": ["barcode"],
  "Variant Price": ["price"],
  "Variant Compare At Price": ["compare-at price", "compare at price", "variant compare-at price"],
  "Cost per item": ["variant cost", "cost"],
  "Variant Taxable": ["charge tax", "charge taxes"],
  "Variant Inventory Tracker": ["inventory tracker"],
  "Variant Inventory Qty": [
    "inventory quantity",
    "variant inventory quantity",
    "stock",
    "stock quantity",
    "quantity",
    "qty",
  ],
  "Variant Inventory Policy": ["continue selling when out of stock", "inventory policy"],
  "Variant Grams": ["weight value (grams)"],
  "Variant Weight": [],
  "Variant Weight Unit": ["weight unit for display"],
  "Unit Price Total Measure": [],
  "Unit Price Total Measure Unit": [],
  "Unit Price Base Measure": [],
  "Unit Price Base Measure Unit": [],
  "Variant Requires Shipping": ["requires shipping"],
  "Image Src": ["product image url", "image url", "image link", "image"],
  "Image Position": [],
  "Image Alt Text": ["image alt"],
  "Variant Image": ["variant image url"],
  "Gift Card": [],
  "SEO Title": ["metafield: title tag [string]"],
  "SEO Description": ["metafield: description tag [string]"],
  "Template Suffix": ["template", "theme template"],
  "Created At": [],
  "Published At": [],
  "Updated At": [],
  // No export has this column; merchants add it.
  "Combined Listing": [],
};

const keysByName = indexColumnNames(Object.entries(aliasesByKey));

function findMarketKey(normalizedName: string, market: string | undefined): string | undefined {
  if (market === undefined || marketOf(normalizedName) !== normalizeColumnName(market)) return undefined;
  if (normalizedName.startsWith("included")) return "Market Included";
  return normalizedName.startsWith("price") ? "Market Price" : "Market Compare At Price";
}

/**
 * Returns the key of a metafield column, such as "Material (product.metafields.custom.material)", or in other programs'
 * exports "Metafield: custom.material [single_line_text_field]".
 */
function parseMetafieldColumn(name: string): string | undefined {
  const match = /\(product\.metafields\.([\w-]+)\.([\w-]+)\)$/.exec(name);
  if (match !== null)
    return `metafield ${match[1]} ${match[2]}${isProductList(match) ? " list.product_reference" : ""}`;
  const otherMatch = /^Metafield: ([\w-]+)\.([\w-]+)(?: \[([\w.]+)\])?$/.exec(name);
  return otherMatch === null
    ? undefined
    : `metafield ${otherMatch[1]} ${otherMatch[2]}${otherMatch[3] === undefined ? "" : ` ${otherMatch[3]}`}`;
}

/** Returns whether a metafield lists the products that the merchant recommends, in Shopify's Search & Discovery. */
function isProductList([, namespace, key]: readonly string[]): boolean {
  return namespace === "shopify--discovery--product_recommendation" && key?.endsWith("_products") === true;
}

/** Returns the key of a column such as "Google Shopping / Age Group", which is stored as a metafield. */
function findGoogleColumn(normalizedName: string): string | undefined {
  const [, name] = /^google shopping \/ (.+)$/.exec(normalizedName) ?? [];
  if (name === undefined) return undefined;
  const key = renamedKeys.get(name) ?? name.replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
  return `metafield mm-google-shopping ${key}`;
}

const renamedKeys: ReadonlyMap<string, string> = new Map([
  ["manufacturer part number (mpn)", "mpn"],
  ["adwords grouping", "ad_group_name"],
  ["adwords labels", "ads_labels"],
]);
