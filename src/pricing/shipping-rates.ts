/** A flat rate for sending an order, as the merchant set it. Money in minor units. */
export interface ShippingRate {
  readonly name: string;
  /** locale -> name */
  readonly translations: Readonly<Record<string, string>>;
  readonly price: number;
  /** ISO 3166-1 codes of the countries it is for; absent: all that the shop sends to. */
  readonly countries?: readonly string[] | undefined;
  /** From this total of the goods on, after discounts, it costs nothing. */
  readonly freeFrom?: number | undefined;
}

/** Where a shop sends to, and for how much. */
export interface ShippingRules {
  /** ISO 3166-1 codes; empty: everywhere. */
  readonly countries: readonly string[];
  readonly rates: readonly ShippingRate[];
}

/** What sending one order costs by one rate. */
export interface QuotedRate {
  /** The merchant's own name of the rate, the same in every language: what tells one rate from another. */
  readonly code: string;
  /** In the reader's language. */
  readonly name: string;
  /** Minor units. */
  readonly price: number;
}

/** Whether the shop sends to a country at all. @param country ISO 3166-1 */
export function isShippedTo({ countries, rates }: ShippingRules, country: string): boolean {
  if (countries.length > 0 && !countries.includes(country)) return false;
  return rates.length === 0 || rates.some((rate) => isFor(rate, country));
}

/** The rates that an order may be sent by, in the order in which the merchant wrote them; empty where there is none for that country.
 *  @param goods total of the goods after discounts, before gift cards, in minor units */
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

/** The total of the goods from which on delivery costs nothing wherever the shop sends to; undefined where there is no such total, or it is 0. */
export function freeDeliveryFrom({ countries, rates }: ShippingRules): number | undefined {
  const named = countries.length > 0 ? countries : [...new Set(rates.flatMap((rate) => rate.countries ?? []))];
  const byPlace = named.map((country) => rates.filter((rate) => isFor(rate, country)));
  // Where the shop names no country, there are those that no rate names.
  if (countries.length === 0) byPlace.push(rates.filter((rate) => rate.countries === undefined));
  const totals = byPlace
    // Nothing is sent where there is no rate.
    .filter((some) => some.length > 0)
    .map((some) => Math.min(...some.map(({ price, freeFrom }) => (price === 0 ? 0 : (freeFrom ?? Infinity)))));
  const most = Math.max(0, ...totals);
  return most === 0 || most === Infinity ? undefined : most;
}
