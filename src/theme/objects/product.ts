import { localize } from "../../catalog/localize.ts";
import type { Product, Variant } from "../../catalog/product.ts";
import { isAvailable, isProductAvailable } from "../../catalog/stock.ts";
import type { View } from "../view.ts";
import { productPath } from "./entry-paths.ts";
import { imageObject } from "./image.ts";
import { metafieldsObject } from "./metafields.ts";
import { optionObjects } from "./product-option.ts";
import { selectedVariant, shownVariant } from "./selected-variant.ts";
import { objectType, TemplateObject } from "./template-object.ts";
import { idOf, variantObject } from "./variant.ts";

interface Subject {
  readonly view: View;
  /** In the render's language. */
  readonly product: Product;
}

/** @param product in any language; it is translated here */
export function productObject(view: View, product: Product): TemplateObject<Subject> {
  return new TemplateObject(productType, { view, product: localize(product, view.request.locale) });
}

const productType = objectType<Subject>(
  "product",
  {
    id: ({ product }) => idOf(product.id),
    title: ({ product }) => product.title,
    handle: ({ product }) => product.handle,
    url: ({ view, product }) => productPath(view, product.handle),
    description: ({ product }) => product.description,
    content: ({ product }) => product.description,
    vendor: ({ product }) => product.vendor,
    type: ({ product }) => product.productType,
    tags: ({ product }) => product.tags,
    available: ({ product }) => isProductAvailable(product),
    price: ({ product }) => least(prices(product)),
    price_min: ({ product }) => least(prices(product)),
    price_max: ({ product }) => most(prices(product)),
    price_varies: ({ product }) => least(prices(product)) !== most(prices(product)),
    compare_at_price: ({ product }) => least(comparePrices(product)),
    compare_at_price_min: ({ product }) => least(comparePrices(product)) ?? 0,
    compare_at_price_max: ({ product }) => most(comparePrices(product)) ?? 0,
    compare_at_price_varies: ({ product }) => least(comparePrices(product)) !== most(comparePrices(product)),
    options: ({ product }) => product.options,
    variants: ({ view, product }) => product.variants.map((variant) => variantObject(view, product, variant)),
    images: ({ product }) => product.images.map((image, index) => imageObject(image, product.title, index + 1)),
    featured_image: ({ product }) => imageObject(product.images[0], product.title),
  },
  {
    media: ({ product }) => product.images.map((image, index) => imageObject(image, product.title, index + 1)),
    featured_media: ({ product }) => imageObject(product.images[0], product.title),
    image: ({ product }) => imageObject(product.images[0], product.title),
    variants_count: ({ product }) => product.variants.length,
    has_only_default_variant: ({ product }) => isDefaultOnly(product),
    options_with_values: ({ view, product }) => optionObjects(view, product),
    options_by_name: ({ view, product }) =>
      Object.fromEntries(optionObjects(view, product).map((option, index) => [product.options[index], option])),
    selected_variant: (subject) => variantOr(subject, selectedVariant(subject.view, subject.product)),
    first_available_variant: (subject) => variantOr(subject, subject.product.variants.find(isAvailable)),
    selected_or_first_available_variant: (subject) => variantOr(subject, shownVariant(subject.view, subject.product)),
    collections: ({ view, product }) =>
      view.request.catalog.collectionsOf(product.handle).flatMap((handle) => {
        const collection = view.request.catalog.collection(handle);
        return collection === undefined ? [] : [view.objects.collection(view, collection)];
      }),
    metafields: ({ product }) => metafieldsObject(product.metafields),
    requires_selling_plan: () => false,
    selling_plan_groups: () => [],
    "gift_card?": () => false,
    "quantity_price_breaks_configured?": () => false,
    requires_customer: ({ product }) => product.requiresCustomer,
  },
  {
    absent:
      "category template_suffix published_at created_at selected_selling_plan selected_selling_plan_allocation " +
      "selected_or_first_available_selling_plan_allocation",
    returns: {
      variants: "variant[]",
      images: "image[]",
      media: "image[]",
      featured_image: "image",
      featured_media: "image",
      image: "image",
      options_with_values: "product_option[]",
      selected_variant: "variant",
      first_available_variant: "variant",
      selected_or_first_available_variant: "variant",
      collections: "collection[]",
      metafields: "metafields",
    },
    identity: ({ product }) => product.id,
  },
);

const prices = (product: Product): number[] => product.variants.map((variant) => variant.price);

const comparePrices = (product: Product): number[] =>
  product.variants.flatMap((variant) => (variant.compareAtPrice === undefined ? [] : [variant.compareAtPrice]));

function least(amounts: readonly number[]): number | undefined {
  return amounts.length === 0 ? undefined : amounts.reduce((left, right) => Math.min(left, right));
}

function most(amounts: readonly number[]): number | undefined {
  return amounts.length === 0 ? undefined : amounts.reduce((left, right) => Math.max(left, right));
}

function variantOr({ view, product }: Subject, variant: Variant | undefined): unknown {
  return variant === undefined ? undefined : variantObject(view, product, variant);
}

function isDefaultOnly({ variants, options }: Product): boolean {
  return variants.length === 1 && (options.length === 0 || variants[0]?.title === "Default Title");
}
