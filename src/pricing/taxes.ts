/** Tax rates of the settings, in percent by country (ISO 3166-1). */
export interface TaxRules {
  /** Prices and shipping include tax. */
  readonly pricesIncludeTax: boolean;
  readonly rates: Readonly<Record<string, number>>;
  /** Other rates for products of these types; the first that names the type and the country applies. */
  readonly reduced: readonly { readonly types: readonly string[]; readonly rates: Readonly<Record<string, number>> }[];
}

/** Taxed amounts: minor units, after all discounts. */
export interface TaxedAmount {
  readonly amount: number;
  readonly productType: string;
  readonly isTaxable: boolean;
}

/**
 * The taxes of an order; minor units. Each amount is rounded separately, half up: total = sum of lines + shipping = sum
 * of rates.
 */
export interface Taxes {
  readonly country: string;
  /** Whether they are part of the prices; otherwise they are added. */
  readonly isIncluded: boolean;
  /** One for each line. */
  readonly lines: readonly number[];
  readonly shipping: number;
  /** Amount of each rate, highest rate first, without zero amounts. */
  readonly rates: readonly { readonly percent: number; readonly amount: number }[];
  readonly total: number;
}

/**
 * @param shipping minor units; taxed at the country's standard rate
 * @returns undefined if the settings have no rate for the country
 */
export function computeTaxes(
  rules: TaxRules,
  country: string,
  lines: readonly TaxedAmount[],
  shipping: number,
): Taxes | undefined {
  const standard = Object.hasOwn(rules.rates, country) ? rules.rates[country] : undefined;
  if (standard === undefined) return undefined;
  const percents = {
    lines: lines.map(({ productType }) => reducedFor(rules, country, productType) ?? standard),
    shipping: standard,
  };
  return computeTaxesAt(percents, { country, isIncluded: rules.pricesIncludeTax }, lines, shipping);
}

/**
 * Like {@link computeTaxes}, with a separate percentage for each line.
 * @param percents with up to four decimals, one for each line
 * @param shipping minor units
 */
export function computeTaxesAt(
  percents: { readonly lines: readonly number[]; readonly shipping: number },
  { country, isIncluded }: Pick<Taxes, "country" | "isIncluded">,
  lines: readonly Omit<TaxedAmount, "productType">[],
  shipping: number,
): Taxes {
  const sums = new Map<number, number>();
  const tax = (amount: number, percent: number): number => {
    const part = taxOf(amount, percent, isIncluded);
    if (part > 0) sums.set(percent, (sums.get(percent) ?? 0) + part);
    return part;
  };
  const ofLines = lines.map(({ amount, isTaxable }, at) => (isTaxable ? tax(amount, percents.lines[at] ?? 0) : 0));
  const ofShipping = tax(shipping, percents.shipping);
  const rates = [...sums].map(([percent, amount]) => ({ percent, amount })).sort((a, b) => b.percent - a.percent);
  const total = rates.reduce((sum, { amount }) => sum + amount, 0);
  return { country, isIncluded, lines: ofLines, shipping: ofShipping, rates, total };
}

/**
 * The country whose taxes are shown before the destination is known: the first that the shop ships to, else the first
 * with a rate.
 */
export function taxHome({ rates }: Pick<TaxRules, "rates">, countries: readonly string[]): string {
  return countries.find((country) => Object.hasOwn(rates, country)) ?? Object.keys(rates)[0] ?? "";
}

/** "5.5%" in the reader's language. */
export function formatTaxRate(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 }).format(percent / 100);
}

/** The tax that is added to the amount due. */
export function addedTax(taxes: Pick<Taxes, "isIncluded" | "total"> | undefined): number {
  return taxes === undefined || taxes.isIncluded ? 0 : taxes.total;
}

function reducedFor({ reduced }: TaxRules, country: string, productType: string): number | undefined {
  return reduced.find(({ types, rates }) => types.includes(productType) && Object.hasOwn(rates, country))?.rates[
    country
  ];
}

/** Rounds half up, exact for percentages with up to four decimals.  @param amount 0 or more */
function taxOf(amount: number, percent: number, isIncluded: boolean): number {
  const rate = BigInt(Math.round(percent * 10_000));
  const base = isIncluded ? HUNDRED_PERCENT + rate : HUNDRED_PERCENT;
  return Number((2n * BigInt(amount) * rate + base) / (2n * base));
}

/** 100 % in the unit of the rates. */
const HUNDRED_PERCENT = 1_000_000n;
