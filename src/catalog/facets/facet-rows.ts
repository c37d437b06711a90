import { lowerBound } from "../../runtime/lower-bound.ts";
import { getText, type PackedTexts } from "../packed/texts.ts";
import { type Bitmap, countBits, subtractBitmap } from "./bitmap.ts";
import type { IntegerArray } from "./shared-numbers.ts";

/**
 * Product data for filters, counts and sort orders, in arrays in shared memory. Per-product arrays are indexed by the
 * row position of the product. Three arrays contain several items per product, starting at the given index:
 *
 * - `terms`: the ids of the product's facet values, from `termStarts[position]`
 * - `prices`: the price of each variant in minor units, from `variantStarts[position]`
 * - `optionTerms`: the id of each option value of each variant, from `optionStarts[position]`
 */
export interface FacetRows {
  readonly termStarts: Uint32Array;
  readonly terms: Uint32Array;
  readonly variantStarts: Uint32Array;
  readonly prices: IntegerArray;
  /** Availability of each variant according to the imported quantities: 1 if available. */
  readonly availableVariants: Uint8Array;
  /** Availability of each product: 1 if a variant is available. */
  readonly availableProducts: Uint8Array;
  readonly optionStarts: Uint32Array;
  readonly optionTerms: Uint32Array;
  /** Popularity of each product by row position, from 0 to 1. */
  readonly popularity: Float64Array;
  /**
   * Creation time of each product by row position, in seconds since 1970; 0 if unknown. Empty if no product has a
   * creation time.
   */
  readonly creationTimes: Uint32Array;
  /**
   * Margin of each product by row position, in percent of the price, from 0 to 100; 0 without a cost. Empty if no
   * product has a cost.
   */
  readonly margins: Uint8Array;
  /**
   * Imported stock of each product by row position, in units; `unlimitedUnits` if it is not tracked. Empty if no
   * product has tracked stock.
   */
  readonly stockUnits: Uint32Array;
  /**
   * Ranks of product titles by locale and row position; see `title-ranks.ts`. A missing locale uses the ranks of the
   * default locale, which is first.
   */
  readonly titleRanks: Readonly<Record<string, Uint32Array>>;
  readonly vocabulary: Vocabulary;
  readonly groups: ProductGroups;
}

/**
 * Groups of similar products, such as a paint in several sizes, in shared memory. Both arrays are empty if the shop
 * does not group products.
 */
export interface ProductGroups {
  /** Key of each product's group by row position; 0 for products without a group. */
  readonly keys: Float64Array;
  /** Row positions of the products that have a group, sorted by group key. */
  readonly order: Uint32Array;
}

/** Value of `FacetRows.stockUnits` for a product whose stock is not tracked, or can be oversold. */
export const unlimitedUnits = 0xffffffff;

/**
 * Facet values (terms), indexed by id minus `firstId`. In a base catalog, terms are sorted, so the values of a facet
 * are adjacent.
 */
export interface Vocabulary {
  /**
   * Lowest id of a facet value. It is 0 for a base catalog. The values that a delta (later changes) adds have the ids
   * after those of the base catalog.
   */
  readonly firstId: number;
  /** Texts of the facet values, as returned by `formatTerm`. */
  readonly texts: PackedTexts;
  /** For each facet value, the document number of one product that has the value. */
  readonly examples: Uint32Array;
}

/** A value of a facet. The name of a facet is its filter parameter: "filter.p.vendor", "filter.v.option.size". */
export interface Term {
  readonly facet: string;
  readonly value: string;
}

/**
 * Returns the text of a facet value (term): facet, separator, value. The separator sorts before all characters of
 * names, so the values of a facet are adjacent in sorted order.
 */
export function formatTerm(facet: string, value: string): string {
  return `${facet}\n${value}`;
}

export function parseTerm(text: string): Term {
  const end = text.indexOf("\n");
  return { facet: text.slice(0, end), value: text.slice(end + 1) };
}

/** Returns the number of facet values. */
export function getTermCount({ examples }: Vocabulary): number {
  return examples.length;
}

/** Returns the id of a facet value in a base catalog; undefined if no product has the value. */
export function findTerm(vocabulary: Vocabulary, text: string): number | undefined {
  const index = findTermLowerBound(vocabulary, text);
  return index < getTermCount(vocabulary) && getText(vocabulary.texts, index) === text ? index : undefined;
}

/** Returns the ids of a facet's values in a base catalog, as a range; `to` is exclusive. */
export function findTermRange(vocabulary: Vocabulary, facet: string): { readonly from: number; readonly to: number } {
  return {
    from: findTermLowerBound(vocabulary, formatTerm(facet, "")),
    to: findTermLowerBound(vocabulary, `${facet}\u000b`),
  };
}

/**
 * Returns the ids of the values of all facets whose names start with `prefix`, as a range in a base catalog; `to` is
 * exclusive.
 */
export function findFacetTerms(vocabulary: Vocabulary, prefix: string): { readonly from: number; readonly to: number } {
  return { from: findTermLowerBound(vocabulary, prefix), to: findTermLowerBound(vocabulary, `${prefix}\uffff`) };
}

/**
 * Returns the id of the first facet value in a base catalog whose text is not less than `text`, compared by code units.
 */
function findTermLowerBound(vocabulary: Vocabulary, text: string): number {
  return lowerBound(0, getTermCount(vocabulary), (term) => getText(vocabulary.texts, term) < text);
}

/** A set of products, and the number of these products with each facet value. */
export interface TermCounts {
  readonly positions: Bitmap;
  /** Number of products with each facet value, by id of the value. */
  readonly counts: Uint32Array;
}

/**
 * Returns the number of products in a set that have each facet value. If most products of the superset are in the set,
 * copies the counts of the superset and subtracts the other products, which is faster.
 * @param supersetCounts a set that contains all the products, with its counts
 * @returns the counts of `supersetCounts` itself, not a copy, if both sets are equal
 */
export function countTerms(rows: FacetRows, positions: Bitmap, supersetCounts: TermCounts): Uint32Array {
  const missingPositions = subtractBitmap(supersetCounts.positions, positions);
  const missingRows = countBits(missingPositions);
  if (missingRows === 0) return supersetCounts.counts;
  if (missingRows < countBits(positions)) {
    const counts = supersetCounts.counts.slice();
    addTermCounts(rows, missingPositions, counts, -1);
    return counts;
  }
  const counts = new Uint32Array(supersetCounts.counts.length);
  addTermCounts(rows, positions, counts, 1);
  return counts;
}

/** Adds `step` to the count of each facet value for each product with it. Positions without a product count nothing. */
export function addTermCounts(
  { termStarts, terms }: FacetRows,
  positions: Bitmap,
  counts: Uint32Array,
  step: 1 | -1,
): void {
  for (let word = 0; word < positions.length; word += 1)
    for (let remainingBits = positions[word] as number; remainingBits !== 0; remainingBits &= remainingBits - 1) {
      const position = word * 32 + 31 - Math.clz32(remainingBits & -remainingBits);
      const end = termStarts[position + 1] as number;
      for (let index = termStarts[position] as number; index < end; index += 1) {
        const id = terms[index] as number;
        counts[id] = (counts[id] as number) + step;
      }
    }
}
