import type { PricedLine } from "../../cart/priced-cart.ts";
import { localize } from "../../catalog/localize.ts";
import type { Product, Variant } from "../../catalog/product.ts";
import { isAvailable, sellable } from "../../catalog/stock.ts";
import { localPath, type View } from "../view.ts";
import { discountAllocation, discountApplication } from "./discount.ts";
import { productPath } from "./entry-paths.ts";
import { type ImageSubject, imageObject } from "./image.ts";
import { productObject } from "./product.ts";
import { objectType, TemplateObject } from "./template-object.ts";
import { idOf, quantityRuleObject, variantObject } from "./variant.ts";

interface Subject {
  readonly view: View;
  readonly line: PricedLine;
  /** In the render's language, as is the variant. */
  readonly product: Product;
  readonly variant: Variant;
  /** 1 for the first. */
  readonly position: number;
}

export function lineItemObject(view: View, line: PricedLine, position: number): TemplateObject<Subject> {
  const product = localize(line.product, view.request.locale);
  const variant = product.variants.find((one) => one.id === line.variant.id) ?? line.variant;
  return new TemplateObject(lineItemType, { view, line, product, variant, position });
}

const lineItemType = objectType<Subject>(
  "line_item",
  {
    id: ({ variant }) => idOf(variant.id),
    key: ({ line }) => line.line.key,
    variant_id: ({ variant }) => idOf(variant.id),
    product_id: ({ product }) => idOf(product.id),
    title: ({ product, variant }) =>
      isDefaultVariant(product, variant) ? product.title : `${product.title} - ${variant.title}`,
    product_title: ({ product }) => product.title,
    variant_title: ({ product, variant }) => (isDefaultVariant(product, variant) ? undefined : variant.title),
    handle: ({ product }) => product.handle,
    url: ({ view, product, variant }) =>
      `${productPath(view, product.handle)}?variant=${encodeURIComponent(variant.id)}`,
    sku: ({ variant }) => variant.sku,
    vendor: ({ product }) => product.vendor,
    product_type: ({ product }) => product.productType,
    image: (subject) => lineImage(subject),
    quantity: ({ line }) => line.line.quantity,
    price: ({ line }) => line.price,
    original_price: ({ line }) => line.price,
    final_price: ({ line }) => Math.round(line.finalLinePrice / line.line.quantity),
    line_price: ({ line }) => line.finalLinePrice,
    original_line_price: ({ line }) => line.originalLinePrice,
    final_line_price: ({ line }) => line.finalLinePrice,
    total_discount: ({ line }) => line.totalDiscount,
    line_level_total_discount: ({ line }) => line.totalDiscount,
    line_level_discount_allocations: ({ line }) => line.discounts.map((one) => discountAllocation(one)),
    cart_level_discount_allocations: ({ line }) => line.cartShares.map((one) => discountAllocation(one)),
    properties: ({ line }) => ({ ...line.line.properties }),
    grams: ({ variant }) => variant.grams,
    requires_shipping: ({ variant }) => variant.requiresShipping,
    taxable: ({ variant }) => variant.taxable,
    gift_card: () => false,
    options_with_values: ({ product, variant }) =>
      isDefaultVariant(product, variant)
        ? []
        : product.options.map((name, index) => chosenOption({ name, value: variant.options[index] })),
    quantity_rule: ({ variant }) => quantityRuleObject(variant),
    max_quantity: ({ variant }) => {
      const most = Math.min(sellable(variant), variant.quantityRule.max ?? Number.POSITIVE_INFINITY);
      return Number.isFinite(most) ? most : undefined;
    },
    available: ({ variant }) => isAvailable(variant),
  },
  {
    line: ({ position }) => position,
    index: ({ position }) => position - 1,
    featured_image: (subject) => lineImage(subject),
    discounts: ({ line }) => line.discounts.map((one) => discountApplication(one)),
    product: ({ view, product }) => productObject(view, product),
    variant: ({ view, product, variant }) => variantObject(view, product, variant),
    url_to_remove: ({ view, line }) =>
      `${localPath(view, "/cart/change")}?id=${encodeURIComponent(line.line.key)}&quantity=0`,
    instructions: () => ({ can_update_quantity: true, can_remove: true }),
    item_components: () => [],
    tax_lines: () => [],
    discount_allocations: ({ line }) => [...line.discounts, ...line.cartShares].map((one) => discountAllocation(one)),
  },
  {
    absent:
      "unit_price unit_price_measurement selling_plan_allocation parent_relationship error_message message fulfillment " +
      "fulfillment_service successfully_fulfilled_quantity",
    returns: {
      product: "product",
      variant: "variant",
      image: "image",
      featured_image: "image",
      quantity_rule: "quantity_rule",
      options_with_values: "line_item_option[]",
      line_level_discount_allocations: "discount_allocation[]",
      cart_level_discount_allocations: "discount_allocation[]",
      discount_allocations: "discount_allocation[]",
      discounts: "discount_application[]",
    },
    identity: ({ line }) => line.line.key,
  },
);

function isDefaultVariant(product: Product, variant: Variant): boolean {
  return product.variants.length === 1 && (product.options.length === 0 || variant.title === "Default Title");
}

function lineImage({ product, variant }: Subject): TemplateObject<ImageSubject> | undefined {
  const image = product.images.find((one) => one.src === variant.image) ?? product.images[0];
  return imageObject(image, product.title);
}

interface ChosenOption {
  readonly name: string;
  readonly value: string | undefined;
}

function chosenOption(option: ChosenOption): TemplateObject<ChosenOption> {
  return new TemplateObject(chosenOptionType, option);
}

const chosenOptionType = objectType<ChosenOption>("line_item_option", {
  name: ({ name }) => name,
  value: ({ value }) => value,
});
