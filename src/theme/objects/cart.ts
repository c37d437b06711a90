import type { PricedCart } from "../../cart/priced-cart.ts";
import type { View } from "../view.ts";
import { currencyObject } from "./currency.ts";
import { discountApplication } from "./discount.ts";
import { lineItemObject } from "./line-item.ts";
import { objectType, TemplateObject } from "./template-object.ts";

interface Subject {
  readonly view: View;
  readonly cart: PricedCart;
}

/** A cart that is `empty` when it holds no lines: `{% if cart == empty %}`. */
export function cartObject(view: View, cart: PricedCart): TemplateObject<Subject> {
  return new TemplateObject(cartType, { view, cart });
}

const cartType = objectType<Subject>(
  "cart",
  {
    id: ({ cart }) => cart.cart.id,
    revision: ({ cart }) => cart.cart.revision,
    item_count: ({ cart }) => cart.itemCount,
    line_count: ({ cart }) => cart.lines.length,
    items: ({ view, cart }) => cart.lines.map((line, index) => lineItemObject(view, line, index + 1)),
    note: ({ cart }) => cart.cart.note,
    attributes: () => ({}),
    requires_shipping: ({ cart }) => cart.requiresShipping,
    currency: ({ view }) => currencyObject(view),
    total_weight: ({ cart }) => cart.totalWeight,
    original_total_price: ({ cart }) => cart.originalTotal,
    items_subtotal_price: ({ cart }) => cart.itemsSubtotal,
    items_subtotal_price_cents: ({ cart }) => cart.itemsSubtotal,
    total_discount: ({ cart }) => cart.totalDiscount,
    total_discount_cents: ({ cart }) => cart.totalDiscount,
    total_price: ({ cart }) => cart.total,
    total_price_cents: ({ cart }) => cart.total,
    amount_due: ({ cart }) => cart.amountDue,
    amount_due_cents: ({ cart }) => cart.amountDue,
    store_credit: ({ cart }) => cart.storeCredit,
    gift_cards: ({ cart }) => cart.giftCards,
    discount_codes: ({ cart }) => cart.discountCodes,
    cart_level_discount_applications: ({ cart }) => cart.discounts.map(discountApplication),
    issues: ({ cart }) => cart.issues.map(({ code, message, key }) => ({ code, message, key })),
  },
  {
    lines: ({ view, cart }) => cart.lines.map((line, index) => lineItemObject(view, line, index + 1)),
    "empty?": ({ cart }) => cart.lines.length === 0,
    discount_applications: ({ cart }) => cart.discountApplications.map(discountApplication),
    checkout_charge_amount: ({ cart }) => cart.amountDue,
    taxes_included: () => false,
    duties_included: () => false,
    discounts: ({ cart }) => cart.discountApplications.map(discountApplication),
  },
  {
    returns: {
      items: "line_item[]",
      lines: "line_item[]",
      currency: "currency",
      cart_level_discount_applications: "discount_application[]",
      discount_applications: "discount_application[]",
      discounts: "discount_application[]",
    },
  },
);
