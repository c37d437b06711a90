import type { Collection } from "../../catalog/collection.ts";
import { getOwnImage } from "../../catalog/presenters/content.ts";
import {
  createSerializer,
  formatPublicId,
  type ImageView,
  type Presenter,
} from "../../catalog/presenters/presenter.ts";
import {
  listProductImages,
  type OptionView,
  optionPresenter,
  type ProductView,
  productDates,
} from "../../catalog/presenters/product.ts";
import { fullVariantPresenter, type VariantView } from "../../catalog/presenters/variant.ts";
import { formatDecimalMoney } from "../../pricing/money.ts";

/** Currency and link settings for JSON with decimal prices. */
export interface DecimalPriceSettings {
  /** ISO 4217 currency code. */
  readonly currency: string;
  /** Origin of image URLs ("https://shop.example"). Clients on other hosts need absolute URLs. */
  readonly origin: string;
}

type ProductWithDecimalPrices = ProductView & DecimalPriceSettings;

/**
 * Returns a product as in `/products/<handle>.json`. Prices are decimals ("19.99"), and the description is `body_html`.
 */
export function formatDecimalProduct(pricedProduct: ProductWithDecimalPrices): Record<string, unknown> {
  const images = imagesOf(pricedProduct);
  return {
    ...productRecord(pricedProduct),
    tags: pricedProduct.product.tags.join(", "),
    variants: variantsOf(pricedProduct, images, (image) => ({ image_id: image?.id ?? null })),
    images,
    image: images[0] ?? null,
  };
}

/** Returns a product as in `/products.json`. Tags are a list, and each variant contains its image. */
export function serializeListedProduct(pricedProduct: ProductWithDecimalPrices): Record<string, unknown> {
  const images = imagesOf(pricedProduct);
  return {
    ...productRecord(pricedProduct),
    tags: pricedProduct.product.tags,
    variants: variantsOf(pricedProduct, images, (image) => ({ featured_image: image ?? null })),
    images,
  };
}

/** Returns a collection as in `/collections.json`.  @param count number of products in the collection */
export function formatDecimalCollection(
  collection: Collection,
  count: number,
  origin: string,
): Record<string, unknown> {
  const image = getOwnImage(collection);
  return {
    id: formatPublicId(collection.id),
    handle: collection.handle,
    title: collection.title,
    description: collection.description,
    body_html: collection.description,
    image:
      image === undefined ? null : { ...toSizeFields(image), src: toAbsoluteUrl(image.src, origin), alt: image.alt },
    products_count: count,
  };
}

const optionRecord = createSerializer<OptionView>({
  product_id: ({ product }) => formatPublicId(product.id),
  ...optionPresenter,
});

const productRecord = createSerializer<ProductWithDecimalPrices>({
  id: ({ product }) => formatPublicId(product.id),
  title: ({ product }) => product.title,
  handle: ({ product }) => product.handle,
  body_html: ({ product }) => product.description,
  vendor: ({ product }) => product.vendor,
  product_type: ({ product }) => product.productType,
  ...productDates,
  options: ({ product }) => product.options.map((_, index) => optionRecord({ product, index })),
});

const {
  id,
  title,
  sku,
  barcode,
  available,
  option1,
  option2,
  option3,
  requires_shipping,
  taxable,
  inventory_management,
} = fullVariantPresenter;
const variantRecord = createSerializer<VariantView & DecimalPriceSettings>({
  ...({
    id,
    title,
    sku,
    barcode,
    available,
    option1,
    option2,
    option3,
    requires_shipping,
    taxable,
    inventory_management,
  } satisfies Presenter<VariantView>),
  product_id: ({ product }) => formatPublicId(product.id),
  price: ({ variant, currency }) => formatDecimalMoney(variant.price, currency),
  compare_at_price: ({ variant, currency }) =>
    variant.compareAtPrice === undefined ? undefined : formatDecimalMoney(variant.compareAtPrice, currency),
  price_currency: ({ currency }) => currency,
  grams: ({ variant }) => variant.grams,
});

type ImageRecord = ReturnType<typeof imagesOf>[number];

function variantsOf(
  pricedProduct: ProductWithDecimalPrices,
  images: readonly ImageRecord[],
  serializePicture: (image: ImageRecord | undefined) => Record<string, unknown>,
): readonly Record<string, unknown>[] {
  return pricedProduct.product.variants.map((variant, index) => {
    const imageIndex = pricedProduct.product.images.findIndex(({ src }) => src === variant.image);
    return {
      ...variantRecord({ ...pricedProduct, variant }),
      position: index + 1,
      ...serializePicture(images[imageIndex]),
    };
  });
}

/** Returns the images of a product. Images have no stored ids, so their position is used as id. */
function imagesOf({ product, origin }: ProductWithDecimalPrices) {
  return listProductImages(product).map((image) => ({
    id: image.position,
    product_id: formatPublicId(product.id),
    position: image.position,
    src: toAbsoluteUrl(image.src, origin),
    alt: image.alt,
    ...toSizeFields(image),
    variant_ids: product.variants
      .filter((variant) => variant.image === image.src)
      .map((match) => formatPublicId(match.id)),
  }));
}

function toSizeFields({ width, height }: ImageView) {
  return { width: width ?? null, height: height ?? null };
}

function toAbsoluteUrl(src: string, origin: string): string {
  return URL.parse(src, origin)?.href ?? src;
}
