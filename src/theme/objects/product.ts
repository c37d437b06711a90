import { localize } from "../../catalog/localize.ts";
import type { Product, Variant } from "../../catalog/product.ts";
import { isAvailable, isProductAvailable } from "../../catalog/stock.ts";
import { localPath, type View } from "../view.ts";
import { collectionObject } from "./collection.ts";
import { imageObject } from "./image.ts";
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

export function productPath(view: View, handle: string): string {
  return localPath(view, `/products/${encodeURIComponent(handle)}`);
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
    has_only_default_variant: ({ product }) =>
      product.variants.length === 1 && (product.options.length === 0 || product.variants[0]?.title === "Default Title"),
    options_with_values: (subject) => optionsWithValues(subject),
    selected_variant: (subject) => variantOr(subject, selectedVariant(subject)),
    first_available_variant: (subject) => variantOr(subject, subject.product.variants.find(isAvailable)),
    selected_or_first_available_variant: (subject) => variantOr(subject, shownVariant(subject)),
    collections: ({ view, product }) =>
      view.request.catalog.collectionsOf(product.handle).flatMap((handle) => {
        const collection = view.request.catalog.collection(handle);
        return collection === undefined ? [] : [collectionObject(view, collection)];
      }),
    metafields: ({ product }) => product.metafields,
    requires_selling_plan: () => false,
    selling_plan_groups: () => [],
    "gift_card?": () => false,
    "quantity_price_breaks_configured?": () => false,
    requires_customer: ({ product }) => product.requiresCustomer,
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

/** What the page's `?variant=` names, where it is one of this product's. */
function selectedVariant({ view, product }: Subject): Variant | undefined {
  const id = view.query.get("variant");
  return id === null ? undefined : product.variants.find((variant) => variant.id === id);
}

function shownVariant(subject: Subject): Variant | undefined {
  return selectedVariant(subject) ?? subject.product.variants.find(isAvailable) ?? subject.product.variants[0];
}

function variantOr({ view, product }: Subject, variant: Variant | undefined): unknown {
  return variant === undefined ? undefined : variantObject(view, product, variant);
}

/** Each option with its values in the order in which variants have them. */
function optionsWithValues(subject: Subject): unknown[] {
  const { product } = subject;
  const shown = shownVariant(subject);
  return product.options.map((name, index) => {
    const values = new Set(product.variants.map((variant) => variant.options[index] ?? ""));
    return { name, position: index + 1, values: [...values], selected_value: shown?.options[index] };
  });
}
