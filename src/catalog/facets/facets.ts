import type { FilterSelection, SortKey } from "./filter-selection.ts";

/** A list of products by document number. */
export interface ProductList {
  /** Unique among the lists of a catalog at one time; cached results of a list are keyed by it. */
  readonly key: string;
  numbers(): Uint32Array;
}

/** A facet value, with the number of products that have it and match the other facets' selection. */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
  /** Document number of a product that has or had it. */
  readonly example: number | undefined;
}

export interface Facet {
  /** "filter.p.vendor", "filter.v.option.size" */
  readonly facet: string;
  readonly values: readonly FacetValue[];
}

/** A filtered list. */
export interface Narrowed {
  /** Matching products, in the list's order. */
  readonly list: ProductList;
  readonly inStock: number;
  readonly soldOut: number;
  /** Highest variant price of the unfiltered list, in minor units. */
  readonly highestPrice: number;
  /** Facets of the unfiltered list: product types, vendors, options, tags, metafields. */
  readonly facets: readonly Facet[];
}

/** Filters, counts and sort orders of products at one revision, with the current stock. */
export interface Facets {
  /** Returns the matching products of a list, and the counts of all values. */
  narrow(list: ProductList, choice: FilterSelection): Narrowed;
  /** Sorts a list; equal products keep their order.  @param locale of titles */
  sort(list: ProductList, key: SortKey, locale: string): Uint32Array;
  /** Returns whether the creation date of any product is known. */
  hasDates(): boolean;
  /** Values of a facet among a list's products, each once. */
  valuesOf(list: ProductList, facet: string): readonly FacetValue[];
  /** Values of a facet among all products. */
  values(facet: string): readonly FacetValue[];
  /** Document numbers of the products that have one of the values, in static order. */
  holding(facet: string, values: ReadonlySet<string>): Uint32Array;
}

/** For an empty shop. */
export const noFacets: Facets = {
  narrow: (list) => ({ list, inStock: 0, soldOut: 0, highestPrice: 0, facets: [] }),
  sort: (list) => list.numbers(),
  hasDates: () => false,
  valuesOf: () => [],
  values: () => [],
  holding: () => new Uint32Array(0),
};
