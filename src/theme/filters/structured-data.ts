import { extractText } from "../../catalog/html-text.ts";
import { formatDecimalMoney } from "../../pricing/money.ts";
import { truncateText } from "../../runtime/truncate-text.ts";
import { toArray } from "../files/schema.ts";
import type { TemplateObject } from "../objects/template-object.ts";
import type { View } from "../view.ts";
import { getObjectField as field, readFieldText, readNumber, textOf } from "./filter.ts";

/**
 * Returns the JSON-LD fields of a product or an article, or undefined for other values.
 * @see https://schema.org/Product
 */
export function createStructuredData(
  value: TemplateObject<unknown>,
  view: View,
): Readonly<Record<string, unknown>> | undefined {
  if (value.object_type === "product") return createProductData(value, view);
  return value.object_type === "article" ? createArticleData(value, view) : undefined;
}

function createProductData(value: TemplateObject<unknown>, view: View): Readonly<Record<string, unknown>> {
  const variants = toArray(field(value, "variants")).slice(0, MAX_OFFERS);
  const images = toArray(field(value, "images"))
    .slice(0, MAX_IMAGES)
    .flatMap((image) => toAbsoluteUrl(field(image, "src"), view) ?? []);
  const [singleVariant] = variants.length === 1 ? variants : [];
  const vendor = readFieldText(value, "vendor");
  const productType = readFieldText(value, "type");
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    "@id": `${view.request.origin}${readFieldText(value, "url")}#product`,
    name: readFieldText(value, "title"),
    url: view.request.origin + readFieldText(value, "url"),
    description: truncateText(extractText(readFieldText(value, "description")), 5_000),
    ...(images.length === 0 ? {} : { image: images }),
    ...(vendor === "" ? {} : { brand: { "@type": "Brand", name: vendor } }),
    ...(productType === "" ? {} : { category: productType }),
    ...(singleVariant === undefined ? {} : listProductCodes(singleVariant)),
    offers: variants.map((variant) => createOfferData(variant, view, variants.length > 1)),
  };
}

/** Maximum number of variants and of images in the data. Search engines read no more of them on one page. */
const MAX_OFFERS = 100;
const MAX_IMAGES = 10;

/** Returns the schema.org offer of a variant.  @param includesName whether the offer contains the variant's name */
function createOfferData(variant: unknown, view: View, includesName: boolean): Readonly<Record<string, unknown>> {
  const { origin } = view.request;
  const image = toAbsoluteUrl(field(field(variant, "featured_image"), "src"), view);
  return {
    "@type": "Offer",
    url: origin + readFieldText(variant, "url"),
    ...(includesName ? { name: readFieldText(variant, "title") } : {}),
    ...listProductCodes(variant),
    ...(image === undefined ? {} : { image }),
    price: formatDecimalMoney(readNumber(field(variant, "price")) ?? 0, view.config.currency),
    priceCurrency: view.config.currency,
    availability: `https://schema.org/${field(variant, "available") === true ? "InStock" : "OutOfStock"}`,
    seller: { "@type": "Organization", name: view.config.name },
  };
}

function listProductCodes(variant: unknown): Readonly<Record<string, string>> {
  const sku = readFieldText(variant, "sku");
  const barcode = readFieldText(variant, "barcode").replace(/[\s-]/g, "");
  return { ...(sku === "" ? {} : { sku }), ...(isGtin(barcode) ? { gtin: barcode } : {}) };
}

/**
 * Returns whether a barcode is a GTIN: 8, 12, 13 or 14 digits with a valid check digit. Shops also store other codes in
 * the barcode field.
 */
function isGtin(barcode: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(barcode)) return false;
  const digits = [...barcode].reverse().map(Number);
  return digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

function createArticleData(value: TemplateObject<unknown>, view: View): Readonly<Record<string, unknown>> {
  const image = toAbsoluteUrl(field(field(value, "image"), "src"), view);
  return {
    "@context": "https://schema.org",
    "@type": "Article",
    headline: readFieldText(value, "title"),
    url: view.request.origin + readFieldText(value, "url"),
    ...(image === undefined ? {} : { image }),
    datePublished: readFieldText(value, "published_at"),
    author: { "@type": "Person", name: readFieldText(value, "author") },
    publisher: { "@type": "Organization", name: view.config.name, url: view.request.origin },
  };
}

/** Returns the URL with scheme and host. Undefined for an empty value. */
function toAbsoluteUrl(url: unknown, view: View): string | undefined {
  const text = textOf(url);
  return text === "" ? undefined : URL.parse(text, view.request.origin)?.href;
}
