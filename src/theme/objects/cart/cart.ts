import { computeHomeCountryTaxes } from "../../../cart/cart-taxes.ts";
import { cartPresenter } from "../../../cart/presenters/cart.ts";
import type { PricedCart } from "../../../cart/priced-cart.ts";
import { findFreeShippingTotal } from "../../../pricing/shipping-rates.ts";
import { escapeIfUnsafe } from "../../liquid/safe-html.ts";
import type { View } from "../../view.ts";
import { currencyType } from "../shop/country.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { createDiscountObject } from "./discount.ts";
import { createIssueObjects } from "./issue.ts";
import { createLineItemObjects } from "./line-item.ts";
import { createTaxLines, includesTax } from "./tax-line.ts";

interface CartObjectData extends PricedCart {
  readonly view: View;
}

/** Creates the `cart` object. A cart without lines equals `empty`: `{% if cart == empty %}`. */
export function createCartObject(view: View, cart: PricedCart): TemplateObject<CartObjectData> {
  return new TemplateObject(cartType, { ...cart, view });
}

const cartType = createObjectType<CartObjectData>(
  "cart",
  {
    ...cartPresenter,
    note: ({ cart }) => cart.note && escapeIfUnsafe(cart.note),
    currency: ({ view }) => new TemplateObject(currencyType, view),
    items: ({ view, lines }) => createLineItemObjects(view, lines),
    discount_applications: ({ discountApplications }) => discountApplications.map(createDiscountObject),
    cart_level_discount_applications: ({ discounts }) => discounts.map(createDiscountObject),
    issues: ({ view, issues }) => createIssueObjects(view, issues),
  },
  {
    lines: ({ view, lines }) => createLineItemObjects(view, lines),
    "empty?": ({ lines }) => lines.length === 0,
    total_discounts: ({ totalDiscount }) => totalDiscount,
    checkout_charge_amount: ({ amountDue }) => amountDue,
    taxes_included: ({ view }) => includesTax(view.config),
    total_tax: (subject) => computeHomeCountryTaxes(subject.view.config, subject)?.total ?? 0,
    tax_lines: (subject) =>
      createTaxLines(computeHomeCountryTaxes(subject.view.config, subject), subject.view.request.locale),
    duties_included: () => false,
    // Cart total from which shipping is free to every country, or undefined.
    free_delivery_from: ({ view, hasFreeShipping }) =>
      hasFreeShipping === true ? 0 : findFreeShippingTotal(view.config.shipping),
    discounts: ({ discountApplications }) => discountApplications.map(createDiscountObject),
  },
  {
    fieldTypes: {
      issues: "cart_issue[]",
      items: "line_item[]",
      lines: "line_item[]",
      currency: "currency",
      cart_level_discount_applications: "discount_application[]",
      discount_applications: "discount_application[]",
      discounts: "discount_application[]",
    },
  },
);
