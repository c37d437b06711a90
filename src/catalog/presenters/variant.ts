import { offerTitle, variantTitle } from "../catalog.ts";
import type { Product, QuantityRule, Variant } from "../product.ts";
import { isAvailable } from "../stock.ts";
import { type Presenter, type ShownImage, shownId, shownImage, withCents } from "./presenter.ts";
import { productPath, type ShownProduct } from "./product.ts";

export interface ShownVariant extends ShownProduct {
  readonly variant: Variant;
}

export const variantPresenter = {
  id: ({ variant }) => shownId(variant.id),
  title: ({ variant }) => variant.title,
  options: ({ variant }) => variant.options,
  sku: ({ variant }) => variant.sku,
  barcode: ({ variant }) => variant.barcode,
  ...withCents({
    price: ({ variant }: ShownVariant) => variant.price,
    compare_at_price: ({ variant }: ShownVariant) => variant.compareAtPrice,
  }),
  available: ({ variant }) => isAvailable(variant),
  requires_shipping: ({ variant }) => variant.requiresShipping,
  taxable: ({ variant }) => variant.taxable,
  weight: ({ variant }) => variant.grams,
  url: (shown) => variantPath(shown),
} satisfies Presenter<ShownVariant>;

/** Additional variant fields for product pages. Suggestions omit them, because they contain hundreds of variants. */
export const fullVariantPresenter = {
  ...variantPresenter,
  option1: ({ variant }) => variant.options[0],
  option2: ({ variant }) => variant.options[1],
  option3: ({ variant }) => variant.options[2],
  name: (shown) => offerTitle(shown),
  public_title: (shown) => variantTitle(shown),
  /** Themes compare this value with "shopify" to find out whether stock is tracked. */
  inventory_management: ({ variant }) => (variant.inventoryQuantity === undefined ? undefined : "shopify"),
} satisfies Presenter<ShownVariant>;

/** Limits for the quantity of a variant in one cart line. */
export const quantityRulePresenter = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  increment: ({ increment }) => increment,
} satisfies Presenter<QuantityRule>;

export function variantPath(shown: ShownVariant): string {
  return `${productPath(shown)}?variant=${encodeURIComponent(shown.variant.id)}`;
}

/** Returns the image of a variant; undefined if it has none. */
export function variantImage({ images, title }: Product, variant: Variant): ShownImage | undefined {
  const index = images.findIndex(({ src }) => src === variant.image);
  return shownImage(images[index], title, index + 1);
}
