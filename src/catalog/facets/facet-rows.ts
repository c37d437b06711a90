import { lowerBound } from "../../runtime/lower-bound.ts";
import { type PackedTexts, textAt } from "../packed/texts.ts";
import { type Bitmap, difference, sizeOf } from "./bitmap.ts";
import type { IntegerArray } from "./number-column.ts";

/**
 * Packed product data for filters, counts and sort orders, in shared memory. All arrays are indexed by position; rows
 * of other kinds have no data.
 *
 *     position       0               1
 *     termStarts     0               3        5
 *     terms          vendor type M   vendor S            term ids; an option value occurs once per product
 *     variantStarts  0               2        3
 *     prices         1900  2100      500                 by variant, minor units
 *     optionStarts   0               2        3
 *     optionTerms    M     S         S                   per variant, one for each option of its product
 */
export interface FacetRows {
  readonly termStarts: Uint32Array;
  readonly terms: Uint32Array;
  readonly variantStarts: Uint32Array;
  readonly prices: IntegerArray;
  /** Availability of each variant by the imported quantities: 1 if available. */
  readonly availableVariants: Uint8Array;
  /** Availability of each product: 1 if a variant is available. */
  readonly availableProducts: Uint8Array;
  readonly optionStarts: Uint32Array;
  readonly optionTerms: Uint32Array;
  /** Popularity by position, from 0 to 1. */
  readonly popularity: Float64Array;
  /** Creation time by position, in seconds since 1970; 0 if unknown. Empty if no product has a creation time. */
  readonly created: Uint32Array;
  /**
   * Title ranks by locale and position; see `title-ranks.ts`. A missing locale uses the ranks of the default locale,
   * which is first.
   */
  readonly titleRanks: Readonly<Record<string, Uint32Array>>;
  readonly vocabulary: Vocabulary;
}

/**
 * Terms (values of facets), indexed by id minus `firstId`. In a base, terms are sorted, so the terms of a facet are
 * adjacent.
 */
export interface Vocabulary {
  /** Lowest term id: 0 for a base. Ids of a delta follow the ids of its base. */
  readonly firstId: number;
  /** Texts of the terms, as returned by `termText`. */
  readonly texts: PackedTexts;
  /** For each term: document number of an example product. */
  readonly examples: Uint32Array;
}

/** A value of a facet. The name of a facet is its filter parameter: "filter.p.vendor", "filter.v.option.size". */
export interface Term {
  readonly facet: string;
  readonly value: string;
}

/**
 * Returns the text of a term. The separator sorts before all characters of names, so the terms of a facet are adjacent
 * in sorted order.
 */
export function termText(facet: string, value: string): string {
  return `${facet}\n${value}`;
}

export function termOf(text: string): Term {
  const end = text.indexOf("\n");
  return { facet: text.slice(0, end), value: text.slice(end + 1) };
}

/** Returns the number of terms. */
export function termCount({ examples }: Vocabulary): number {
  return examples.length;
}

/** Returns the id of a term of a base; undefined if no product has the term. */
export function findTerm(vocabulary: Vocabulary, text: string): number | undefined {
  const index = firstTermFrom(vocabulary, text);
  return index < termCount(vocabulary) && textAt(vocabulary.texts, index) === text ? index : undefined;
}

/** Returns the range of term ids of a facet in a base; `to` is exclusive. */
export function termsOfFacet(vocabulary: Vocabulary, facet: string): { readonly from: number; readonly to: number } {
  return {
    from: firstTermFrom(vocabulary, termText(facet, "")),
    to: firstTermFrom(vocabulary, `${facet}\u000b`),
  };
}

/** Returns the range of term ids of all facets whose names start with `prefix`, in a base; `to` is exclusive. */
export function termsOfFacets(vocabulary: Vocabulary, prefix: string): { readonly from: number; readonly to: number } {
  return { from: firstTermFrom(vocabulary, prefix), to: firstTermFrom(vocabulary, `${prefix}\uffff`) };
}

/** Returns the id of the first term of a base that is not less than `text`, compared by code units. */
function firstTermFrom(vocabulary: Vocabulary, text: string): number {
  return lowerBound(0, termCount(vocabulary), (term) => textAt(vocabulary.texts, term) < text);
}

/** A set of positions, and the number of products with each term in the set. */
export interface Counted {
  readonly places: Bitmap;
  /** Number of products with each term. */
  readonly counts: Uint32Array;
}

/**
 * Counts the terms of a set of positions. Iterates over the set, or subtracts the difference from a superset if the
 * difference is smaller.
 * @param within the superset, with its counts
 * @returns the counts of `within` if both sets are equal
 */
export function countTerms(rows: FacetRows, places: Bitmap, within: Counted): Uint32Array {
  const excluded = difference(within.places, places);
  const left = sizeOf(excluded);
  if (left === 0) return within.counts;
  if (left < sizeOf(places)) {
    const counts = within.counts.slice();
    addTerms(rows, excluded, counts, -1);
    return counts;
  }
  const counts = new Uint32Array(within.counts.length);
  addTerms(rows, places, counts, 1);
  return counts;
}

function addTerms({ termStarts, terms }: FacetRows, places: Bitmap, counts: Uint32Array, step: 1 | -1): void {
  for (let word = 0; word < places.length; word += 1)
    for (let left = places[word] as number; left !== 0; left &= left - 1) {
      const place = word * 32 + 31 - Math.clz32(left & -left);
      const end = termStarts[place + 1] as number;
      for (let at = termStarts[place] as number; at < end; at += 1) {
        const id = terms[at] as number;
        counts[id] = (counts[id] as number) + step;
      }
    }
}
