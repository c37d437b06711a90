import { parseMoney } from "../../../pricing/money.ts";

/** What a product is filtered and sorted by. */
export interface FilterFacts {
  readonly vendor: string;
  readonly productType: string;
  readonly isAvailable: boolean;
  /** Of its variants, in minor units. */
  readonly prices: readonly number[];
  /** 0 to 1. */
  readonly popularity: number;
}

/** What a shopper narrowed a collection down to; an empty set and an absent price leave all in. */
export interface FilterChoice {
  readonly vendors: ReadonlySet<string>;
  readonly productTypes: ReadonlySet<string>;
  /** "1" in stock, "0" sold out. */
  readonly availability: ReadonlySet<string>;
  /** Minor units, both inclusive. */
  readonly priceFrom?: number | undefined;
  readonly priceTo?: number | undefined;
}

export type Facet = "availability" | "price" | "productType" | "vendor";

/** Names of the query's parameters, which are Shopify's. */
export const filterParams = {
  availability: "filter.v.availability",
  priceFrom: "filter.v.price.gte",
  priceTo: "filter.v.price.lte",
  productType: "filter.p.product_type",
  vendor: "filter.p.vendor",
} as const;

/** Values of one parameter that count; what else a query repeats is left out. */
const maxValues = 100;

/** Reads a page's query leniently: a price that is no amount of the currency ("abc", "", "1.999") is left out. */
export function readChoice(query: URLSearchParams, currency: string): FilterChoice {
  const all = (name: string): ReadonlySet<string> =>
    new Set(
      query
        .getAll(name)
        .slice(0, maxValues)
        .filter((value) => value !== ""),
    );
  const price = (name: string): number | undefined => parseMoney(query.get(name) ?? "", currency);
  return {
    vendors: all(filterParams.vendor),
    productTypes: all(filterParams.productType),
    availability: all(filterParams.availability),
    priceFrom: price(filterParams.priceFrom),
    priceTo: price(filterParams.priceTo),
  };
}

export function isAnythingChosen({ vendors, productTypes, availability, priceFrom, priceTo }: FilterChoice): boolean {
  return vendors.size + productTypes.size + availability.size > 0 || priceFrom !== undefined || priceTo !== undefined;
}

/** True where a product is among what was chosen: one of the values of each facet, a variant within the prices.
 *  @param except a facet that does not count, for the numbers beside its own values */
export function matchesChoice(facts: FilterFacts, choice: FilterChoice, except?: Facet): boolean {
  const holds = (facet: Facet, wanted: ReadonlySet<string>, value: string): boolean =>
    facet === except || wanted.size === 0 || wanted.has(value);
  const { priceFrom = 0, priceTo = Number.POSITIVE_INFINITY } = choice;
  return (
    holds("vendor", choice.vendors, facts.vendor) &&
    holds("productType", choice.productTypes, facts.productType) &&
    holds("availability", choice.availability, facts.isAvailable ? "1" : "0") &&
    (except === "price" || facts.prices.some((price) => price >= priceFrom && price <= priceTo))
  );
}
