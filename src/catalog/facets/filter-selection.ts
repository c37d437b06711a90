import { parseMoney } from "../../pricing/money.ts";
import type { FilterExpression } from "./filter-expression.ts";

/** Sort orders of a product list, named as in the query string. */
export type SortKey = "best-selling" | `${"title" | "price" | "created"}-${"ascending" | "descending"}`;

/** A shopper's filter selection. The values of one facet are alternatives; all facets must match. */
export interface FilterSelection {
  /** Accepted values by facet. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** Selected availability: "1" for in stock, "0" for sold out. Empty selects both. */
  readonly availability: ReadonlySet<string>;
  /** Price limits in minor units, both inclusive. */
  readonly priceFrom?: number | undefined;
  readonly priceTo?: number | undefined;
  /** Conditions that all products must match. Counts of facet values include only these products. */
  readonly expression?: FilterExpression | undefined;
}

export const emptySelection: FilterSelection = { values: new Map(), availability: new Set() };

export function hasSelection({ values, availability, priceFrom, priceTo, expression }: FilterSelection): boolean {
  return (
    values.size + availability.size > 0 || priceFrom !== undefined || priceTo !== undefined || expression !== undefined
  );
}

/** Returns a cache key for a selection without an expression. Equal selections have equal keys. */
export function formatSelectionKey({ values, availability, priceFrom, priceTo }: FilterSelection): string {
  const selectedValues = [...values].map(([facet, texts]) => [facet, ...texts]);
  return JSON.stringify([selectedValues, [...availability], priceFrom ?? null, priceTo ?? null]);
}

/**
 * Query parameters of the standard filters, named as in Shopify. Option facets and metafield facets have their own
 * parameters.
 */
export const facetParams = {
  availability: "filter.v.availability",
  price: "filter.v.price",
  priceFrom: "filter.v.price.gte",
  priceTo: "filter.v.price.lte",
  productType: "filter.p.product_type",
  vendor: "filter.p.vendor",
  tag: "filter.p.tag",
} as const;

/** Prefix of the query parameters of option facets. */
export const optionPrefix = "filter.v.option.";
const metafieldPrefix = "filter.p.m.";

/** Returns the facet name for a product option, such as "Size". Option names are case-insensitive. */
export function formatOptionFacet(name: string): string {
  return optionPrefix + name.trim().toLowerCase();
}

/** Returns the facet name for a metafield.  @param name "namespace.key" */
export function formatMetafieldFacet(name: string): string {
  return metafieldPrefix + name;
}

export function isOptionFacet(facet: string): boolean {
  return facet.startsWith(optionPrefix);
}

export function isMetafieldFacet(facet: string): boolean {
  return facet.startsWith(metafieldPrefix);
}

/** Returns the option or metafield that a facet is based on; undefined for other facets, such as the vendor. */
export function findFacetTarget(
  facet: string,
): { readonly kind: "option" | "metafield"; readonly name: string } | undefined {
  if (isOptionFacet(facet)) return { kind: "option", name: facet.slice(optionPrefix.length) };
  if (facet.startsWith(metafieldPrefix)) return { kind: "metafield", name: facet.slice(metafieldPrefix.length) };
  return undefined;
}

/** Maximum number of values of one parameter. Further values are ignored. */
const MAX_VALUES = 100;
const MAX_FACETS = 24;

/** Parses the filters of a page's query. Invalid prices ("abc", "", "1.999") and unknown facets are ignored. */
export function parseFilters(query: URLSearchParams, currency: string): FilterSelection {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of query) {
    const facet = findFacetOfParam(name);
    if (facet === undefined || value === "") continue;
    const selectedValues = values.get(facet);
    if (selectedValues === undefined) {
      if (values.size < MAX_FACETS) values.set(facet, new Set([value]));
    } else if (selectedValues.size < MAX_VALUES) selectedValues.add(value);
  }
  const parsePrice = (name: string): number | undefined => parseMoney(query.get(name) ?? "", currency);
  const availability = new Set(
    query.getAll(facetParams.availability).filter((value) => value === "1" || value === "0"),
  );
  return {
    values,
    availability,
    priceFrom: parsePrice(facetParams.priceFrom),
    priceTo: parsePrice(facetParams.priceTo),
  };
}

/** Returns the sort order that a query requests; undefined if the order is unknown. */
export function readSortKey(order: string | null): SortKey | undefined {
  return sortKeys.find((key) => key === order);
}

const sortKeys: readonly SortKey[] = [
  "best-selling",
  "title-ascending",
  "title-descending",
  "price-ascending",
  "price-descending",
  "created-ascending",
  "created-descending",
];

/** Returns the facet of a filter parameter, with the option name in lower case; undefined for other parameters. */
function findFacetOfParam(param: string): string | undefined {
  const { productType, vendor, tag } = facetParams;
  if (param === productType || param === vendor || param === tag) return param;
  const subject = findFacetTarget(param);
  if (subject === undefined) return undefined;
  return subject.kind === "option" ? formatOptionFacet(subject.name) : formatMetafieldFacet(subject.name);
}
