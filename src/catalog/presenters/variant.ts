import { formatOfferTitle, formatVariantTitle } from "../catalog.ts";
import type { Product, QuantityRule, Variant } from "../product.ts";
import { isAvailable } from "../stock.ts";
import { computeUnitPrice, getDimension, type UnitPriceMeasure } from "../unit-price.ts";
import { addCentsFields, createImageView, formatPublicId, type ImageView, type Presenter } from "./presenter.ts";
import { formatProductPath, type ProductView } from "./product.ts";

export interface VariantView extends ProductView {
  readonly variant: Variant;
}

export const variantPresenter = {
  id: ({ variant }) => formatPublicId(variant.id),
  title: ({ variant }) => variant.title,
  options: ({ variant }) => variant.options,
  sku: ({ variant }) => variant.sku,
  barcode: ({ variant }) => variant.barcode,
  ...addCentsFields({
    price: ({ variant }: VariantView) => variant.price,
    compare_at_price: ({ variant }: VariantView) => variant.compareAtPrice,
  }),
  available: ({ variant }) => isAvailable(variant),
  requires_shipping: ({ variant }) => variant.requiresShipping,
  taxable: ({ variant }) => variant.taxable,
  weight: ({ variant }) => variant.grams,
  url: (view) => formatVariantPath(view),
} satisfies Presenter<VariantView>;

/**
 * Additional variant fields for product pages. A response with suggestions contains hundreds of variants, so it omits
 * these fields.
 */
export const fullVariantPresenter = {
  ...variantPresenter,
  option1: ({ variant }) => variant.options[0],
  option2: ({ variant }) => variant.options[1],
  option3: ({ variant }) => variant.options[2],
  name: (view) => formatOfferTitle(view),
  public_title: (view) => formatVariantTitle(view),
  /** Themes compare this value with "shopify" to find out whether stock is tracked. */
  inventory_management: ({ variant }) => (variant.inventoryQuantity === undefined ? undefined : "shopify"),
  // The shop has no subscriptions, but scripts of themes read the fields of selling plans.
  requires_selling_plan: () => false,
  selling_plan_allocations: (): readonly never[] => [],
} satisfies Presenter<VariantView>;

/** Limits for the quantity of a variant in one cart line. */
export const quantityRulePresenter = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  increment: ({ increment }) => increment,
} satisfies Presenter<QuantityRule>;

/** The content of a variant, such as 500 ml, and the amount to which its unit price refers, such as 100 ml. */
export const unitPricePresenter = {
  measured_type: ({ quantity }) => getDimension(quantity.unit),
  quantity_unit: ({ quantity }) => quantity.unit,
  quantity_value: ({ quantity }) => quantity.value,
  reference_unit: ({ reference }) => reference.unit,
  reference_value: ({ reference }) => reference.value,
} satisfies Presenter<UnitPriceMeasure>;

/** Returns the unit price of a variant, such as the price per liter; undefined if it has none. */
export function getUnitPrice({ variant: { price, unitPriceMeasure } }: VariantView): number | undefined {
  return unitPriceMeasure && computeUnitPrice(price, unitPriceMeasure);
}

export function formatVariantPath(view: VariantView): string {
  return `${formatProductPath(view)}?variant=${encodeURIComponent(view.variant.id)}`;
}

/** Maximum number of variants of a product whose images list them: the lists grow with the square of this number. */
const MAX_LISTED_VARIANTS = 250;

/** Returns the ids of the variants that show the image of a variant; of a product with many variants, only its own. */
export function listImageVariantIds({ product: { variants }, variant }: VariantView): readonly (number | string)[] {
  const sharing =
    variants.length > MAX_LISTED_VARIANTS ? [variant] : variants.filter(({ image }) => image === variant.image);
  return sharing.map(({ id }) => formatPublicId(id));
}

/** Returns the image of a variant; undefined if it has none. */
export function getVariantImage({ images, title }: Product, variant: Variant): ImageView | undefined {
  const index = images.findIndex(({ src }) => src === variant.image);
  return createImageView(images[index], title, index + 1);
}
