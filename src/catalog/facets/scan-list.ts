import { addPlace, type Bitmap, eachPlace, emptySet, sizeOf } from "./bitmap.ts";
import type { FacetLayers } from "./facet-layers.ts";
import { FacetScan } from "./facet-scan.ts";
import { type FilterSelection, isOptionFacet } from "./filter-selection.ts";
import { type ScannedBase, scanBase } from "./scan-base.ts";
import type { UnfilteredList } from "./unfiltered-list.ts";

/** The part of a list that matches a selection. */
export interface ScannedList {
  /** For each term: number of products if this term were the only selected value of its facet. */
  readonly counts: Uint32Array;
  /** Matching products, in the order of the unfiltered list. */
  readonly matched: Uint32Array;
  readonly inStock: number;
  readonly soldOut: number;
}

export function scanList(layers: FacetLayers, whole: UnfilteredList, choice: FilterSelection): ScannedList {
  const takesOption = [...choice.values.keys()].some(isOptionFacet);
  const base = takesOption ? walkBase(layers, whole, choice) : scanBase(layers, whole, choice);
  const { fitting } = base;
  if (whole.deltaPlaces.length === 0) return { ...base, matched: collect(whole, fitting, new Set()) };
  const counts = base.counts.slice();
  const scan = new FacetScan(layers, choice, counts);
  const deltaPlaces = whole.deltaPlaces.filter(({ layer, place }) => scan.add(layer, place));
  return {
    counts,
    matched: collect(whole, fitting, new Set(deltaPlaces.map(({ number }) => number))),
    inStock: base.inStock + scan.inStock,
    soldOut: base.soldOut + scan.soldOut,
  };
}

/**
 * Returns the matching products of a list in the base, for a selection with variant options. A product matches only if
 * a single variant has all options, so each product's variants are tested.
 */
function walkBase(layers: FacetLayers, { inBase }: UnfilteredList, choice: FilterSelection): ScannedBase {
  const scan = new FacetScan(layers, choice, new Uint32Array(layers.termCount));
  const fitting = emptySet(layers.base.rows.termStarts.length - 1);
  eachPlace(inBase.places, (place) => {
    if (scan.add(layers.base, place)) addPlace(fitting, place);
  });
  return { fitting, counts: scan.counts, inStock: scan.inStock, soldOut: scan.soldOut };
}

/**
 * Returns the matching document numbers in the list's order.
 * @param fitting matching positions in the base  @param deltaPlaces matching document numbers outside the base
 */
function collect(
  { numbers, isInPlace }: UnfilteredList,
  fitting: Bitmap,
  deltaPlaces: ReadonlySet<number>,
): Uint32Array {
  const count = sizeOf(fitting) + deltaPlaces.size;
  if (count === numbers.length) return numbers;
  if (isInPlace) return placesIn(fitting, count);
  const isInBase = deltaPlaces.size === 0;
  // Avoid a branch, which would be mispredicted half of the time: write each number, and let the next number overwrite
  // it if it does not match. overwrites it if it does not match.
  const matched = new Uint32Array(count + 1);
  let length = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number;
    matched[length] = number;
    const bit = ((fitting[number >>> 5] ?? 0) >>> (number & 31)) & 1;
    length += isInBase ? bit : bit | (deltaPlaces.has(number) ? 1 : 0);
  }
  return matched.subarray(0, count);
}

function placesIn(set: Bitmap, count: number): Uint32Array {
  const places = new Uint32Array(count);
  let length = 0;
  for (let word = 0; word < set.length; word += 1)
    for (let left = set[word] as number; left !== 0; left &= left - 1) {
      places[length] = word * 32 + 31 - Math.clz32(left & -left);
      length += 1;
    }
  return places;
}
