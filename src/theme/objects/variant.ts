import type { Product, QuantityRule, Variant } from "../../catalog/product.ts";
import { isAvailable } from "../../catalog/stock.ts";
import type { View } from "../view.ts";
import { productPath } from "./entry-paths.ts";
import { imageObject } from "./image.ts";
import { noMetafields } from "./metafields.ts";
import { selectedVariant } from "./selected-variant.ts";
import { objectType, TemplateObject } from "./template-object.ts";

interface Subject {
  readonly view: View;
  readonly product: Product;
  readonly variant: Variant;
}

/** @param product the variant's, in the render's language */
export function variantObject(view: View, product: Product, variant: Variant): TemplateObject<Subject> {
  return new TemplateObject(variantType, { view, product, variant });
}

/** A whole number where the id is one, as scripts compare it with `===`. */
export function idOf(id: string): string | number {
  const number = Number(id);
  return /^\d+$/.test(id) && Number.isSafeInteger(number) && String(number) === id ? number : id;
}

const variantType = objectType<Subject>(
  "variant",
  {
    id: ({ variant }) => idOf(variant.id),
    title: ({ variant }) => variant.title,
    options: ({ variant }) => variant.options,
    option1: ({ variant }) => variant.options[0],
    option2: ({ variant }) => variant.options[1],
    option3: ({ variant }) => variant.options[2],
    sku: ({ variant }) => variant.sku,
    barcode: ({ variant }) => variant.barcode,
    price: ({ variant }) => variant.price,
    compare_at_price: ({ variant }) => variant.compareAtPrice,
    available: ({ variant }) => isAvailable(variant),
    inventory_quantity: ({ variant }) => variant.inventoryQuantity ?? 0,
    inventory_policy: ({ variant }) => variant.inventoryPolicy,
    inventory_management: ({ variant }) => (variant.inventoryQuantity === undefined ? undefined : "shopify"),
    requires_shipping: ({ variant }) => variant.requiresShipping,
    taxable: ({ variant }) => variant.taxable,
    weight: ({ variant }) => variant.grams,
    url: ({ view, product, variant }) =>
      `${productPath(view, product.handle)}?variant=${encodeURIComponent(variant.id)}`,
    featured_image: ({ product, variant }) => {
      const position = product.images.findIndex((image) => image.src === variant.image);
      return imageObject(product.images[position], product.title, position + 1);
    },
    quantity_rule: ({ variant }) => quantityRuleObject(variant),
    weight_unit: () => "g",
    weight_in_unit: ({ variant }) => variant.grams,
  },
  {
    image: ({ product, variant }) =>
      imageObject(
        product.images.find((image) => image.src === variant.image),
        product.title,
      ),
    featured_media: ({ product, variant }) =>
      imageObject(
        product.images.find((image) => image.src === variant.image),
        product.title,
      ),
    selected: ({ view, product, variant }) => selectedVariant(view, product)?.id === variant.id,
    quantity_price_breaks: () => [],
    "quantity_price_breaks_configured?": () => false,
    product: ({ view, product }) => view.objects.product(view, product),
    metafields: () => noMetafields,
    incoming: () => false,
    requires_selling_plan: () => false,
    selling_plan_allocations: () => [],
    store_availabilities: () => [],
  },
  {
    absent: "matched unit_price unit_price_measurement selected_selling_plan_allocation next_incoming_date",
    returns: {
      product: "product",
      image: "image",
      featured_image: "image",
      featured_media: "image",
      quantity_rule: "quantity_rule",
      metafields: "metafields",
    },
    identity: ({ variant }) => variant.id,
  },
);

/** How many of a variant may be bought at once. */
export function quantityRuleObject({ quantityRule }: Variant): TemplateObject<QuantityRule> {
  return new TemplateObject(quantityRuleType, quantityRule);
}

const quantityRuleType = objectType<QuantityRule>("quantity_rule", {
  min: ({ min }) => min,
  max: ({ max }) => max,
  increment: ({ increment }) => increment,
});
