import type { Product, Variant } from "../catalog/product.ts";
import type { Discount } from "../pricing/discount.ts";
import type { Cart, Issue, Line } from "./cart.ts";
import type { SubmittedCode } from "./edits/submitted-codes.ts";

/** A discount that reduced the price. */
export interface DiscountApplication {
  readonly title: string;
  /** Undefined for a discount that applied without a code. */
  readonly code?: string;
  readonly valueType: "percentage" | "fixed_amount";
  readonly value: number;
  /**
   * "lines": the discount reduced the prices of lines. "cart": it reduced the total that remained after the discounts
   * of lines.
   */
  readonly target: "lines" | "cart";
  /** Sum of the amounts that the discount takes off, in minor units. */
  readonly total: number;
}

/** The amount that a discount takes off one line or the cart. */
export interface DiscountAllocation extends DiscountApplication {
  /** Amount in minor units. */
  readonly amount: number;
}

/**
 * A line with its current price and stock. Money is in minor units. finalLinePrice = originalLinePrice - totalDiscount.
 */
export interface PricedLine {
  readonly line: Line;
  /** Product in the default language; use `localize` for display. */
  readonly product: Product;
  readonly variant: Variant;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Unit price before the line's discounts. */
  readonly price: number;
  /** Final price of the line, divided by its quantity and rounded to minor units. */
  readonly finalPrice: number;
  readonly originalLinePrice: number;
  readonly finalLinePrice: number;
  /** Sum of the line's discounts. */
  readonly totalDiscount: number;
  readonly discounts: readonly DiscountAllocation[];
  /**
   * The line's shares of the cart's discounts, not included in its final price. Over all lines, the shares of a
   * discount add up to its total.
   */
  readonly cartShares: readonly DiscountAllocation[];
  /**
   * Whether the stock covers the entire line. If several lines contain the same variant, earlier lines get its stock
   * first.
   */
  readonly available: boolean;
  /**
   * Maximum quantity of the line, limited by its rule, by the stock that other lines leave, and by the shop's limit.
   */
  readonly maxQuantity: number;
}

/** Balance of a gift card or of store credit. */
export interface Balance {
  readonly kind: "gift_card" | "store_credit";
  /** ID of the gift card or customer. */
  readonly id: string;
  /** Original amount of the balance, in minor units. */
  readonly loaded: number;
  /** Amount that this cart may use, in minor units. */
  readonly available: number;
}

/**
 * A cart with its current prices. Money is in minor units. All sums are exact: itemsSubtotal = sum of finalLinePrice;
 * total = itemsSubtotal - totalDiscount; amountDue = total - gift cards - store credit.
 */
export interface PricedCart {
  /** The cart, without lines whose variant is no longer in the catalog. */
  readonly cart: Cart;
  readonly currency: string;
  readonly lines: readonly PricedLine[];
  readonly itemCount: number;
  readonly requiresShipping: boolean;
  /** Weight in grams. */
  readonly totalWeight: number;
  /** Total before any discount. */
  readonly originalTotal: number;
  readonly itemsSubtotal: number;
  /** Sum of the cart's discounts, without the discounts of its lines. */
  readonly totalDiscount: number;
  readonly discounts: readonly DiscountAllocation[];
  /** All discounts that reduced the price, in the order of application. */
  readonly discountApplications: readonly DiscountApplication[];
  /** Applied discounts with a usage limit; the checkout counts their uses. */
  readonly limitedDiscounts: readonly Discount[];
  readonly total: number;
  /** Whether a discount makes shipping free. Undefined if not. */
  readonly hasFreeShipping?: true;
  readonly discountCodes: readonly { readonly code: string; readonly applicable: boolean }[];
  /** Gift cards that pay part of the cart; `code` contains only the last four characters. */
  readonly giftCards: readonly { readonly code: string; readonly amount: number }[];
  /** Codes of the cart that currently do not apply. */
  readonly inapplicable: readonly SubmittedCode[];
  readonly storeCredit: number;
  readonly amountDue: number;
  /** Balances that can pay, in the order of use: gift cards, then store credit. */
  readonly balances: readonly Balance[];
  readonly issues: readonly Issue[];
}
