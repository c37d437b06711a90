/** What a shopper narrowed a list of products down to: values of one facet add up, facets narrow each other. */
export interface FacetChoice {
  /** Facet -> values of which a product has one. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** "1" in stock, "0" sold out; empty: both. */
  readonly availability: ReadonlySet<string>;
  /** Minor units, both inclusive. */
  readonly priceFrom?: number | undefined;
  readonly priceTo?: number | undefined;
}

export const noChoice: FacetChoice = { values: new Map(), availability: new Set() };

export function isAnythingChosen({ values, availability, priceFrom, priceTo }: FacetChoice): boolean {
  return values.size + availability.size > 0 || priceFrom !== undefined || priceTo !== undefined;
}

/** The same text for the same choice. */
export function choiceKey({ values, availability, priceFrom, priceTo }: FacetChoice): string {
  const chosen = [...values].map(([facet, texts]) => [facet, ...texts]);
  return JSON.stringify([chosen, [...availability], priceFrom ?? null, priceTo ?? null]);
}
