import type { Product, Variant } from "../catalog/product.ts";
import type { Discount } from "../pricing/discount.ts";
import type { Cart, Issue, Line } from "./cart.ts";
import type { GivenCode } from "./edits/given-codes.ts";

/** A discount that took something off. */
export interface DiscountApplication {
  readonly title: string;
  /** Absent: it applied by itself. */
  readonly code?: string;
  readonly valueType: "percentage" | "fixed_amount";
  readonly value: number;
  /** Whether it was for some lines, or for the cart after the lines' own discounts. */
  readonly target: "lines" | "cart";
  /** What it took off in all, in minor units: the sum of its allocations. */
  readonly total: number;
}

/** A discount's share of one line or of the cart. */
export interface DiscountAllocation extends DiscountApplication {
  /** Minor units. */
  readonly amount: number;
}

/** A line with what it costs now and what stock allows of it; money in minor units. finalLinePrice = originalLinePrice - totalDiscount. */
export interface PricedLine {
  readonly line: Line;
  /** In the default language; `localize` it where it is shown. */
  readonly product: Product;
  readonly variant: Variant;
  /** ISO 4217. */
  readonly currency: string;
  /** One unit, before the line's discounts. */
  readonly price: number;
  /** One unit's share of the final line price, rounded to the unit. */
  readonly finalPrice: number;
  readonly originalLinePrice: number;
  readonly finalLinePrice: number;
  /** The line's own discounts. */
  readonly totalDiscount: number;
  readonly discounts: readonly DiscountAllocation[];
  /** The line's shares of the cart's discounts, which are not in its final price: they sum up to those discounts. */
  readonly cartShares: readonly DiscountAllocation[];
  /** Whether stock covers the whole line; of several lines of one variant the later ones are short. */
  readonly available: boolean;
  /** The most units to which the line can be set: what rule, stock beside other lines, and the shop's limit allow. */
  readonly maxQuantity: number;
}

/** Of a gift card or a customer's credit. */
export interface Balance {
  readonly kind: "gift_card" | "store_credit";
  /** Of the card, or of the customer. */
  readonly id: string;
  /** Minor units that the card was loaded with, or the customer credited. */
  readonly loaded: number;
  /** Minor units of them that this cart may draw. */
  readonly available: number;
}

/** A cart with what it costs now; money in minor units. Every sum holds to the unit:
 *  itemsSubtotal = sum of finalLinePrice; total = itemsSubtotal - totalDiscount; amountDue = total - gift cards - store credit. */
export interface PricedCart {
  /** Without the lines whose variant is gone. */
  readonly cart: Cart;
  readonly currency: string;
  readonly lines: readonly PricedLine[];
  readonly itemCount: number;
  readonly requiresShipping: boolean;
  /** Grams. */
  readonly totalWeight: number;
  /** Before any discount. */
  readonly originalTotal: number;
  readonly itemsSubtotal: number;
  /** The cart's own discounts, not those of its lines. */
  readonly totalDiscount: number;
  readonly discounts: readonly DiscountAllocation[];
  /** All that took something off, in the order in which they applied. */
  readonly discountApplications: readonly DiscountApplication[];
  /** Of these, those that may be used so many times only: each is counted at the checkout. */
  readonly limitedDiscounts: readonly Discount[];
  readonly total: number;
  readonly discountCodes: readonly { readonly code: string; readonly applicable: boolean }[];
  /** `code` shows the last four characters alone. */
  readonly giftCards: readonly { readonly code: string; readonly amount: number }[];
  /** Codes of the cart that take nothing off now. */
  readonly inapplicable: readonly GivenCode[];
  readonly storeCredit: number;
  readonly amountDue: number;
  /** What pays in the place of money, in the order in which it is drawn from: gift cards, then the customer's credit. */
  readonly balances: readonly Balance[];
  readonly issues: readonly Issue[];
}
