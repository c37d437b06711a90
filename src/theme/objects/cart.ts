import type { DiscountApplication, PricedCart } from "../../cart/priced-cart.ts";
import type { View } from "../view.ts";
import { lineItemObject } from "./line-item.ts";
import { currencyObject } from "./shop.ts";
import { objectType, TemplateObject } from "./template-object.ts";

interface Subject {
  readonly view: View;
  readonly cart: PricedCart;
}

export function cartObject(view: View, cart: PricedCart): CartObject {
  return new CartObject({ view, cart });
}

/** A cart that is `empty` when it holds no lines: `{% if cart == empty %}`. */
class CartObject extends TemplateObject<Subject> {
  readonly #isEmpty: boolean;

  constructor(subject: Subject) {
    super(cartType, subject);
    this.#isEmpty = subject.cart.lines.length === 0;
    Object.defineProperty(this, "constructor", { value: undefined });
  }

  /** LiquidJS compares by these five. */
  equals(other: unknown): boolean {
    return other === this || (this.#isEmpty && isEmptyWord(other));
  }
  gt(): boolean {
    return false;
  }
  geq(): boolean {
    return false;
  }
  lt(): boolean {
    return false;
  }
  leq(): boolean {
    return false;
  }
}

/** `empty` and `blank` are Drops whose value is the empty text. */
function isEmptyWord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof TemplateObject) && value.valueOf() === "";
}

/** A discount as themes know it. */
export function discountApplication(discount: DiscountApplication): Readonly<Record<string, unknown>> {
  return {
    title: discount.title,
    code: discount.code,
    type: discount.code === undefined ? "automatic" : "discount_code",
    value: discount.value,
    value_type: discount.valueType,
    target_type: "line_item",
    target_selection: discount.target === "cart" ? "all" : "entitled",
    total_allocated_amount: discount.total,
  };
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
  },
);
