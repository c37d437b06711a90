import { hasOnlyDefaultVariant } from "../catalog.ts";
import type { Product, Variant } from "../product.ts";
import { isProductAvailable } from "../stock.ts";
import { addCentsFields, createImageView, formatPublicId, type ImageView, type Presenter } from "./presenter.ts";

export interface ProductView {
  /** The product in the displayed language. */
  readonly product: Product;
  /** Prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const productPresenter = {
  id: ({ product }) => formatPublicId(product.id),
  title: ({ product }) => product.title,
  handle: ({ product }) => product.handle,
  url: (view) => formatProductPath(view),
  body: ({ product }) => product.description,
  description: ({ product }) => product.description,
  content: ({ product }) => product.description,
  vendor: ({ product }) => product.vendor,
  type: ({ product }) => product.productType,
  product_type: ({ product }) => product.productType,
  tags: ({ product }) => product.tags,
  available: ({ product }) => isProductAvailable(product),
  ...addCentsFields({
    price: (view: ProductView) => findLowestAmount(view, priceOf),
    price_min: (view: ProductView) => findLowestAmount(view, priceOf),
    price_max: (view: ProductView) => findHighestAmount(view, priceOf),
    compare_at_price: (view: ProductView) => findLowestAmount(view, readCompareAtPrice),
    compare_at_price_min: (view: ProductView) => findLowestAmount(view, readCompareAtPrice) ?? 0,
    compare_at_price_max: (view: ProductView) => findHighestAmount(view, readCompareAtPrice) ?? 0,
  }),
  price_varies: (view) => findLowestAmount(view, priceOf) !== findHighestAmount(view, priceOf),
  compare_at_price_varies: (view) =>
    findLowestAmount(view, readCompareAtPrice) !== findHighestAmount(view, readCompareAtPrice),
  has_only_default_variant: ({ product }) => hasOnlyDefaultVariant(product),
  requires_customer: ({ product }) => product.requiresCustomer,
} satisfies Presenter<ProductView>;

/** Dates of a product; omitted in suggestions. */
export const productDates = {
  created_at: ({ product }) => product.createdAt,
  published_at: ({ product }) => product.publishedAt,
  updated_at: ({ product }) => product.updatedAt,
} satisfies Presenter<ProductView>;

/**
 * Fields of a product in templates and on its page. The shop has no subscriptions, but scripts of themes read the fields
 * of selling plans.
 */
export const fullProductPresenter = {
  ...productPresenter,
  ...productDates,
  requires_selling_plan: () => false,
  selling_plan_groups: (): readonly never[] => [],
} satisfies Presenter<ProductView>;

export function formatProductPath({ product, prefix }: ProductView): string {
  return `${prefix}/products/${encodeURIComponent(product.handle)}`;
}

export function listProductImages({ images, title }: Product): readonly ImageView[] {
  return images.flatMap((image, index) => createImageView(image, title, index + 1) ?? []);
}

export function getFeaturedImage({ images, title }: Product): ImageView | undefined {
  return createImageView(images[0], title);
}

export interface OptionView {
  readonly product: Product;
  /** Index of the option, starting at 0. */
  readonly index: number;
}

/** Fields of a product option, in `options_with_values` and in the JSON's `options`. */
export const optionPresenter = {
  name: ({ product, index }) => product.options[index],
  position: ({ index }) => index + 1,
  values: (option) => listOptionValues(option),
} satisfies Presenter<OptionView>;

/** Returns the distinct values of an option, in the order of the variants. */
export function listOptionValues({ product, index }: OptionView): readonly string[] {
  return [...new Set(product.variants.map(({ options }) => options[index] ?? ""))];
}

type AmountReader = (variant: Variant) => number | undefined;

const priceOf: AmountReader = ({ price }) => price;
const readCompareAtPrice: AmountReader = ({ compareAtPrice }) => compareAtPrice;

/** Returns the lowest amount among the variants; undefined if no variant has one. */
function findLowestAmount({ product }: ProductView, readAmount: AmountReader): number | undefined {
  let result: number | undefined;
  for (const variant of product.variants) {
    const amount = readAmount(variant);
    if (amount !== undefined && (result === undefined || amount < result)) result = amount;
  }
  return result;
}

function findHighestAmount({ product }: ProductView, readAmount: AmountReader): number | undefined {
  let result: number | undefined;
  for (const variant of product.variants) {
    const amount = readAmount(variant);
    if (amount !== undefined && (result === undefined || amount > result)) result = amount;
  }
  return result;
}
