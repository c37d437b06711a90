import { computePriceBreaks, hasPriceBreaks, type PriceBreak } from "../../../cart/price-breaks.ts";
import { formatPublicId, type ImageView } from "../../../catalog/presenters/presenter.ts";
import {
  fullVariantPresenter,
  getUnitPrice,
  getVariantImage,
  listImageVariantIds,
  quantityRulePresenter,
  unitPricePresenter,
  type VariantView,
} from "../../../catalog/presenters/variant.ts";
import type { Product, QuantityRule, Variant } from "../../../catalog/product.ts";
import { convertWeight, type UnitPriceMeasure } from "../../../catalog/unit-price.ts";
import { findMatchedVariant } from "../../../predictive-search/matched-variant.ts";
import type { ProductSearch } from "../../../predictive-search/result-presenter.ts";
import type { View } from "../../view.ts";
import { createImageMedia, createImageUrlObject, type ProductImage, VariantImage } from "../image.ts";
import { emptyMetafields } from "../metafields.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { findSelectedVariant } from "./selected-variant.ts";

interface VariantData extends VariantView {
  readonly view: View;
  /** The search that found the product; undefined outside of searches. */
  readonly search: ProductSearch | undefined;
}

/**
 * Creates a `variant` object.
 * @param product the variant's product, in the page's language
 * @param search search that found the product. Default: none
 */
export function createVariantObject(
  view: View,
  product: Product,
  variant: Variant,
  search?: ProductSearch,
): TemplateObject<VariantData> {
  return new TemplateObject(variantType, { view, product, variant, prefix: view.prefix, search });
}

/** Adds its product to an image, for the fields `product_id` and `variants`. */
export function addProduct(owner: Omit<VariantData, "variant">, image: ImageView): ProductImage;
export function addProduct(owner: Omit<VariantData, "variant">, image: ImageView | undefined): ProductImage | undefined;
export function addProduct(
  { view, product, search }: Omit<VariantData, "variant">,
  image: ImageView | undefined,
): ProductImage | undefined {
  return (
    image && {
      ...image,
      productId: formatPublicId(product.id),
      listVariants: () =>
        product.variants
          .filter((variant) => variant.image === image.src)
          .map((variant) => createVariantObject(view, product, variant, search)),
    }
  );
}

function readImage(data: VariantData): ProductImage | undefined {
  return addProduct(data, getVariantImage(data.product, data.variant));
}

const variantType = createObjectType<VariantData>(
  "variant",
  {
    ...fullVariantPresenter,
    image: (data) => createImageUrlObject(readImage(data)),
    featured_image: (data) => {
      const image = readImage(data);
      return image && new VariantImage({ ...image, listVariantIds: () => listImageVariantIds(data) });
    },
    featured_media: (data) => createImageMedia(readImage(data)),
    quantity_rule: ({ variant }) => new TemplateObject(quantityRuleType, variant.quantityRule),
    weight_unit: ({ variant }) => variant.weightUnit ?? "g",
    weight_in_unit: ({ variant }) => convertWeight(variant),
    unit_price: (data) => getUnitPrice(data),
    unit_price_measurement: ({ variant }) => createUnitPriceObject(variant.unitPriceMeasure),
  },
  {
    // The `json` filter omits the stock, because themes publish entire products as JSON.
    inventory_quantity: ({ variant }) => variant.inventoryQuantity ?? 0,
    inventory_policy: ({ variant }) => variant.inventoryPolicy,
    selected: ({ view, product, variant }) => findSelectedVariant(view, product)?.id === variant.id,
    matched: ({ search, product, variant }) => {
      const match = search && findMatchedVariant(search, product);
      return match && match.id === variant.id;
    },
    quantity_price_breaks: ({ view, product, variant }) =>
      computePriceBreaks({ product, variant }, view.request).map((step) => new TemplateObject(priceBreakType, step)),
    "quantity_price_breaks_configured?": ({ view, product }) => hasPriceBreaks(product, view.request),
    product: ({ view, product }) => view.objects.product(view, product),
    metafields: () => emptyMetafields,
    incoming: () => false,
    store_availabilities: () => [],
  },
  {
    emptyFields: "selected_selling_plan_allocation next_incoming_date",
    fieldTypes: {
      product: "product",
      image: "image",
      featured_image: "image",
      featured_media: "image",
      quantity_rule: "quantity_rule",
      quantity_price_breaks: "quantity_price_break[]",
      unit_price_measurement: "unit_price_measurement",
      metafields: "metafields",
    },
    identity: ({ variant }) => variant.id,
  },
);

const priceBreakType = createObjectType<PriceBreak>("quantity_price_break", {
  minimum_quantity: ({ minimumQuantity }) => minimumQuantity,
  price: ({ price }) => price,
});

export const quantityRuleType = createObjectType<QuantityRule>("quantity_rule", quantityRulePresenter);

/**
 * Creates the `unit_price_measurement` object: the amount that a variant contains, such as 500 ml, and the amount to
 * which its unit price refers, such as 100 ml.
 * @returns undefined if the variant has no unit price
 */
export function createUnitPriceObject(
  measure: UnitPriceMeasure | undefined,
): TemplateObject<UnitPriceMeasure> | undefined {
  return measure && new TemplateObject(measurementType, measure);
}

const measurementType = createObjectType<UnitPriceMeasure>("unit_price_measurement", unitPricePresenter);
