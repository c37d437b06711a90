import { formatVariantTitle, type OfferedVariant } from "../../catalog/catalog.ts";
import { extractText } from "../../catalog/html-text.ts";
import type { ImageView } from "../../catalog/presenters/presenter.ts";
import { formatProductPath, listOptionValues, listProductImages } from "../../catalog/presenters/product.ts";
import { formatVariantPath, getVariantImage } from "../../catalog/presenters/variant.ts";
import type { Product, Variant } from "../../catalog/product.ts";
import { countUnitsInStock, isAvailable } from "../../catalog/stock.ts";

/** Context for products in the format of the Universal Commerce Protocol (UCP). */
export interface UcpProductContext {
  readonly origin: string;
  /** Language prefix of paths: "" or "/fr". */
  readonly prefix: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Maximum length of the description, in characters. */
  readonly maxDescription: number;
  /** Returns the JSON fields with the signed price and availability of a variant. */
  readonly signOffer: (offer: OfferedVariant) => object;
}

/**
 * Returns a product in the format of UCP.
 * @param product product in the agent's language
 * @param variants variants to show, the featured variant first; at least one
 */
export function toUcpProduct(
  product: Product,
  variants: readonly Variant[],
  context: UcpProductContext,
): Readonly<Record<string, unknown>> {
  const { origin, prefix, currency, maxDescription } = context;
  const createPriceRange = (amounts: readonly number[]): object => ({
    min: { amount: Math.min(...amounts), currency },
    max: { amount: Math.max(...amounts), currency },
  });
  const originalPrices = product.variants.flatMap(({ price, compareAtPrice = 0 }) =>
    compareAtPrice > price ? [compareAtPrice] : [],
  );
  const options = optionsOf(product);
  return {
    id: product.id,
    handle: product.handle,
    title: product.title,
    description: { plain: extractText(product.description).slice(0, maxDescription).toWellFormed() },
    url: origin + formatProductPath({ product, prefix }),
    categories: [
      ...(product.category === undefined ? [] : [{ value: product.category, taxonomy: "google_product_category" }]),
      ...(product.productType === "" ? [] : [{ value: product.productType, taxonomy: "merchant" }]),
    ],
    price_range: createPriceRange(product.variants.map(({ price }) => price)),
    ...(originalPrices.length === 0 ? {} : { list_price_range: createPriceRange(originalPrices) }),
    media: listProductImages(product).map((image) => toUcpMedia(image, origin)),
    ...(options.length === 0 ? {} : { options }),
    variants: variants.map((variant) => toUcpVariant({ product, variant }, context)),
    tags: product.tags,
  };
}

/** Returns the options of a product with their values; empty if there is nothing to select. */
export function optionsOf(product: Product): readonly {
  readonly name: string;
  readonly values: readonly { readonly label: string }[];
}[] {
  if (product.variants.every((variant) => formatVariantTitle({ product, variant }) === undefined)) return [];
  return product.options.map((name, index) => ({
    name,
    values: listOptionValues({ product, index }).map((label) => ({ label })),
  }));
}

/** Returns the selected options of a variant; empty if the product has nothing to select. */
export function getSelectedOptions({
  product,
  variant,
}: OfferedVariant): readonly { readonly name: string; readonly label: string }[] {
  return optionsOf(product).map(({ name }, index) => ({ name, label: variant.options[index] ?? "" }));
}

function toUcpVariant(offer: OfferedVariant, { origin, prefix, currency, signOffer }: UcpProductContext): object {
  const { product, variant } = offer;
  const title = formatVariantTitle(offer) ?? product.title;
  const image = getVariantImage(product, variant);
  return {
    id: variant.id,
    ...(variant.sku === undefined ? {} : { sku: variant.sku }),
    ...(variant.barcode === undefined ? {} : { barcodes: [{ type: "GTIN", value: variant.barcode }] }),
    title,
    description: { plain: title },
    url: origin + formatVariantPath({ product, variant, prefix }),
    price: { amount: variant.price, currency },
    ...(variant.compareAtPrice !== undefined && variant.compareAtPrice > variant.price
      ? { list_price: { amount: variant.compareAtPrice, currency } }
      : {}),
    availability: { available: isAvailable(variant), status: getStockStatus(variant) },
    options: getSelectedOptions(offer),
    ...(image === undefined ? {} : { media: [toUcpMedia(image, origin)] }),
    metadata: signOffer(offer),
  };
}

function getStockStatus(variant: Variant): string {
  if (!isAvailable(variant)) return "out_of_stock";
  const isSoldWithoutStock =
    countUnitsInStock(variant) === Number.POSITIVE_INFINITY && (variant.inventoryQuantity ?? 1) <= 0;
  return isSoldWithoutStock ? "backorder" : "in_stock";
}

function toUcpMedia({ src, alt, width, height }: ImageView, origin: string): object {
  return {
    type: "image",
    url: toAbsoluteUrl(src, origin),
    alt_text: alt,
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
  };
}

/** Returns the absolute URL of an image. If `src` is malformed, returns the URL of the home page. */
export function toAbsoluteUrl(src: string, origin: string): string {
  return URL.parse(src, origin)?.href ?? `${origin}/`;
}
