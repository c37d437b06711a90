import { lowerBound } from "../../runtime/lower-bound.ts";
import { type PackedTexts, textAt } from "../packed/texts.ts";
import { type Bitmap, difference, sizeOf } from "./bitmap.ts";
import type { WholeNumbers } from "./number-column.ts";

/** What the products among some packed rows are filtered, counted and ordered by: plain data over shared memory, by the rows' places; rows of other kinds
 *  have nothing in it.
 *
 *      place          0               1
 *      termStarts     0               3        5
 *      terms          vendor type M   vendor S            ids of terms; values of options once for a product
 *      variantStarts  0               2        3
 *      prices         1900  2100      500                 by variant, minor units
 *      optionStarts   0               2        3
 *      optionTerms    M     S         S                   as many for each variant as its product has options */
export interface FacetRows {
  readonly termStarts: Uint32Array;
  readonly terms: Uint32Array;
  readonly variantStarts: Uint32Array;
  readonly prices: WholeNumbers;
  /** By variant: 1 where it can be bought, going by the catalogue's quantities. */
  readonly availableVariants: Uint8Array;
  /** By place: 1 where a variant can be bought. */
  readonly availableProducts: Uint8Array;
  readonly optionStarts: Uint32Array;
  readonly optionTerms: Uint32Array;
  /** By place, 0 to 1. */
  readonly popularity: Float64Array;
  /** By place: when it was created, in seconds since 1970; 0: that is not known. Empty where it is of none. */
  readonly created: Uint32Array;
  /** By locale, by place; see `title-ranks.ts`. A locale that is not there has the order of the default one, the first. */
  readonly titleRanks: Readonly<Record<string, Uint32Array>>;
  readonly vocabulary: Vocabulary;
}

/** Terms, each a value of a facet, by their ids less `firstId`; those of a base ascend as texts, so that those of a facet stand together. */
export interface Vocabulary {
  /** Of a base 0; those of a delta come behind its base's. */
  readonly firstId: number;
  /** See `termText`. */
  readonly texts: PackedTexts;
  /** By term: document number of a product that has it. */
  readonly examples: Uint32Array;
}

/** A value of a facet. A facet is named by the parameter that chooses among its values: "filter.p.vendor", "filter.v.option.size". */
export interface Term {
  readonly facet: string;
  readonly value: string;
}

/** The line feed sorts before all that names hold, so terms of a facet stand together when texts are sorted. */
export function termText(facet: string, value: string): string {
  return `${facet}\n${value}`;
}

export function termOf(text: string): Term {
  const end = text.indexOf("\n");
  return { facet: text.slice(0, end), value: text.slice(end + 1) };
}

/** How many terms there are. */
export function termCount({ examples }: Vocabulary): number {
  return examples.length;
}

/** Id of a term of a base; undefined where no product has it. */
export function findTerm(vocabulary: Vocabulary, text: string): number | undefined {
  const index = firstTermFrom(vocabulary, text);
  return index < termCount(vocabulary) && textAt(vocabulary.texts, index) === text ? index : undefined;
}

/** Ids of the terms of a facet in a base: `from` up to, not including, `to`. */
export function termsOfFacet(vocabulary: Vocabulary, facet: string): { readonly from: number; readonly to: number } {
  return {
    from: firstTermFrom(vocabulary, termText(facet, "")),
    to: firstTermFrom(vocabulary, `${facet}\u000b`),
  };
}

/** Ids of the terms of all facets whose names begin with `prefix`, in a base. */
export function termsOfFacets(vocabulary: Vocabulary, prefix: string): { readonly from: number; readonly to: number } {
  return { from: firstTermFrom(vocabulary, prefix), to: firstTermFrom(vocabulary, `${prefix}\uffff`) };
}

/** The first term of a base whose text is not below another, by code units. */
function firstTermFrom(vocabulary: Vocabulary, text: string): number {
  return lowerBound(0, termCount(vocabulary), (term) => textAt(vocabulary.texts, term) < text);
}

/** Places whose terms were counted. */
export interface Counted {
  readonly places: Bitmap;
  /** By term. */
  readonly counts: Uint32Array;
}

/** How many of some places have each term: by walking over them, or over those of a wider set that are not among them, where these are fewer.
 *  @param within holds them all  @returns the counts of `within` themselves where these are all of its places */
export function countTerms(rows: FacetRows, places: Bitmap, within: Counted): Uint32Array {
  const others = difference(within.places, places);
  const left = sizeOf(others);
  if (left === 0) return within.counts;
  if (left < sizeOf(places)) {
    const counts = within.counts.slice();
    addTerms(rows, others, counts, -1);
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
