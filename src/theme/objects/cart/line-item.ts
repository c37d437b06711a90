import { toText } from "@vitrine/liquid";
import { getLineImage, type LocalizedLine, linePresenter, localizeLine } from "../../../cart/presenters/line.ts";
import type { PricedLine } from "../../../cart/priced-cart.ts";
import { computeUnitPrice } from "../../../catalog/unit-price.ts";
import { escapeIfUnsafe } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";
import { createImageObject, createImageUrlObject } from "../image.ts";
import { createProductObject } from "../products/product.ts";
import { createUnitPriceObject, createVariantObject, quantityRuleType } from "../products/variant.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { createAllocationObject, lineDiscountType } from "./discount.ts";

interface LineItemData extends LocalizedLine {
  readonly view: View;
  /** All lines of the cart, to find the parent of a nested line. */
  readonly lines: readonly PricedLine[];
  /** Position of the line in the cart, from 1. */
  readonly position: number;
  readonly fulfillment?: LineFulfillment;
}

/** Shipment of a line: the shipped quantity, and the last shipment that contains the line. */
interface LineFulfillment {
  /** Number of shipped units in all shipments. */
  readonly quantity: number;
  /** Creates the `fulfillment` object. */
  readonly create: () => unknown;
}

/** Creates the `line_item` objects of a cart. */
export function createLineItemObjects(
  view: View,
  lines: readonly PricedLine[],
): readonly TemplateObject<LineItemData>[] {
  return lines.map((line, index) => createLineItemObject(view, lines, line, index + 1));
}

/**
 * Creates a `line_item` object.
 * @param lines all lines of the cart
 * @param fulfillment shipment of the line; undefined if it is not shipped
 */
export function createLineItemObject(
  view: View,
  lines: readonly PricedLine[],
  line: PricedLine,
  position: number,
  fulfillment?: LineFulfillment,
): TemplateObject<LineItemData> {
  const localizedLine = localizeLine(line, view.request.locale, view.prefix);
  const subject = { ...localizedLine, view, lines, position, ...(fulfillment && { fulfillment }) };
  return new TemplateObject(lineItemType, subject);
}

const lineItemType = createObjectType<LineItemData>(
  "line_item",
  {
    ...linePresenter,
    properties: ({ line }) => escapeProperties(line.line.properties),
    image: (subject) => createImageUrlObject(getLineImage(subject)),
    featured_image: (subject) => createImageObject(getLineImage(subject)),
    discounts: ({ line }) => line.discounts.map((discount) => new TemplateObject(lineDiscountType, discount)),
    line_level_discount_allocations: ({ line }) => line.discounts.map(createAllocationObject),
    cart_level_discount_allocations: ({ line }) => line.cartShares.map(createAllocationObject),
    options_with_values: (subject) =>
      linePresenter.options_with_values(subject).map((option) => new TemplateObject(selectedOptionType, option)),
    quantity_rule: ({ variant }) => new TemplateObject(quantityRuleType, variant.quantityRule),
    parent_relationship: (subject) => getRelationship(subject),
    instructions: () => instructionsObject,
    // Unit price, such as the price per liter, after the line's discounts.
    unit_price: ({ line, variant: { unitPriceMeasure } }) =>
      unitPriceMeasure && computeUnitPrice(line.finalPrice, unitPriceMeasure),
    unit_price_measurement: ({ variant }) => createUnitPriceObject(variant.unitPriceMeasure),
  },
  {
    fulfillment: ({ fulfillment }) => fulfillment?.create(),
    successfully_fulfilled_quantity: ({ fulfillment }) => fulfillment?.quantity ?? 0,
    line: ({ position }) => position,
    index: ({ position }) => position - 1,
    product: ({ view, product }) => createProductObject(view, product),
    variant: ({ view, product, variant }) => createVariantObject(view, product, variant),
    item_components: () => [],
    tax_lines: () => [],
    discount_allocations: ({ line }) => [...line.discounts, ...line.cartShares].map(createAllocationObject),
  },
  {
    emptyFields: "selling_plan_allocation error_message message fulfillment_service",
    fieldTypes: {
      fulfillment: "fulfillment",
      product: "product",
      variant: "variant",
      image: "image",
      featured_image: "image",
      quantity_rule: "quantity_rule",
      parent_relationship: "parent_relationship",
      instructions: "instructions",
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

/** Escapes names and values, which links can set, and which themes print as they are. */
function escapeProperties(properties: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [toText(escapeIfUnsafe(name)), escapeIfUnsafe(value)]),
  );
}

const instructionsType = createObjectType<ReturnType<typeof linePresenter.instructions>>("instructions", {
  can_remove: ({ can_remove }) => can_remove,
  can_update_quantity: ({ can_update_quantity }) => can_update_quantity,
});

const instructionsObject = new TemplateObject(instructionsType, linePresenter.instructions());

interface ParentLineData extends Pick<LineItemData, "view" | "lines"> {
  readonly parentKey: string;
}

function getRelationship({ line: { line }, view, lines }: LineItemData): unknown {
  const { parentKey } = line;
  return parentKey === undefined ? undefined : new TemplateObject(parentRelationshipType, { view, lines, parentKey });
}

const parentRelationshipType = createObjectType<ParentLineData>(
  "parent_relationship",
  { parent_key: ({ parentKey }) => parentKey },
  {
    parent: ({ view, lines, parentKey }) => {
      const index = lines.findIndex(({ line }) => line.key === parentKey);
      const parent = lines[index];
      return parent && createLineItemObject(view, lines, parent, index + 1);
    },
  },
  { fieldTypes: { parent: "line_item" } },
);

type SelectedOption = ReturnType<typeof linePresenter.options_with_values>[number];

const selectedOptionType = createObjectType<SelectedOption>("line_item_option", {
  name: ({ name }) => name,
  value: ({ value }) => value,
});
