import { getLineImage, type LocalizedLine, linePresenter, localizeLine } from "../../../cart/presenters/line.ts";
import type { PricedLine } from "../../../cart/priced-cart.ts";
import { computeUnitPrice } from "../../../catalog/unit-price.ts";
import type { View } from "../../view.ts";
import { imageObject, imageUrlObject } from "../image.ts";
import { productObject } from "../products/product.ts";
import { quantityRuleObject, unitPriceMeasurementObject, variantObject } from "../products/variant.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { createLineDiscount, discountAllocation } from "./discount.ts";

interface LineItemSubject extends LocalizedLine {
  readonly view: View;
  /** Position of the line in the cart, from 1. */
  readonly position: number;
  readonly fulfillment?: LineFulfillment;
}

/** Last shipment of a line. */
interface LineFulfillment {
  /** Number of shipped units in all shipments. */
  readonly quantity: number;
  /** Creates the `fulfillment` object. */
  readonly create: () => unknown;
}

/** Creates a `line_item` object.  @param fulfillment shipment of the line; undefined if it is not shipped */
export function lineItemObject(
  view: View,
  line: PricedLine,
  position: number,
  fulfillment?: LineFulfillment,
): TemplateObject<LineItemSubject> {
  const localizedLine = localizeLine(line, view.request.locale, view.prefix);
  return new TemplateObject(lineItemType, { ...localizedLine, view, position, ...(fulfillment && { fulfillment }) });
}

const lineItemType = createObjectType<LineItemSubject>(
  "line_item",
  {
    ...linePresenter,
    image: (subject) => imageUrlObject(getLineImage(subject)),
    featured_image: (subject) => imageObject(getLineImage(subject)),
    discounts: ({ line }) => line.discounts.map(createLineDiscount),
    line_level_discount_allocations: ({ line }) => line.discounts.map(discountAllocation),
    cart_level_discount_allocations: ({ line }) => line.cartShares.map(discountAllocation),
    options_with_values: (subject) => linePresenter.options_with_values(subject).map(selectedOptionObject),
    quantity_rule: ({ variant }) => quantityRuleObject(variant),
    // Unit price, such as the price per liter, after the line's discounts.
    unit_price: ({ line, variant: { unitPriceMeasure } }) =>
      unitPriceMeasure && computeUnitPrice(line.finalPrice, unitPriceMeasure),
    unit_price_measurement: ({ variant }) => unitPriceMeasurementObject(variant.unitPriceMeasure),
  },
  {
    fulfillment: ({ fulfillment }) => fulfillment?.create(),
    successfully_fulfilled_quantity: ({ fulfillment }) => fulfillment?.quantity ?? 0,
    line: ({ position }) => position,
    index: ({ position }) => position - 1,
    product: ({ view, product }) => productObject(view, product),
    variant: ({ view, product, variant }) => variantObject(view, product, variant),
    instructions: () => ({ can_update_quantity: true, can_remove: true }),
    item_components: () => [],
    tax_lines: () => [],
    discount_allocations: ({ line }) => [...line.discounts, ...line.cartShares].map(discountAllocation),
  },
  {
    emptyFields: "selling_plan_allocation parent_relationship error_message message fulfillment_service",
    fieldTypes: {
      fulfillment: "fulfillment",
      product: "product",
      variant: "variant",
      image: "image",
      featured_image: "image",
      quantity_rule: "quantity_rule",
      unit_price_measurement: "unit_price_measurement",
      options_with_values: "line_item_option[]",
      line_level_discount_allocations: "discount_allocation[]",
      cart_level_discount_allocations: "discount_allocation[]",
      discount_allocations: "discount_allocation[]",
      discounts: "line_item_discount[]",
    },
    identity: ({ line }) => line.line.key,
  },
);

type SelectedOption = ReturnType<typeof linePresenter.options_with_values>[number];

function selectedOptionObject(option: SelectedOption): TemplateObject<SelectedOption> {
  return new TemplateObject(selectedOptionType, option);
}

const selectedOptionType = createObjectType<SelectedOption>("line_item_option", {
  name: ({ name }) => name,
  value: ({ value }) => value,
});
