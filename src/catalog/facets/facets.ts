import type { FilterSelection, SortKey } from "./filter-selection.ts";

/** A list of products by document number. */
export interface ProductList {
  /** Key under which the results of filtering and sorting the list are cached. Unique within a catalog. */
  readonly key: string;
  numbers(): Uint32Array;
}

/**
 * A facet value with a count: the number of products that have the value and match the selections of all other facets.
 */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
  /** Document number of one product that has the value, or had it before a catalog change. */
  readonly example: number | undefined;
}

export interface Facet {
  /** Filter parameter of the facet: "filter.p.vendor", "filter.v.option.size". */
  readonly facet: string;
  readonly values: readonly FacetValue[];
}

export interface FilteredList {
  /** Matching products, in the order of the unfiltered list. */
  readonly list: ProductList;
  readonly inStockCount: number;
  readonly soldOutCount: number;
  /** Highest variant price of the unfiltered list, in minor units. */
  readonly highestPrice: number;
  /** Facets of the unfiltered list: product types, vendors, options, tags, and metafields. */
  readonly facets: readonly Facet[];
}

/** Filters, counts, sort orders and ranking values of the products in a catalog revision, with the current stock. */
export interface Facets {
  readonly rankingValues: RankingValues;
  /** Filters a list, and counts the products with each facet value. */
  filter(list: ProductList, selection: FilterSelection): FilteredList;
  /** Sorts a list. The sort is stable.  @param locale language of the titles */
  sort(list: ProductList, key: SortKey, locale: string): Uint32Array;
  /** Returns whether the creation date of any product is known. */
  hasDates(): boolean;
  /** Returns the distinct values of a facet among a list's products. */
  valuesOf(list: ProductList, facet: string): readonly FacetValue[];
  /** Returns the values of a facet among all products. */
  values(facet: string): readonly FacetValue[];
  /** Returns the document numbers of the products that have one of the values, in catalog order. */
  findProductsWithValue(facet: string, values: ReadonlySet<string>): Uint32Array;
  /** Returns the distinct values of all options, in the default language; undefined if there are over 2,000. */
  optionValues(): ReadonlySet<string> | undefined;
  /** Returns the key of a product's group of similar products; 0 if it has none. */
  groupOf(number: number): number;
  /** Returns the document numbers of a group's products, in catalog order. */
  listGroupProducts(key: number): readonly number[];
}

/** Values of products that search rules use for ranking. */
export interface RankingValues {
  /** Returns the margin of a product in percent of its price, from 0 to 100; 0 without a cost. */
  marginOf(number: number): number;
  /** Returns the units of a product that can be sold now; `unlimitedUnits` if its stock is not tracked. */
  unitsOf(number: number): number;
  /** Returns the creation time of a product in milliseconds since 1970; 0 if unknown. */
  createdAt(number: number): number;
}
