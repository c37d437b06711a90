import { recordsOf } from "../../catalog/presenters/presenter.ts";
import {
  featuredImage,
  optionPresenter,
  productDates,
  productImages,
  productPresenter,
  type ShownProduct,
} from "../../catalog/presenters/product.ts";
import {
  fullVariantPresenter,
  quantityRulePresenter,
  type ShownVariant,
  variantImage,
  variantPresenter,
} from "../../catalog/presenters/variant.ts";
import { imageJson, mediaJson, mediaOrNull, positionedImageJson } from "./image-json.ts";

export const quantityRuleJson = recordsOf(quantityRulePresenter);
const optionJson = recordsOf(optionPresenter);

const links = {
  image: ({ product, variant }: ShownVariant) => variantImage(product, variant)?.src,
  featured_image: ({ product, variant }: ShownVariant) => imageJson(variantImage(product, variant)),
  quantity_rule: ({ variant }: ShownVariant) => quantityRuleJson(variant.quantityRule),
};
const variantJson = recordsOf<ShownVariant>({ ...variantPresenter, ...links });
export const fullVariantJson = recordsOf<ShownVariant>({
  ...fullVariantPresenter,
  ...links,
  featured_image: ({ product, variant }) => positionedImageJson(variantImage(product, variant)),
  featured_media: ({ product, variant }) => mediaOrNull(variantImage(product, variant)),
});

const fields = {
  ...productPresenter,
  image: ({ product }: ShownProduct) => featuredImage(product)?.src,
  featured_image: ({ product }: ShownProduct) => imageJson(featuredImage(product)),
};

/** A product as theme templates see it. @see spec 2.1 */
export const productJson = recordsOf<ShownProduct>({
  ...fields,
  variants: (shown) => shown.product.variants.map((variant) => variantJson({ ...shown, variant })),
});

/** As {@link productJson}, with the additional fields of a product's page. */
export const fullProductJson = recordsOf<ShownProduct>({
  ...fields,
  ...productDates,
  featured_image: ({ product }) => featuredImage(product)?.src,
  variants: (shown) => shown.product.variants.map((variant) => fullVariantJson({ ...shown, variant })),
  options: ({ product }) => product.options.map((_, index) => optionJson({ product, index })),
  images: ({ product }) => productImages(product).map(({ src }) => src),
  media: ({ product }) => productImages(product).map(mediaJson),
  selling_plan_groups: () => [],
});
