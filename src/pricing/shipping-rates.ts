/** A flat shipping rate of the settings. Money in minor units. */
export interface ShippingRate {
  readonly name: string;
  /** locale -> name */
  readonly translations: Readonly<Record<string, string>>;
  readonly price: number;
  /** ISO 3166-1 codes of its countries; undefined for all that the shop ships to. */
  readonly countries?: readonly string[] | undefined;
  /** Total of the items after discounts from which the rate is free. */
  readonly freeFrom?: number | undefined;
}

/** Countries that a shop ships to, and its rates. */
export interface ShippingRules {
  /** ISO 3166-1 codes; empty for all countries. */
  readonly countries: readonly string[];
  readonly rates: readonly ShippingRate[];
}

/** The price of shipping an order by one rate. */
export interface QuotedRate {
  /** The name of the rate in the settings, the same in every language; it identifies the rate. */
  readonly code: string;
  /** In the reader's language. */
  readonly name: string;
  /** Minor units. */
  readonly price: number;
}

/** Returns whether the shop ships to a country.  @param country ISO 3166-1 */
export function isShippedTo({ countries, rates }: ShippingRules, country: string): boolean {
  if (countries.length > 0 && !countries.includes(country)) return false;
  return rates.length === 0 || rates.some((rate) => isFor(rate, country));
}

/**
 * Returns the rates for an order, in the order of the settings; empty if no rate applies to the country.
 * @param goods total of the items after discounts, before gift cards, in minor units
 */
export function quoteRates(
  rules: ShippingRules,
  { country, goods, locale }: { readonly country: string; readonly goods: number; readonly locale: string },
): readonly QuotedRate[] {
  if (!isShippedTo(rules, country)) return [];
  return rules.rates
    .filter((rate) => isFor(rate, country))
    .map(({ name, translations, price, freeFrom }) => ({
      code: name,
      name: translations[locale] ?? name,
      price: freeFrom !== undefined && goods >= freeFrom ? 0 : price,
    }));
}

function isFor({ countries }: ShippingRate, country: string): boolean {
  return countries === undefined || countries.includes(country);
}

/** Returns the total of the items from which shipping is free to every destination, or undefined, or it is 0. */
export function freeDeliveryFrom({ countries, rates }: ShippingRules): number | undefined {
  const named = countries.length > 0 ? countries : [...new Set(rates.flatMap((rate) => rate.countries ?? []))];
  const byPlace = named.map((country) => rates.filter((rate) => isFor(rate, country)));
  // Without a list of countries, only rates for all countries apply to unlisted ones.
  if (countries.length === 0) byPlace.push(rates.filter((rate) => rate.countries === undefined));
  const totals = byPlace
    // Countries without a rate are not shipped to.
    .filter((some) => some.length > 0)
    .map((some) => Math.min(...some.map(({ price, freeFrom }) => (price === 0 ? 0 : (freeFrom ?? Infinity)))));
  const highest = Math.max(0, ...totals);
  return highest === 0 || highest === Infinity ? undefined : highest;
}
