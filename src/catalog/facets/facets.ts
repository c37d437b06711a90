import type { FilterSelection, SortKey } from "./filter-selection.ts";

/** A list of products by their document numbers. */
export interface ProductList {
  /** Another for each list that a catalogue has at one time: what is found out about a list is kept by it. */
  readonly key: string;
  numbers(): Uint32Array;
}

/** A value that a facet offers, with how many products there are with it and with what is chosen in the other facets. */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
  /** Document number of a product that has it, or had. */
  readonly example: number | undefined;
}

export interface Facet {
  /** "filter.p.vendor", "filter.v.option.size" */
  readonly facet: string;
  readonly values: readonly FacetValue[];
}

/** A list, narrowed down. */
export interface Narrowed {
  /** Those that fit, in the list's order. */
  readonly list: ProductList;
  readonly inStock: number;
  readonly soldOut: number;
  /** Of the whole list: the dearest variant, in minor units. */
  readonly highestPrice: number;
  /** The facets of the whole list: kinds, vendors, options, tags, metafields. */
  readonly facets: readonly Facet[];
}

/** What products are filtered, counted and ordered by, at one revision, with what is in stock now. */
export interface Facets {
  /** Those of a list that fit, and how many have each value. */
  narrow(list: ProductList, choice: FilterSelection): Narrowed;
  /** A list in an order that a shopper asks for; equals keep their order. @param locale of titles */
  sort(list: ProductList, key: SortKey, locale: string): Uint32Array;
  /** Whether it is known of any product when it was created. */
  hasDates(): boolean;
  /** Values of a facet that products of a list have, each once. */
  valuesOf(list: ProductList, facet: string): readonly FacetValue[];
  /** Values of a facet that any product has. */
  values(facet: string): readonly FacetValue[];
  /** Document numbers of the products that have one of the values, in static order. */
  holding(facet: string, values: ReadonlySet<string>): Uint32Array;
}

/** Of a shop that sells nothing. */
export const noFacets: Facets = {
  narrow: (list) => ({ list, inStock: 0, soldOut: 0, highestPrice: 0, facets: [] }),
  sort: (list) => list.numbers(),
  hasDates: () => false,
  valuesOf: () => [],
  values: () => [],
  holding: () => new Uint32Array(0),
};
