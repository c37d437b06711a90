import type { HookCall } from "./hook-call.ts";

/** Custom prices, such as those agreed with a customer. */
export interface PriceHook {
  /**
   * Returns unit prices: variant id -> minor units. Other variants have the catalog's price. Called for carts, not for
   * pages that show a product.
   */
  unitPrices(
    lines: readonly HookCartLine[],
    context: PriceContext,
    call: HookCall,
  ): Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;
}

/** Discounts that the catalog cannot express, such as "three for two". */
export interface DiscountsHook {
  /** Returns the discounts that apply to the cart in addition to the catalog's, in order. */
  applying(cart: HookCart, call: HookCall): Promise<readonly HookDiscount[]> | readonly HookDiscount[];
}

export interface HookDiscount {
  readonly title: string;
  /** The code of the cart that it belongs to; undefined if it applies automatically. */
  readonly code?: string;
  /** 0 to 100; alternative to `amount`. */
  readonly percentage?: number;
  /** Minor units, taken off each of its lines, or off the cart. */
  readonly amount?: number;
  /** Handles of its products; undefined for the entire cart. */
  readonly products?: readonly string[];
}

export interface PriceContext {
  /** ISO 4217 */
  readonly currency: string;
  readonly locale: string;
  /** The signed-in customer. */
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
  /** Unit price in the catalog; minor units. */
  readonly price: number;
  readonly properties: Readonly<Record<string, string>>;
}

/** A warehouse with a separate stock count. */
export interface StockHook {
  /**
   * Returns units on hand: variant id -> units. Called when a checkout is opened; the stock of other variants stays.
   */
  levels(
    variantIds: readonly string[],
    call: HookCall,
  ): Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;
}
