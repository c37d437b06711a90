import type { HookCall } from "./hook-call.ts";

/** A carrier, or whatever knows what sending costs. */
export interface ShippingHook {
  /** The ways in which these goods can be sent there, in the order in which they are shown; none: nothing is sent there. */
  rates(
    to: Destination,
    goods: QuotedGoods,
    call: HookCall,
  ): Promise<readonly ShippingQuote[]> | readonly ShippingQuote[];
}

export interface ShippingQuote {
  /** Tells one way from another: the same in every language, and each time. */
  readonly code: string;
  /** For the shopper, in the language of `goods.locale`. */
  readonly name: string;
  /** Minor units. */
  readonly price: number;
}

/** Whatever knows taxes better than a table by country. */
export interface TaxHook {
  /** What is to be taxed at how much. Amounts are worked out and rounded by the shop; undefined: no taxes are told.  */
  percents(
    to: Destination,
    goods: QuotedGoods,
    call: HookCall,
  ): Promise<TaxPercents | undefined> | TaxPercents | undefined;
}

export interface TaxPercents {
  /** One for each line, in their order; 0 to 100, of up to four decimals. */
  readonly lines: readonly number[];
  /** Of what sending costs. */
  readonly shipping: number;
}

/** Where an order goes, as far as it is known: fields that nobody has filled in yet are "". */
export interface Destination {
  /** ISO 3166-1 */
  readonly country: string;
  readonly province: string;
  readonly zip: string;
  readonly city: string;
  readonly address1: string;
  readonly address2: string;
}

/** What is sent and taxed. Money in minor units of `currency`. */
export interface QuotedGoods {
  /** ISO 4217 */
  readonly currency: string;
  readonly locale: string;
  /** After all discounts, before gift cards. */
  readonly total: number;
  /** A customer who is signed in. */
  readonly customerId?: string;
  readonly lines: readonly QuotedLine[];
}

export interface QuotedLine {
  readonly variantId: string;
  readonly sku?: string;
  readonly title: string;
  readonly productType: string;
  readonly quantity: number;
  /** Of the whole line, after all discounts. */
  readonly amount: number;
  /** Of one unit. */
  readonly grams: number;
  readonly requiresShipping: boolean;
  readonly taxable: boolean;
}
