import type { HookCall } from "./hook-call.ts";

/** Source of shipping rates, such as a carrier. */
export interface ShippingHook {
  /**
   * Returns the shipping rates for these items in display order; an empty list if they cannot be shipped to the
   * destination.
   */
  rates(
    to: Destination,
    quotedGoods: QuotedGoods,
    hookCall: HookCall,
  ): Promise<readonly ShippingQuote[]> | readonly ShippingQuote[];
}

export interface ShippingQuote {
  /** Code of the rate. It is the same in all languages, and in all calls of the hook. */
  readonly code: string;
  /** Name displayed to the shopper, in the language of `goods.locale`. */
  readonly name: string;
  /** Price in minor units. */
  readonly price: number;
}

/** A tax service that replaces the tax table of the settings. */
export interface TaxHook {
  /**
   * Returns tax percentages; the shop computes and rounds the amounts. If it returns undefined, taxes are not
   * displayed.
   */
  percents(
    to: Destination,
    quotedGoods: QuotedGoods,
    hookCall: HookCall,
  ): Promise<TaxPercents | undefined> | TaxPercents | undefined;
}

export interface TaxPercents {
  /** Tax percentages of the lines, in order: 0 to 100, with up to four decimals. */
  readonly lines: readonly number[];
  /** Tax percentage for shipping. */
  readonly shipping: number;
}

/** Destination of an order. Fields that the shopper has not filled in yet are "". */
export interface Destination {
  /** Country code (ISO 3166-1 alpha-2). */
  readonly country: string;
  readonly province: string;
  readonly zip: string;
  readonly city: string;
  readonly address1: string;
  readonly address2: string;
}

/** Items to be shipped and taxed. Amounts are in minor units of `currency`. */
export interface QuotedGoods {
  /** Currency code (ISO 4217). */
  readonly currency: string;
  readonly locale: string;
  /** Total after all discounts, before gift cards. */
  readonly total: number;
  /** Id of the signed-in customer. */
  readonly customerId?: string;
  readonly lines: readonly QuotedLine[];
}

export interface QuotedLine {
  readonly variantId: string;
  readonly sku?: string;
  readonly title: string;
  readonly productType: string;
  readonly quantity: number;
  /** Total of the line, after all discounts. */
  readonly amount: number;
  /** Weight of one unit. */
  readonly grams: number;
  readonly requiresShipping: boolean;
  readonly taxable: boolean;
}
