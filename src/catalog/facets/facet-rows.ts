import { lowerBound } from "../../runtime/lower-bound.ts";
import { type PackedTexts, textAt } from "../packed/texts.ts";
import { type Bitmap, difference, sizeOf } from "./bitmap.ts";
import type { IntegerArray } from "./number-column.ts";

/**
 * Filter, count and sort data of the products among packed rows, in shared memory, by position; rows of other kinds
 * have no data.
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
  /** By variant: 1 if it can be bought, by the imported quantities. */
  readonly availableVariants: Uint8Array;
  /** By position: 1 if a variant can be bought. */
  readonly availableProducts: Uint8Array;
  readonly optionStarts: Uint32Array;
  readonly optionTerms: Uint32Array;
  /** By position, 0 to 1. */
  readonly popularity: Float64Array;
  /** By position: creation time in seconds since 1970; 0 if unknown. Empty if unknown for all. */
  readonly created: Uint32Array;
  /** By locale, by position; see `title-ranks.ts`. Missing locales use the order of the default one, the first. */
  readonly titleRanks: Readonly<Record<string, Uint32Array>>;
  readonly vocabulary: Vocabulary;
}

/**
 * Terms, each a value of a facet, by id minus `firstId`; terms of a base are sorted, so that the terms of a facet are
 * adjacent.
 */
export interface Vocabulary {
  /** 0 for a base; the ids of a delta follow those of its base. */
  readonly firstId: number;
  /** See `termText`. */
  readonly texts: PackedTexts;
  /** By term: document number of a product that has it. */
  readonly examples: Uint32Array;
}

/** A value of a facet. A facet is named by its filter parameter: "filter.p.vendor", "filter.v.option.size". */
export interface Term {
  readonly facet: string;
  readonly value: string;
}

/** The line feed sorts before all characters of names, so terms of a facet are adjacent in sorted order. */
export function termText(facet: string, value: string): string {
  return `${facet}\n${value}`;
}

export function termOf(text: string): Term {
  const end = text.indexOf("\n");
  return { facet: text.slice(0, end), value: text.slice(end + 1) };
}

/** Number of terms. */
export function termCount({ examples }: Vocabulary): number {
  return examples.length;
}

/** Id of a term of a base; undefined if no product has it. */
export function findTerm(vocabulary: Vocabulary, text: string): number | undefined {
  const index = firstTermFrom(vocabulary, text);
  return index < termCount(vocabulary) && textAt(vocabulary.texts, index) === text ? index : undefined;
}

/** Ids of the terms of a facet in a base, from `from` to `to` (exclusive). */
export function termsOfFacet(vocabulary: Vocabulary, facet: string): { readonly from: number; readonly to: number } {
  return {
    from: firstTermFrom(vocabulary, termText(facet, "")),
    to: firstTermFrom(vocabulary, `${facet}\u000b`),
  };
}

/** Ids of the terms of all facets whose names start with `prefix`, in a base. */
export function termsOfFacets(vocabulary: Vocabulary, prefix: string): { readonly from: number; readonly to: number } {
  return { from: firstTermFrom(vocabulary, prefix), to: firstTermFrom(vocabulary, `${prefix}\uffff`) };
}

/** The first term of a base that is not less than `text`, by code units. */
function firstTermFrom(vocabulary: Vocabulary, text: string): number {
  return lowerBound(0, termCount(vocabulary), (term) => textAt(vocabulary.texts, term) < text);
}

/** Positions and the counts of their terms. */
export interface Counted {
  readonly places: Bitmap;
  /** By term. */
  readonly counts: Uint32Array;
}

/**
 * Counts the terms of some positions, by iterating over them, or over the rest of a superset if that is smaller.
 * @param within a superset
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
