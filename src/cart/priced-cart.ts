import type { Product, Variant } from "../catalog/product.ts";
import type { Discount } from "../pricing/discount.ts";
import type { Cart, Issue, Line } from "./cart.ts";
import type { SubmittedCode } from "./edits/submitted-codes.ts";

/** A discount that reduced the price. */
export interface DiscountApplication {
  readonly title: string;
  /** undefined if it applied automatically. */
  readonly code?: string;
  readonly valueType: "percentage" | "fixed_amount";
  readonly value: number;
  /** Whether it applied to some lines, or to the cart after the lines' discounts. */
  readonly target: "lines" | "cart";
  /** Its sum in minor units: that of its allocations. */
  readonly total: number;
}

/** Part of a discount on one line or on the cart. */
export interface DiscountAllocation extends DiscountApplication {
  /** Minor units. */
  readonly amount: number;
}

/**
 * A line with its current price and available stock; money in minor units. finalLinePrice = originalLinePrice -
 * totalDiscount.
 */
export interface PricedLine {
  readonly line: Line;
  /** In the default language; use `localize` for display. */
  readonly product: Product;
  readonly variant: Variant;
  /** ISO 4217. */
  readonly currency: string;
  /** Unit price before the line's discounts. */
  readonly price: number;
  /** Final line price per unit, rounded to the minor unit. */
  readonly finalPrice: number;
  readonly originalLinePrice: number;
  readonly finalLinePrice: number;
  /** Discounts of the line. */
  readonly totalDiscount: number;
  readonly discounts: readonly DiscountAllocation[];
  /**
   * The line's shares of the cart's discounts, which its final price excludes; their sum over the lines is the
   * discount.
   */
  readonly cartShares: readonly DiscountAllocation[];
  /** Whether stock covers the entire line; of several lines of one variant, later ones lack stock first. */
  readonly available: boolean;
  /** Maximum quantity of the line, by its rule, by the stock not used by other lines, and by the shop's limit. */
  readonly maxQuantity: number;
}

/** Balance of a gift card or of store credit. */
export interface Balance {
  readonly kind: "gift_card" | "store_credit";
  /** Id of the card or of the customer. */
  readonly id: string;
  /** Minor units of the original amount. */
  readonly loaded: number;
  /** Minor units that this cart may use. */
  readonly available: number;
}

/**
 * A cart with its current prices; money in minor units. All sums are exact: itemsSubtotal = sum of finalLinePrice;
 * total = itemsSubtotal - totalDiscount; amountDue = total - gift cards - store credit.
 */
export interface PricedCart {
  /** Without lines whose variant was removed. */
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
  /** Discounts of the cart, without discounts of its lines. */
  readonly totalDiscount: number;
  readonly discounts: readonly DiscountAllocation[];
  /** All discounts that reduced the price, in the order of application. */
  readonly discountApplications: readonly DiscountApplication[];
  /** Applied discounts with a usage limit; the checkout counts their uses. */
  readonly limitedDiscounts: readonly Discount[];
  readonly total: number;
  readonly discountCodes: readonly { readonly code: string; readonly applicable: boolean }[];
  /** `code` contains only the last four characters. */
  readonly giftCards: readonly { readonly code: string; readonly amount: number }[];
  /** Codes of the cart that do not apply now. */
  readonly inapplicable: readonly SubmittedCode[];
  readonly storeCredit: number;
  readonly amountDue: number;
  /** Balances that pay, in the order of use: gift cards, then store credit. */
  readonly balances: readonly Balance[];
  readonly issues: readonly Issue[];
}
