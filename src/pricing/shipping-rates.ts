/** A flat shipping rate from the settings. Amounts are in minor units. */
export interface ShippingRate {
  readonly name: string;
  /** Names of the rate by locale. */
  readonly translations: Readonly<Record<string, string>>;
  readonly price: number;
  /** ISO 3166-1 codes of the countries with this rate. Undefined for all countries that the shop ships to. */
  readonly countries?: readonly string[] | undefined;
  /** Minimum total of the items after discounts for free shipping. */
  readonly freeFrom?: number | undefined;
}

/** Countries that a shop ships to, and its rates. */
export interface ShippingRules {
  /** ISO 3166-1 codes; empty for all countries. */
  readonly countries: readonly string[];
  readonly rates: readonly ShippingRate[];
}

/** The price of shipping an order at one rate. */
export interface QuotedRate {
  /** Name of the rate in the settings, which identifies the rate in every language. */
  readonly code: string;
  /** Name of the rate in the reader's language. */
  readonly name: string;
  /** Price in minor units. */
  readonly price: number;
}

/** Returns whether the shop ships to a country.  @param country ISO 3166-1 code */
export function deliversToCountry({ countries, rates }: ShippingRules, country: string): boolean {
  if (countries.length > 0 && !countries.includes(country)) return false;
  return rates.length === 0 || rates.some((rate) => coversCountry(rate, country));
}

/**
 * Returns the shipping rates for a cart, sorted as in the settings. Empty if no rate applies to the country.
 * @param itemsTotal total of the items after discounts and before gift cards, in minor units
 */
export function computeRates(
  rules: ShippingRules,
  { country, itemsTotal, locale }: { readonly country: string; readonly itemsTotal: number; readonly locale: string },
): readonly QuotedRate[] {
  if (!deliversToCountry(rules, country)) return [];
  return rules.rates
    .filter((rate) => coversCountry(rate, country))
    .map(({ name, translations, price, freeFrom }) => ({
      code: name,
      name: translations[locale] ?? name,
      price: freeFrom !== undefined && itemsTotal >= freeFrom ? 0 : price,
    }));
}

function coversCountry({ countries }: ShippingRate, country: string): boolean {
  return countries === undefined || countries.includes(country);
}

/**
 * Returns the smallest total of items for which shipping is free to every destination. Undefined if no such total
 * exists, or if shipping is always free.
 */
export function findFreeShippingTotal({ countries, rates }: ShippingRules): number | undefined {
  const listedCountries =
    countries.length > 0 ? countries : [...new Set(rates.flatMap((rate) => rate.countries ?? []))];
  const ratesByDestination = listedCountries.map((country) => rates.filter((rate) => coversCountry(rate, country)));
  // If the shop has no list of countries, it also ships to countries that no rate names. Only general rates apply to
  // them.
  if (countries.length === 0) ratesByDestination.push(rates.filter((rate) => rate.countries === undefined));
  const totals = ratesByDestination
    // The shop does not ship to countries without a rate.
    .filter((destinationRates) => destinationRates.length > 0)
    .map((destinationRates) =>
      Math.min(...destinationRates.map(({ price, freeFrom }) => (price === 0 ? 0 : (freeFrom ?? Infinity)))),
    );
  const highestTotal = Math.max(0, ...totals);
  return highestTotal === 0 || highestTotal === Infinity ? undefined : highestTotal;
}
