import type { HookCall } from "./hook-call.ts";

/** Prices of the merchant's own, as those that were agreed with a customer. */
export interface PriceHook {
  /** What one unit costs here: variant id -> minor units. Variants that it leaves out cost what the catalogue says. It is asked about carts, not about pages
   *  that show a product. */
  unitPrices(
    lines: readonly AskedLine[],
    context: PriceContext,
    call: HookCall,
  ): Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;
}

/** Discounts that the catalogue's cannot say, as "three for two". */
export interface DiscountsHook {
  /** Those that apply to the cart, beside those of the catalogue, in their order. */
  applying(cart: AskedCart, call: HookCall): Promise<readonly AskedDiscount[]> | readonly AskedDiscount[];
}

export interface AskedDiscount {
  readonly title: string;
  /** One of the cart's codes, which it is for; absent: it applies by itself. */
  readonly code?: string;
  /** 0 to 100; or `amount`. */
  readonly percentage?: number;
  /** Minor units, off each of the lines it is for or off the cart. */
  readonly amount?: number;
  /** Handles of the products that it is for; absent: the whole cart. */
  readonly products?: readonly string[];
}

export interface PriceContext {
  /** ISO 4217 */
  readonly currency: string;
  readonly locale: string;
  /** A customer who is signed in. */
  readonly customerId?: string;
}

export interface AskedCart extends PriceContext {
  readonly lines: readonly AskedLine[];
  /** Discount codes as the shopper gave them. */
  readonly codes: readonly string[];
}

export interface AskedLine {
  readonly variantId: string;
  readonly sku?: string;
  /** Of its product. */
  readonly handle: string;
  readonly quantity: number;
  /** The catalogue's, of one unit; minor units. */
  readonly price: number;
  readonly properties: Readonly<Record<string, string>>;
}

/** A warehouse that counts for itself. */
export interface StockHook {
  /** How many are on hand: variant id -> units. It is asked as a checkout is opened; those that it leaves out stay as they are known. */
  levels(
    variantIds: readonly string[],
    call: HookCall,
  ): Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;
}
