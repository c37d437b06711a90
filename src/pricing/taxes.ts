/** Tax rates of the settings, as percentages by country (ISO 3166-1 code). */
export interface TaxRules {
  /** Whether product prices and shipping prices include tax. */
  readonly pricesIncludeTax: boolean;
  readonly rates: Readonly<Record<string, number>>;
  /** Reduced rates for certain product types. The first entry with the product's type and country applies. */
  readonly reduced: readonly { readonly types: readonly string[]; readonly rates: Readonly<Record<string, number>> }[];
}

/** An amount to tax, in minor units after all discounts. */
export interface TaxedAmount {
  readonly amount: number;
  readonly productType: string;
  readonly isTaxable: boolean;
}

/**
 * The taxes of an order, in minor units. Each amount is rounded half up. total = sum of lines + shipping = sum of
 * rates.
 */
export interface Taxes {
  readonly country: string;
  /** Whether prices already include the taxes. Otherwise the taxes are added to the total. */
  readonly isIncluded: boolean;
  /** Tax of each order line, in minor units. */
  readonly lines: readonly number[];
  readonly shipping: number;
  /** Amount of tax for each percentage, highest percentage first, without zero amounts. */
  readonly rates: readonly { readonly percent: number; readonly amount: number }[];
  /**
   * Amounts without tax to which `rates` apply, in the same order. Undefined in orders that an earlier version of the
   * software stored.
   */
  readonly netAmounts?: readonly number[];
  readonly total: number;
}

/**
 * Computes the taxes of an order.
 * @param shipping shipping price in minor units, taxed at the country's standard rate
 * @returns undefined if the settings have no rate for the country
 */
export function computeTaxes(
  rules: TaxRules,
  country: string,
  lines: readonly TaxedAmount[],
  shipping: number,
): Taxes | undefined {
  const standardRate = Object.hasOwn(rules.rates, country) ? rules.rates[country] : undefined;
  if (standardRate === undefined) return undefined;
  const percents = {
    lines: lines.map(({ productType }) => findReducedRate(rules, country, productType) ?? standardRate),
    shipping: standardRate,
  };
  return computeLineTaxes(percents, { country, isIncluded: rules.pricesIncludeTax }, lines, shipping);
}

/**
 * Computes taxes with a separate percentage for each line.
 * @param percents percentages with up to four decimals, one for each line
 * @param shipping shipping price in minor units
 */
export function computeLineTaxes(
  percents: { readonly lines: readonly number[]; readonly shipping: number },
  { country, isIncluded }: Pick<Taxes, "country" | "isIncluded">,
  lines: readonly Omit<TaxedAmount, "productType">[],
  shipping: number,
): Taxes {
  const sumsByPercent = new Map<number, { amount: number; netAmount: number }>();
  const addTax = (amount: number, percent: number): number => {
    const taxAmount = computeTax(amount, percent, isIncluded);
    if (taxAmount === 0) return 0;
    const sums = sumsByPercent.get(percent) ?? { amount: 0, netAmount: 0 };
    sums.amount += taxAmount;
    sums.netAmount += isIncluded ? amount - taxAmount : amount;
    sumsByPercent.set(percent, sums);
    return taxAmount;
  };
  const lineTaxes = lines.map(({ amount, isTaxable }, index) =>
    isTaxable ? addTax(amount, percents.lines[index] ?? 0) : 0,
  );
  const shippingTax = addTax(shipping, percents.shipping);
  const sortedSums = [...sumsByPercent].sort(([a], [b]) => b - a);
  const rates = sortedSums.map(([percent, { amount }]) => ({ percent, amount }));
  const netAmounts = sortedSums.map(([, { netAmount }]) => netAmount);
  const total = rates.reduce((sum, { amount }) => sum + amount, 0);
  return { country, isIncluded, lines: lineTaxes, shipping: shippingTax, rates, netAmounts, total };
}

/**
 * Returns the country whose taxes apply until the destination is known: the first country that the shop ships to, or
 * else the first country with a rate.
 */
export function findTaxCountry({ rates }: Pick<TaxRules, "rates">, countries: readonly string[]): string {
  return countries.find((country) => Object.hasOwn(rates, country)) ?? Object.keys(rates)[0] ?? "";
}

/** Formats a tax rate such as "5.5%" in the reader's language. */
export function formatTaxRate(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 }).format(percent / 100);
}

/** Returns the tax that is added to the amount due. */
export function sumAddedTax(taxes: Pick<Taxes, "isIncluded" | "total"> | undefined): number {
  return taxes === undefined || taxes.isIncluded ? 0 : taxes.total;
}

function findReducedRate({ reduced }: TaxRules, country: string, productType: string): number | undefined {
  return reduced.find(({ types, rates }) => types.includes(productType) && Object.hasOwn(rates, country))?.rates[
    country
  ];
}

/**
 * Computes the tax of an amount, rounded half up. Exact for percentages with up to four decimals.
 * @param amount minor units, at least 0
 */
function computeTax(amount: number, percent: number, isIncluded: boolean): number {
  const taxRate = BigInt(Math.round(percent * 10_000));
  const divisor = isIncluded ? HUNDRED_PERCENT + taxRate : HUNDRED_PERCENT;
  return Number((2n * BigInt(amount) * taxRate + divisor) / (2n * divisor));
}

/** 100 percent, in units of one ten-thousandth of a percent. */
const HUNDRED_PERCENT = 1_000_000n;
