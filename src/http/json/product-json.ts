import {
  isMediaView,
  listMediaSources,
  listProductMedia,
  type MediaView,
  mediaSourcePresenter,
  videoPresenter,
} from "../../catalog/presenters/media.ts";
import {
  createSerializer,
  type ImageView,
  imagePresenter,
  mediaPresenter,
} from "../../catalog/presenters/presenter.ts";
import {
  fullProductPresenter,
  getFeaturedImage,
  listProductImages,
  optionPresenter,
  type ProductView,
  productPresenter,
} from "../../catalog/presenters/product.ts";
import {
  fullVariantPresenter,
  getUnitPrice,
  getVariantImage,
  listImageVariantIds,
  quantityRulePresenter,
  unitPricePresenter,
  type VariantView,
  variantPresenter,
} from "../../catalog/presenters/variant.ts";

export const quantityRuleJson = createSerializer(quantityRulePresenter);
const unitPriceJson = createSerializer(unitPricePresenter);
const optionJson = createSerializer(optionPresenter);

const links = {
  image: ({ product, variant }: VariantView) => getVariantImage(product, variant)?.src,
  featured_image: ({ product, variant }: VariantView) => serializeImage(getVariantImage(product, variant)),
  quantity_rule: ({ variant }: VariantView) => quantityRuleJson(variant.quantityRule),
};
/** Returns the JSON of a variant with the fields that search suggestions contain. */
export const variantJson = createSerializer<VariantView>({ ...variantPresenter, ...links });
const fullVariantJson = createSerializer<VariantView>({
  ...fullVariantPresenter,
  ...links,
  featured_image: (view) => {
    const image = getVariantImage(view.product, view.variant);
    return image === undefined ? null : { ...toImageRecord(image), variant_ids: listImageVariantIds(view) };
  },
  featured_media: ({ product, variant }) => serializeOptionalMedia(getVariantImage(product, variant)),
});
/** Returns the JSON of a variant. Only variants with a unit price have its fields: scripts test whether they exist. */
export function toFullVariantJson(view: VariantView): Record<string, unknown> {
  const { unitPriceMeasure } = view.variant;
  const fields = fullVariantJson(view);
  if (unitPriceMeasure === undefined) return fields;
  return { ...fields, unit_price: getUnitPrice(view), unit_price_measurement: unitPriceJson(unitPriceMeasure) };
}

const imageFields = {
  image: ({ product }: ProductView) => getFeaturedImage(product)?.src,
  featured_image: ({ product }: ProductView) => serializeImage(getFeaturedImage(product)),
};

/** Returns the JSON of a product with the fields that theme templates see.  @see spec 2.1 */
export const productJson = createSerializer<ProductView>({
  ...productPresenter,
  ...imageFields,
  variants: (productView) => productView.product.variants.map((variant) => variantJson({ ...productView, variant })),
});

/** Returns the JSON of a product with the additional fields of its page. */
export const toFullProductJson = createSerializer<ProductView>({
  ...fullProductPresenter,
  ...imageFields,
  featured_image: ({ product }) => getFeaturedImage(product)?.src,
  variants: (productView) =>
    productView.product.variants.map((variant) => toFullVariantJson({ ...productView, variant })),
  options: ({ product }) => product.options.map((_, index) => optionJson({ product, index })),
  images: ({ product }) => listProductImages(product).map(({ src }) => src),
  media: ({ product }) =>
    listProductMedia(product).map((view) => (isMediaView(view) ? serializeVideo(view) : serializeMedia(view))),
});

const imageRecord = createSerializer(imagePresenter);
const mediaRecord = createSerializer(mediaPresenter);
const { id, src, position } = mediaPresenter;
const toImageRecord = createSerializer({ id, src, position, ...imagePresenter });

/** Returns the JSON of an image; null for undefined. */
export function serializeImage(image: ImageView | undefined): Record<string, unknown> | null {
  return image === undefined ? null : imageRecord(image);
}

/** Returns the JSON of an image as product media. */
export function serializeMedia(image: ImageView): Record<string, unknown> {
  const media = mediaRecord(image);
  return { ...media, preview_image: media };
}

const videoRecord = createSerializer(videoPresenter);
const mediaSourceRecord = createSerializer(mediaSourcePresenter);

function serializeVideo(view: MediaView): Record<string, unknown> {
  return {
    ...videoRecord(view),
    sources: listMediaSources(view).map(mediaSourceRecord),
    preview_image: view.poster === undefined ? null : mediaRecord(view.poster),
  };
}

export function serializeOptionalMedia(image: ImageView | undefined): Record<string, unknown> | null {
  return image === undefined ? null : serializeMedia(image);
}
