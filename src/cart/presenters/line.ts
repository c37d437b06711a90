import { formatOfferTitle, formatVariantTitle, hasOnlyDefaultVariant } from "../../catalog/catalog.ts";
import { localizeOffer } from "../../catalog/localize.ts";
import { addCentsFields, formatPublicId, type ImageView, type Presenter } from "../../catalog/presenters/presenter.ts";
import { getFeaturedImage } from "../../catalog/presenters/product.ts";
import { formatVariantPath, getVariantImage, type VariantView } from "../../catalog/presenters/variant.ts";
import { formatDecimalMoney } from "../../pricing/money.ts";
import type { PricedLine } from "../priced-cart.ts";

/** A cart line with its product and variant, translated for display. */
export interface LocalizedLine extends VariantView {
  readonly line: PricedLine;
}

/** Translates a line for display.  @param prefix prefix of link paths: "/fr", or "" for the default language */
export function localizeLine(line: PricedLine, locale: string, prefix: string): LocalizedLine {
  return { line, ...localizeOffer(line, locale), prefix };
}

/** JSON fields of a line that depend only on its variant.  @see spec 2.3 */
export const lineOfferPresenter = {
  id: ({ variant }) => formatPublicId(variant.id),
  variant_id: ({ variant }) => formatPublicId(variant.id),
  product_id: ({ product }) => formatPublicId(product.id),
  title: (offerView) => formatOfferTitle(offerView),
  product_title: ({ product }) => product.title,
  variant_title: (offerView) => formatVariantTitle(offerView),
  handle: ({ product }) => product.handle,
  url: (offerView) => formatVariantPath(offerView),
  sku: ({ variant }) => variant.sku,
  vendor: ({ product }) => product.vendor,
  product_type: ({ product }) => product.productType,
  grams: ({ variant }) => variant.grams,
  requires_shipping: ({ variant }) => variant.requiresShipping,
  taxable: ({ variant }) => variant.taxable,
  gift_card: ({ product }) => product.giftCard,
  has_components: () => false,
  variant_options: ({ variant }) => variant.options,
  options_with_values: ({ product, variant }) =>
    hasOnlyDefaultVariant(product)
      ? []
      : product.options.map((name, index) => ({ name, value: variant.options[index] ?? "" })),
  product_has_only_default_variant: ({ product }) => hasOnlyDefaultVariant(product),
} satisfies Presenter<VariantView>;

/** JSON fields of a line that depend on its quantity and price.  @see spec 2.3 */
export const lineAmountPresenter = {
  key: ({ line }) => line.line.key,
  cartLineId: ({ line }) => line.line.key,
  cart_line_id: ({ line }) => line.line.key,
  quantity: ({ line }) => line.line.quantity,
  ...addCentsFields({
    price: ({ line }: LocalizedLine) => line.price,
    original_price: ({ line }: LocalizedLine) => line.price,
    final_price: ({ line }: LocalizedLine) => line.finalPrice,
    // The unit price times the quantity, before discounts, as themes expect.
    line_price: ({ line }: LocalizedLine) => line.originalLinePrice,
    original_line_price: ({ line }: LocalizedLine) => line.originalLinePrice,
    final_line_price: ({ line }: LocalizedLine) => line.finalLinePrice,
    total_discount: ({ line }: LocalizedLine) => line.totalDiscount,
  }),
  discounted_price: ({ line }) => line.finalPrice,
  // In major units, such as 12.5 euros, because theme scripts that convert currencies expect a decimal number.
  presentment_price: ({ line }) => Number(formatDecimalMoney(line.price, line.currency)),
  line_level_total_discount: ({ line }) => line.totalDiscount,
  properties: ({ line }) => line.line.properties,
  parent_relationship: ({ line: { line } }) =>
    line.parentKey === undefined ? undefined : { parent_key: line.parentKey },
  instructions: () => linePermissions,
  max_quantity: ({ line }) => line.maxQuantity,
  available: ({ line }) => line.available,
  url_to_remove: ({ line, prefix }) => `${prefix}/cart/change?id=${encodeURIComponent(line.line.key)}&quantity=0`,
} satisfies Presenter<LocalizedLine>;

/** Every line can be changed or removed, including nested lines. */
const linePermissions = { can_remove: true, can_update_quantity: true };

/** JSON fields of a cart line.  @see spec 2.3 */
export const linePresenter = { ...lineOfferPresenter, ...lineAmountPresenter };

/** Returns the variant's image, or else the product's first image. */
export function getLineImage({ product, variant }: VariantView): ImageView | undefined {
  return getVariantImage(product, variant) ?? getFeaturedImage(product);
}
