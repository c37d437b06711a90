import type { HookCall } from "./hook-call.ts";

/** A carrier, or another source of shipping costs. */
export interface ShippingHook {
  /** Returns the shipping rates for these items, in display order; empty if they cannot be shipped there. */
  rates(
    to: Destination,
    goods: QuotedGoods,
    call: HookCall,
  ): Promise<readonly ShippingQuote[]> | readonly ShippingQuote[];
}

export interface ShippingQuote {
  /** Identifies a rate: the same in every language and call. */
  readonly code: string;
  /** Name for the shopper, in the language of `goods.locale`. */
  readonly name: string;
  /** Minor units. */
  readonly price: number;
}

/** A tax service, in place of the tax table of the settings. */
export interface TaxHook {
  /**
   * Returns tax percentages; the shop computes and rounds the amounts. If it returns undefined, taxes are not
   * displayed.
   */
  percents(
    to: Destination,
    goods: QuotedGoods,
    call: HookCall,
  ): Promise<TaxPercents | undefined> | TaxPercents | undefined;
}

export interface TaxPercents {
  /** One for each line, in order; 0 to 100, with up to four decimals. */
  readonly lines: readonly number[];
  /** Percentage for shipping. */
  readonly shipping: number;
}

/** Destination of an order, as far as known: fields that are not filled in yet are "". */
export interface Destination {
  /** ISO 3166-1 */
  readonly country: string;
  readonly province: string;
  readonly zip: string;
  readonly city: string;
  readonly address1: string;
  readonly address2: string;
}

/** Items to be shipped and taxed. Money in minor units of `currency`. */
export interface QuotedGoods {
  /** ISO 4217 */
  readonly currency: string;
  readonly locale: string;
  /** After all discounts, before gift cards. */
  readonly total: number;
  /** The signed-in customer. */
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
