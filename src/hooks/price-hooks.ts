import type { HookCall } from "./hook-call.ts";

/** Source of custom prices, such as prices agreed with a customer. */
export interface PriceHook {
  /**
   * Returns unit prices in minor units by variant id. Missing variants have the catalog's price. The hook is called for
   * carts, not for product pages.
   */
  unitPrices(
    lines: readonly HookCartLine[],
    context: PriceContext,
    hookCall: HookCall,
  ): Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;
}

/** Source of discounts that the catalog cannot express, such as "three for two". */
export interface DiscountsHook {
  /** Returns the cart's discounts in the order in which they apply. They are added to the catalog's discounts. */
  applying(cart: HookCart, hookCall: HookCall): Promise<readonly HookDiscount[]> | readonly HookDiscount[];
}

export interface HookDiscount {
  readonly title: string;
  /** Discount code of the cart that enables the discount; undefined if the discount applies automatically. */
  readonly code?: string;
  /** Percentage from 0 to 100; alternative to `amount`. */
  readonly percentage?: number;
  /** Amount in minor units; subtracted from each line of `products`, or from the cart. */
  readonly amount?: number;
  /** Handles of the discounted products; undefined for the entire cart. */
  readonly products?: readonly string[];
}

export interface PriceContext {
  /** Currency code (ISO 4217). */
  readonly currency: string;
  readonly locale: string;
  /** Id of the signed-in customer. */
  readonly customerId?: string;
}

export interface HookCart extends PriceContext {
  readonly lines: readonly HookCartLine[];
  /** Discount codes that the shopper entered. */
  readonly codes: readonly string[];
}

export interface HookCartLine {
  readonly variantId: string;
  readonly sku?: string;
  /** Handle of the product. */
  readonly handle: string;
  readonly quantity: number;
  /** Unit price in the catalog, in minor units. */
  readonly price: number;
  readonly properties: Readonly<Record<string, string>>;
}

/** Source of stock quantities, such as a warehouse system. */
export interface StockHook {
  /**
   * Returns units on hand by variant id. Missing variants keep their stock. The hook is called when a checkout is
   * opened.
   */
  levels(
    variantIds: readonly string[],
    hookCall: HookCall,
  ): Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;
}
