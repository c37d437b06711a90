import type { Image, Product, Variant } from "../catalog/product.ts";
import { isAvailable, isProductAvailable } from "../catalog/stock.ts";
import { imageJson, imageOf } from "./image-json.ts";
import { jsonId } from "./json-id.ts";

/** A product as theme templates see it, as JSON; money in minor units. @param product already in the request's language
 *  @param prefix of links: "/fr", or "" for the default language @see spec 2.1 */
export function productJson(product: Product, prefix: string): Record<string, unknown> {
  const prices = product.variants.map(({ price }) => price);
  const before = product.variants.map(({ compareAtPrice }) => compareAtPrice ?? 0);
  const image = imageOf(product);
  const url = `${prefix}/products/${encodeURIComponent(product.handle)}`;
  return {
    id: jsonId(product.id),
    title: product.title,
    handle: product.handle,
    url,
    body: product.description,
    vendor: product.vendor,
    type: product.productType,
    tags: product.tags,
    available: isProductAvailable(product),
    ...withCents({
      price: Math.min(...prices),
      price_min: Math.min(...prices),
      price_max: Math.max(...prices),
      compare_at_price_min: Math.min(...before),
      compare_at_price_max: Math.max(...before),
    }),
    image: image?.src ?? null,
    featured_image: imageJson(image, product.title),
    variants: product.variants.map((variant) => variantJson(product, variant, url)),
  };
}

/** As {@link productJson}, with what a product's page needs beside it. */
export function fullProductJson(product: Product, prefix: string): Record<string, unknown> {
  const before = product.variants.map(({ compareAtPrice }) => compareAtPrice ?? 0);
  const shown = productJson(product, prefix);
  return {
    ...shown,
    variants: product.variants.map((variant) => ({
      ...variantJson(product, variant, String(shown.url)),
      name: variant.options.length > 0 ? `${product.title} - ${variant.title}` : product.title,
      public_title: variant.options.length > 0 ? variant.title : null,
      option1: variant.options[0] ?? null,
      option2: variant.options[1] ?? null,
      option3: variant.options[2] ?? null,
    })),
    description: product.description,
    product_type: product.productType,
    options: product.options.map((name, index) => ({
      name,
      position: index + 1,
      values: [...new Set(product.variants.map(({ options }) => options[index] ?? ""))],
    })),
    images: product.images.map(({ src }) => src),
    media: product.images.map((image, index) => mediaJson(image, product.title, index + 1)),
    content: product.description,
    compare_at_price: Math.max(...before),
    compare_at_price_varies: new Set(before).size > 1,
    selling_plan_groups: [],
    price_varies: new Set(product.variants.map(({ price }) => price)).size > 1,
    requires_customer: product.requiresCustomer,
  };
}

function variantJson(product: Product, variant: Variant, url: string): Record<string, unknown> {
  const image = product.images.find(({ src }) => src === variant.image);
  const { min, max, increment } = variant.quantityRule;
  return {
    id: jsonId(variant.id),
    title: variant.title,
    options: variant.options,
    sku: variant.sku ?? null,
    barcode: variant.barcode ?? null,
    available: isAvailable(variant),
    price: variant.price,
    price_cents: variant.price,
    compare_at_price: variant.compareAtPrice ?? null,
    compare_at_price_cents: variant.compareAtPrice ?? null,
    url: `${url}?variant=${encodeURIComponent(variant.id)}`,
    image: image?.src ?? null,
    featured_image: imageJson(image, product.title),
    requires_shipping: variant.requiresShipping,
    taxable: variant.taxable,
    weight: variant.grams,
    quantity_rule: { min, max: max ?? null, increment },
  };
}

function mediaJson(image: Image, title: string, position: number): object {
  const shown = imageJson(image, title);
  return { ...shown, media_type: "image", position, src: image.src, preview_image: { ...shown, src: image.src } };
}

function withCents(money: Record<string, number>): Record<string, number> {
  const cents = Object.entries(money).map(([name, amount]) => [`${name}_cents`, amount] as const);
  return { ...money, ...Object.fromEntries(cents) };
}
